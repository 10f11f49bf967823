import { expect, it } from "vitest";
import { findRipgrep } from "../../../src/search/ripgrep.ts";

it("finds the optional package's ripgrep, each time the same", () => {
  expect(findRipgrep()).toMatch(/[\\/]@vscode[\\/]ripgrep-[\w-]+[\\/]bin[\\/]rg(?:\.exe)?$/);
  expect(findRipgrep()).toBe(findRipgrep());
});

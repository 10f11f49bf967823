import { expect, it } from "vitest";
import { findRipgrep } from "../../../src/search/find-ripgrep.ts";

it("is the one of the optional package, and the same each time", () => {
  expect(findRipgrep()).toMatch(/[\\/]@vscode[\\/]ripgrep-[\w-]+[\\/]bin[\\/]rg(?:\.exe)?$/);
  expect(findRipgrep()).toBe(findRipgrep());
});

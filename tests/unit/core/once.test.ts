import { expect, it } from "vitest";
import { once } from "../../../src/core/once.ts";

it("creates a value on first use only, also if it is undefined", () => {
  let made = 0;
  const value = once(() => void made++);
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(made).toBe(1);
});

import { expect, it } from "vitest";
import { once } from "../../../src/core/once.ts";

it("makes a value when it is asked for, and only then, also where it is undefined", () => {
  let made = 0;
  const value = once(() => void made++);
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(made).toBe(1);
});

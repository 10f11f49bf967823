import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { lateRequire } from "../../../../src/faces/cli/late-require.ts";

describe("a late require", () => {
  const loaded: string[] = [];
  const load = lateRequire(Object.assign((id: string) => (loaded.push(id), { name: id, greet: () => `this is ${id}` }), createRequire(import.meta.url)), ["late"]);

  it("loads a late module on first use, and others at once", () => {
    const [late, early] = [load("late"), load("early")] as Array<{ name: string; greet(): string }>;
    expect(loaded).toEqual(["early"]);
    expect(early?.name).toBe("early");
    expect(late?.greet()).toBe("this is late");
    expect(loaded).toEqual(["early", "late"]);
  });
});

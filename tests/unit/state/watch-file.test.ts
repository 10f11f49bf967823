import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { watchFile } from "../../../src/state/watch-file.ts";
import { createFolder } from "../../support/folder.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

const look = (): void => void vi.advanceTimersByTime(2_000);

test("polling does not repeat a change that the system reported", async () => {
  const file = join(createFolder({ "a.md": "one" }), "a.md");
  const told = countOf(file);
  writeFileSync(file, "two, longer");
  await told.atLeast(1);
  const before = told.count;
  look();
  expect(told.count).toBe(before);
});

test("polling reports a change that the system missed", () => {
  const file = join(createFolder({ "a.md": "one" }), "a.md");
  const told = countOf(file);
  writeFileSync(file, "two, longer");
  // No event can have arrived, since nothing was awaited.
  look();
  expect(told.count).toBe(1);
});

test("watches the new target of a changed link, and a file in a recreated folder", async () => {
  const root = createFolder({ "one/a.md": "one", "two/a.md": "two" });
  const link = join(root, "link.md");
  symlinkSync("one/a.md", link);
  const told = countOf(link);
  rmSync(link);
  symlinkSync("two/a.md", link);
  await told.atLeast(1);
  await told.rest();
  look();
  await told.hears(() => writeFileSync(join(root, "two/a.md"), "what is saved"));

  rmSync(join(root, "two"), { recursive: true });
  await told.rest();
  look();
  mkdirSync(join(root, "two"));
  writeFileSync(join(root, "two/a.md"), "made again");
  look();
  await told.rest();
  await told.hears(() => writeFileSync(join(root, "two/a.md"), "and saved again"));
});

function countOf(file: string) {
  const told = {
    count: 0,
    async atLeast(wanted: number): Promise<void> {
      for (let waited = 0; told.count < wanted; waited += 5) {
        if (waited > 10_000) throw new Error(`told ${told.count} times instead of ${wanted}`);
        await pause(5);
      }
    },
    /** Resolves after a moment without calls. */
    async rest(): Promise<void> {
      for (let before = -1; before !== told.count; await pause(100)) before = told.count;
    },
    /** Waits for an event of the system, without polling. */
    async hears(act: () => void): Promise<void> {
      const before = told.count;
      act();
      await told.atLeast(before + 1);
    },
  };
  onTestFinished(watchFile(file, () => (told.count += 1)));
  return told;
}

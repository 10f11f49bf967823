import { expect, test } from "vitest";
import { PairsOfCopies, watchClipboard } from "../../../../src/faces/watch/watch-clipboard.ts";

test("a report that Loaf has copied is not part of a pair", async () => {
  const block = "#!nesl [@three-char-SHA-256: k7m]\n#!end_k7m";
  const report = `a report that quotes\n${block}\n`;
  const run = async (own: string | undefined): Promise<string[]> => {
    const seen = ["before", report, block];
    const found: string[] = [];
    const over = new AbortController();
    const read = async (): Promise<string> => {
      const text = seen.shift() ?? "";
      if (seen.length === 0) over.abort();
      return text;
    };
    await watchClipboard({ gesture: new PairsOfCopies(), read, sleep: async () => {}, now: () => 0, onText: (text) => found.push(text), tell: () => {}, lastCopied: () => own }, over.signal);
    return found;
  };
  expect(await run(report)).toEqual([]);
  expect(await run(undefined)).toEqual([block]);
});

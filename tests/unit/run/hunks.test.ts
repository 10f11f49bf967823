/** Hunks of an edit: shown by Loaf.preview, and taken one by one by Loaf.execute. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type EditHunk, fullReport, Loaf, type Previewed, type Selection } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

const open = (root: string): Promise<Loaf> => Loaf.create({ repoPath: root, config: { relative_paths: true } });
const replaceAll = (path: string, old_text: string, new_text: string, id = "r1a"): string => printBlock(id, { action: "file_replace_all_text", path, old_text, new_text });
const read = (root: string, name = "a.txt"): string => readFileSync(join(root, name), "utf8");

async function previewOf(loaf: Loaf, answer: string, only?: Selection): Promise<Previewed[]> {
  const items: Previewed[] = [];
  for await (const item of loaf.preview(answer, only && { only })) items.push(item);
  return items;
}

async function hunksOf(root: string, answer: string): Promise<readonly EditHunk[]> {
  return (await previewOf(await open(root), answer))[0]?.hunks ?? [];
}

const taking = (...ids: readonly string[]): Selection => new Map([[0, new Set(ids)]]);

test("a preview shows the hunks of an edit in whole lines, with their places before and after it", async () => {
  const root = createFolder({ "a.txt": "one x x\r\ntwo\nthree x\n" });
  const hunks = await hunksOf(root, replaceAll("a.txt", "x", "y\nz"));
  expect(hunks).toMatchObject([
    { path: "a.txt", oldStart: 1, oldLines: ["one x x"], newStart: 1, newLines: ["one y", "z y", "z"] },
    { path: "a.txt", oldStart: 3, oldLines: ["three x"], newStart: 5, newLines: ["three y", "z"] },
  ]);
});

test("the lines of a hunk in an addressed part are those of the file", async () => {
  const root = createFolder({ "a.js": "let v = 1;\nfunction f() {\n  return v;\n}\n" });
  expect(await hunksOf(root, replaceAll("a.js@@f", "v", "w"))).toMatchObject([{ oldStart: 3, oldLines: ["  return v;"], newLines: ["  return w;"] }]);
});

test("what was left out of an edit is told in the result and in the report", async () => {
  const root = createFolder({ "a.txt": "x\nb\nx\nx\n" });
  const answer = replaceAll("a.txt", "x", "y");
  const [, second] = await hunksOf(root, answer);
  const loaf = await open(root);
  const result = await loaf.execute(answer, { only: taking(second?.id ?? "") });
  expect(read(root)).toBe("x\nb\ny\nx\n");
  const left = `partly taken: 1 of 3 hunks; the user left out a.txt lines 1, 4: do not send these again unless asked`;
  expect(result).toMatchObject({ success: true, results: [{ success: true, hunks: { taken: 1, of: 3 }, data: { replacements: 1 }, warnings: [left] }] });
  expect(fullReport(result, loaf)).toContain("1 of 3 hunks");
});

test("an edit of which nothing is taken is reported as refused", async () => {
  const root = createFolder({ "a.txt": "x\n" });
  const result = await (await open(root)).execute(replaceAll("a.txt", "x", "y"), { only: taking() });
  expect(result.results).toMatchObject([{ success: false, code: "skip/refused" }]);
  expect(read(root)).toBe("x\n");
});

test("a hunk that is not as it was shown refuses its edit and changes nothing", async () => {
  const root = createFolder({ "a.txt": "x\nx\n" });
  const answer = printBlock("w1b", { action: "file_write", path: "a.txt", content: "new\nx\nx\n" }) + "\n" + replaceAll("a.txt", "x", "y");
  const shown = (await previewOf(await open(root), answer))[1]?.hunks ?? [];
  const only: Selection = new Map([[1, new Set([shown[0]?.id ?? ""])]]);
  const result = await (await open(root)).execute(answer, { only });
  expect(result.results).toMatchObject([{ success: false, code: "hunk/changed" }]);
  expect(read(root)).toBe("x\nx\n");
});

test("an action that is no edit is refused if hunks of it were chosen", async () => {
  const root = createFolder({ "a.txt": "x\n" });
  const file = printBlock("w2c", { action: "file_write", path: "a.txt", content: "new\n" });
  expect((await (await open(root)).execute(file, { only: taking("1.none") })).results).toMatchObject([{ success: false, code: "hunk/changed" }]);
  const command = printBlock("x3d", { action: "exec", lang: "bash", code: "echo new > a.txt" });
  expect((await (await open(root)).execute(command, { only: taking("1.none") })).results).toMatchObject([{ success: false, code: "skip/refused" }]);
  expect(read(root)).toBe("x\n");
});

test("a hunk that was never shown refuses the edit, beside all that were", async () => {
  const root = createFolder({ "a.txt": "x\n" });
  const answer = replaceAll("a.txt", "x", "y");
  const [hunk] = await hunksOf(root, answer);
  const result = await (await open(root)).execute(answer, { only: taking(hunk?.id ?? "", "1.none") });
  expect(result.results).toMatchObject([{ success: false, code: "hunk/changed" }]);
  expect(read(root)).toBe("x\n");
});

test("a preview of chosen items shows the hunks as these leave them", async () => {
  const root = createFolder({ "a.txt": "x\nx\n" });
  const answer = printBlock("w1b", { action: "file_write", path: "a.txt", content: "new\nx\nx\n" }) + "\n" + replaceAll("a.txt", "x", "y");
  const items = await previewOf(await open(root), answer, new Set([1]));
  expect(items.map(({ position, hunks }) => ({ position, lines: hunks.map(({ oldStart }) => oldStart) }))).toEqual([{ position: 1, lines: [1, 2] }]);
  const only: Selection = new Map([[1, new Set([items[0]?.hunks[1]?.id ?? ""])]]);
  await (await open(root)).execute(answer, { only });
  expect(read(root)).toBe("x\ny\n");
});

test("hunks of an edit in several files are taken file by file", async () => {
  const root = createFolder({ "a.txt": "x\n", "b.txt": "x\nx\n" });
  const answer = printBlock("r1a", { action: "files_replace_all_text", paths: "a.txt\nb.txt", old_text: "x", new_text: "y" });
  const hunks = await hunksOf(root, answer);
  const result = await (await open(root)).execute(answer, { only: taking(...hunks.slice(1, 2).map(({ id }) => id)) });
  expect([read(root), read(root, "b.txt")]).toEqual(["x\n", "y\nx\n"]);
  expect(result.results).toMatchObject([{ hunks: { taken: 1, of: 3 } }]);
});

test("an edit that was taken in part is not taken as applied", async () => {
  const root = createFolder({ "a.txt": "x\nx\n" });
  const answer = replaceAll("a.txt", "x", "y");
  const [first] = await hunksOf(root, answer);
  const loaf = await open(root);
  await loaf.execute(answer, { only: taking(first?.id ?? "") });
  expect(await loaf.appliedIn(answer)).toEqual(new Map());
  await loaf.execute(answer, { skipApplied: true });
  expect(read(root)).toBe("y\ny\n");
});

test("an edit of thousands of places is one hunk", async () => {
  const root = createFolder({ "a.txt": "x\n".repeat(5_000) });
  const answer = replaceAll("a.txt", "x", "y");
  const hunks = await hunksOf(root, answer);
  expect(hunks).toMatchObject([{ oldLines: [], newLines: [] }]);
  await (await open(root)).execute(answer, { only: taking(...hunks.map(({ id }) => id)) });
  expect(read(root)).toBe("y\n".repeat(5_000));
});

test("any hunks of an edit change exactly their lines, all of them make the whole edit, and undo gives the old bytes", async () => {
  const line = fc.constantFrom("x", "xx", "a", "b x", "x b x", "");
  const texts = { old: fc.constantFrom("x", "x\n", "\nx", "x b"), next: fc.constantFrom("", "y", "y\nz", "y\n", "\n") };
  const world = fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 9 }), isEnded: fc.boolean(), ...texts, taken: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }) });
  await fc.assert(
    fc.asyncProperty(world, async ({ lines, isEnded, old, next, taken }) => {
      const text = lines.join("\n") + (isEnded ? "\n" : "");
      const root = createFolder({ "a.txt": text });
      const before = snapshot(root);
      const answer = replaceAll("a.txt", old, next);
      const loaf = await open(root);
      const hunks = (await previewOf(loaf, answer))[0]?.hunks ?? [];
      const chosen = hunks.filter((_, index) => taken[index] === true);
      const whole = text.replaceAll(old, next);
      expect(hunks.map(({ oldLines }) => oldLines)).toEqual(hunks.map(({ oldStart, oldLines }) => linesAt(text, oldStart, oldLines.length)));
      expect(hunks.map(({ newLines }) => newLines)).toEqual(hunks.map(({ newStart, newLines }) => linesAt(whole, newStart, newLines.length)));
      expect(snapshot(root)).toEqual(before);
      const result = await loaf.execute(answer, { only: taking(...chosen.map(({ id }) => id)) });
      const isPart = chosen.length > 0 && chosen.length < hunks.length;
      expect(read(root)).toBe(replacedIn(text, { old, next, hunks, chosen }));
      const leftOut = hunks.filter((hunk) => !chosen.includes(hunk));
      expect(result.results[0]?.hunks).toEqual(isPart ? { taken: chosen.length, of: hunks.length, leftOut } : undefined);
      if (result.run !== undefined) await loaf.undo();
      expect(snapshot(root)).toEqual(before);
    }),
    // Two removals in neighbour lines once left out the line that the rest of them joins.
    { numRuns: 10, examples: [[{ lines: ["xx", "x", "x"], isEnded: false, old: "x\n", next: "", taken: Array<boolean>(9).fill(false) }]] },
  );
}, 60_000);

test("any hunks of a whole new text change exactly their lines; all of them make the whole text, and undo gives the old bytes", async () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "ä", ""), { minLength: 1, maxLength: 8 });
  const end = fc.constantFrom("", "\n");
  const world = fc.record({ before: lines, after: lines, ends: fc.tuple(end, end), mark: fc.constantFrom("", "\ufeff"), taken: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }) });
  await fc.assert(
    fc.asyncProperty(world, async ({ before, after, ends, mark, taken }) => {
      const root = createFolder({ "a.txt": mark + before.join("\n") + ends[0] });
      const old = snapshot(root);
      const loaf = await open(root);
      const answer = printBlock("w1a", { action: "file_write", path: "a.txt", content: after.join("\n") + ends[1] });
      const [item] = await previewOf(loaf, answer);
      const hunks = item?.hunks ?? [];
      const chosen = hunks.filter((_, index) => taken[index] === true);
      const result = await loaf.execute(answer, { only: hunks.length === 0 ? taking() : taking(...chosen.map(({ id }) => id)) });
      expect(result.results[0]?.code).toBe(chosen.length === 0 ? "skip/refused" : undefined);
      const now: string[] = [...before];
      for (const { oldStart, oldLines, newLines } of chosen.toReversed()) {
        expect(before.slice(oldStart - 1, oldStart - 1 + oldLines.length)).toEqual(oldLines);
        now.splice(oldStart - 1, oldLines.length, ...newLines);
      }
      const trimmed = (text: string): string => text.replace(/^\ufeff/, "").replace(/\n*$/, "");
      expect(trimmed(read(root))).toBe(trimmed(now.join("\n")));
      if (chosen.length > 0 && chosen.length === hunks.length) {
        if (result.run !== undefined) await loaf.undo();
        await loaf.execute(answer);
        expect(trimmed(read(root))).toBe(trimmed(now.join("\n")));
        await loaf.undo();
      } else if (result.run !== undefined) await loaf.undo();
      expect(snapshot(root)).toEqual(old);
    }),
    { numRuns: 30 },
  );
}, 60_000);

function linesAt(text: string, first: number, count: number): string[] {
  return text.split("\n").slice(first - 1, first - 1 + count);
}

interface Replacing {
  readonly old: string;
  readonly next: string;
  readonly hunks: readonly EditHunk[];
  readonly chosen: readonly EditHunk[];
}

/** The text with those occurrences replaced that begin in a chosen hunk. */
function replacedIn(text: string, { old, next, hunks, chosen }: Replacing): string {
  let result = "";
  let at = 0;
  for (let found = text.indexOf(old); found !== -1; found = text.indexOf(old, at)) {
    const line = text.slice(0, found).split("\n").length;
    const hunk = hunks.findLast(({ oldStart }) => oldStart <= line);
    result += text.slice(at, found) + (hunk !== undefined && chosen.includes(hunk) ? next : old);
    at = found + old.length;
  }
  return result + text.slice(at);
}

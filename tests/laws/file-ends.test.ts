/**
 * Law of edits at a file's edges: in every syntax, whatever ends its lines, an edit gives the splice that it means, with
 * the file's own line endings, byte order mark and last newline, or is refused and changes nothing.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { FORMATS } from "../../src/syntaxes/index.ts";
import { createFolder } from "../support/folder.ts";
import { type LineEdit, spliced, SYNTAXES } from "./one-edit.ts";

const BOM = "\ufeff";

/** How a file stands on the disk: its lines, and what ends each. The last one may have no end. */
interface FileKind {
  readonly lines: readonly string[];
  readonly end: string;
  readonly isOpen?: boolean;
  readonly head?: string;
}

const FOUR = ["first", "second", "third", "fourth"];
const KINDS: Readonly<Record<string, FileKind>> = {
  LF: { lines: FOUR, end: "\n" },
  "LF, no last newline": { lines: FOUR, end: "\n", isOpen: true },
  CRLF: { lines: FOUR, end: "\r\n" },
  "CRLF, no last newline": { lines: FOUR, end: "\r\n", isOpen: true },
  BOM: { lines: FOUR, end: "\n", head: BOM },
  "BOM and CRLF, no last newline": { lines: FOUR, end: "\r\n", isOpen: true, head: BOM },
  "one line": { lines: ["only"], end: "\n" },
  "one line, no newline": { lines: ["only"], end: "\n", isOpen: true },
  "a tab and blanks": { lines: ["\tfirst", "    second", "third  ", "\tfourth\t"], end: "\n" },
  "a blank last line": { lines: [...FOUR, ""], end: "\n" },
};

function written(lines: readonly string[], { end, isOpen = false, head = "" }: FileKind): string {
  return head + lines.join(end) + (isOpen || lines.length === 0 ? "" : end);
}

/** Changes, insertions and removals at the beginning, in the middle and at the end, each of a file of its own. */
function editsOf(lines: readonly string[]): LineEdit[] {
  const places = [...new Set([0, lines.length >> 1, lines.length - 1])].filter((at) => lines[at] !== "");
  const edits = places.flatMap((at) => {
    const line = lines[at] as string;
    const made = [["new"], ["new", "two"], [line, "below"], ["above", line], ...(lines.length > 1 ? [[]] : [])];
    return made.map((now) => ({ lines, at, count: 1, now }));
  });
  return edits.map((edit, index) => ({ ...edit, path: `f${index}.txt` }));
}

/** Returns what an answer makes of each file, and the ids of the blocks that failed by their files. */
async function made(answer: string, files: Readonly<Record<string, string>>): Promise<{ readonly texts: readonly string[]; readonly failed: ReadonlySet<string> }> {
  const root = createFolder({ ...files });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match: "tolerant" }, syntaxes: [...FORMATS] }, gitCommit: false });
  const { results, parseErrors, fatalError } = await loaf.execute(answer);
  expect([parseErrors, fatalError]).toEqual([[], undefined]);
  const failed = results.filter(({ success }) => !success).map(({ params }) => basename(String(params["path"])));
  return { texts: Object.keys(files).map((path) => readFileSync(join(root, path), "utf8")), failed: new Set(failed) };
}

describe.each(Object.entries(SYNTAXES))("%s", (syntax, print) => {
  test.each(Object.entries(KINDS))("in a file of %s", async (name, kind) => {
    const edits = editsOf(kind.lines).filter((edit) => print(edit) !== "");
    const before = written(kind.lines, kind);
    const files = Object.fromEntries(edits.map(({ path }) => [path, before]));
    const answer = edits.map(print).join("\n");
    for (const sent of [answer, answer.replaceAll("\n", "\r\n")]) {
      const { texts, failed } = await made(sent, files);
      const shown = edits.map((edit, index) => ({ answer: print(edit), text: texts[index] }));
      const wanted = edits.map((edit) => ({ answer: print(edit), text: failed.has(edit.path) || isUntold(edit, syntax) ? before : written(spliced(edit), kind) }));
      expect(shown).toEqual(wanted);
      expect([...failed], `refused in ${name}`).toEqual([]);
    }
  });
});

/** A whole file without a line that no sentence removes is an excerpt: the line stays. */
function isUntold({ lines, at, now }: LineEdit, syntax: string): boolean {
  return syntax === "a whole file" && now.length === 0 && (at === 0 || at === lines.length - 1);
}

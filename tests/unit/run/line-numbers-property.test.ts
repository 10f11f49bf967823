/**
 * Whatever else a run does to a file, `file_replace_lines` replaces the lines that had these numbers before the run or, with `base`, in the
 * version that was read; or nothing.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shownFile } from "../../../src/context/shown-files.ts";
import { Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { tries } from "../../support/tries.ts";

const FILES = ["a.txt", "b.txt"] as const;

type Step =
  | { readonly kind: "lines"; readonly file: number; readonly first: number; readonly more: number; readonly by: number }
  | { readonly kind: "text"; readonly file: number; readonly line: number; readonly more: number; readonly by: number; readonly isWhole: boolean }
  | { readonly kind: "append" | "write" | "recreate" | "move"; readonly file: number; readonly by: number };

const file = fc.nat(1);
const by = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("lines" as const), file, first: fc.integer({ min: 1, max: 9 }), more: fc.nat(2), by }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("text" as const), file, line: fc.nat(8), more: fc.nat(2), by, isWhole: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("append" as const, "write" as const, "recreate" as const, "move" as const), file, by }) },
);

/** What an action of the answer has to come to. */
interface Expected {
  readonly properties: Record<string, string>;
  readonly isRefused: boolean;
}

/** A file as lines that know whether they are as they were before the run, and which they were. */
interface Line {
  readonly text: string;
  readonly was?: number;
}

/** Does the steps by hand, on lists of lines. */
class Oracle {
  readonly expected: Expected[] = [];
  readonly files: Array<Line[] | undefined>;
  readonly #bases: readonly string[] | undefined;
  #names = 0;

  /** @param bases the tags of the versions whose lines the numbers name: lines that have moved are followed */
  constructor(files: Line[][], bases?: readonly string[]) {
    this.files = files;
    this.#bases = bases;
  }

  /** Returns the index of the lines with these numbers, or undefined if some have changed, or moved without a base. */
  #find(lines: readonly Line[], first: number, last: number): number | undefined {
    const start = this.#bases === undefined ? first - 1 : lines.findIndex(({ was }) => was === first);
    const named = start === -1 ? [] : lines.slice(start, start + last - first + 1);
    return named.length === last - first + 1 && named.every(({ was }, index) => was === first + index) ? start : undefined;
  }

  take(step: Step): void {
    const lines = this.files[step.file];
    const path = FILES[step.file] as string;
    const fresh = Array.from({ length: step.by }, () => ({ text: `new ${(this.#names += 1)}` }));
    const content = fresh.map(({ text }) => `${text}\n`).join("");
    const write = (properties: Record<string, string>, isRefused = false): void => void this.expected.push({ properties, isRefused });
    switch (step.kind) {
      case "lines": {
        if (lines === undefined) return;
        const last = step.first + step.more;
        const start = this.#find(lines, step.first, last);
        const isRefused = start === undefined;
        const base = this.#bases?.[step.file];
        const added = fresh.length === 0 ? [{ text: "" }] : fresh;
        write({ action: "file_replace_lines", path, lines: `${step.first}-${last}`, new_content: added.map(({ text }) => text).join("\n"), ...(base !== undefined && { base }) }, isRefused);
        if (start !== undefined) lines.splice(start, step.more + 1, ...added);
        return;
      }
      case "text": {
        const old = lines?.slice(step.line, step.line + step.more + 1) ?? [];
        if (old.length === 0 || old.some(({ text }) => text === "")) return;
        // Without the last line feed, the line ends stay where they are, and something has to be there.
        if (!step.isWhole && fresh.length === 0) fresh.push({ text: `new ${(this.#names += 1)}` });
        const end = step.isWhole ? "\n" : "";
        const [old_text, new_text] = [old, fresh].map((some) => some.map(({ text }) => text).join("\n") + (some.length > 0 ? end : ""));
        write({ action: "file_replace_text", path, old_text: old_text as string, new_text: new_text as string });
        lines?.splice(step.line, old.length, ...fresh);
        return;
      }
      case "append":
        if (lines === undefined) return;
        write({ action: "file_append", path, content });
        lines.push(...fresh);
        return;
      case "write":
      case "recreate":
        if (step.kind === "recreate") {
          if (lines === undefined) return;
          write({ action: "file_delete", path });
        }
        write({ action: step.kind === "write" ? "file_write" : "file_append", path, content });
        this.#restart(step.file, fresh);
        return;
      case "move": {
        const to = 1 - step.file;
        if (lines === undefined) return;
        write({ action: "file_move", old_path: path, new_path: FILES[to] as string });
        [this.files[to], this.files[step.file]] = [lines, undefined];
      }
    }
  }

  #restart(file: number, lines: readonly Line[]): void {
    this.files[file] = lines.map(({ text }, index) => (this.#bases === undefined ? { text, was: index + 1 } : { text }));
  }
}

test("the lines that had the numbers before the run, or none", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 8 }), fc.array(step, { minLength: 2, maxLength: 8 }), async (length, steps) => {
      const oracle = new Oracle(FILES.map((name) => Array.from({ length }, (_, index) => ({ text: `${name} ${index}`, was: index + 1 }))));
      const root = createFolder(Object.fromEntries(FILES.map((name, index) => [name, textOf(oracle.files[index])])));
      for (const step of steps) oracle.take(step);
      const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, "fs-guard": {} } });
      const { results } = await loaf.execute(oracle.expected.map(({ properties }, index) => printBlock(`b${index}`.padEnd(3, "x"), properties)).join("\n"));
      expect(results.map(({ success, error = "" }) => (success ? "done" : error.replace(/^file_replace_lines: .*(earlier action|out of bounds).*/, "refused")))).toEqual(oracle.expected.map(({ isRefused }) => (isRefused ? "refused" : "done")));
      expect(FILES.map((name) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined))).toEqual(oracle.files.map((lines) => lines && textOf(lines)));
    }),
    tries(60, 2_000),
  );
}, 600_000);

test("the lines that had the numbers in the version of base, wherever the user and the run have moved them, or none", async () => {
  const changes = fc.array(fc.record({ file, at: fc.nat(8), removed: fc.nat(2), added: fc.nat(2) }), { maxLength: 3 });
  const steps = fc.array(step.filter(({ kind }) => kind !== "move"), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), changes, steps, async (length, changes, steps) => {
      const files = FILES.map((name): Line[] => Array.from({ length }, (_, index) => ({ text: `${name} ${index}`, was: index + 1 })));
      const root = createFolder(Object.fromEntries(FILES.map((name, index) => [name, textOf(files[index])])));
      const open = () => Loaf.create({ repoPath: root, config: { relative_paths: true, "fs-guard": {} } });
      await (await open()).execute(FILES.map((path) => printBlock("r1d", { action: "file_read", path })).join("\n"));
      const oracle = new Oracle(files, files.map((lines) => shownFile("", textOf(lines)).base));
      for (const [index, { file, at, removed, added }] of changes.entries())
        files[file]?.splice(at, removed, ...Array.from({ length: added }, (_, line) => ({ text: `user ${index} ${line}` })));
      for (const [index, name] of FILES.entries()) writeFileSync(join(root, name), textOf(files[index]));
      for (const step of steps) oracle.take(step);
      const { results } = await (await open()).execute(oracle.expected.map(({ properties }, index) => printBlock(`b${index}`.padEnd(3, "x"), properties)).join("\n"));
      expect(results.map(({ success, error = "" }) => (success ? "done" : error.replace(/^file_replace_lines: .*(earlier action|base|out of bounds).*/, "refused")))).toEqual(oracle.expected.map(({ isRefused }) => (isRefused ? "refused" : "done")));
      expect(FILES.map((name) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined))).toEqual(oracle.files.map((lines) => lines && textOf(lines)));
    }),
    tries(60, 2_000),
  );
}, 600_000);

function textOf(lines: readonly Line[] | undefined): string {
  return (lines ?? []).map(({ text }) => `${text}\n`).join("");
}

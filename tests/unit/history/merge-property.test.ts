/**
 * Random runs that edit, move and make files, and random user edits in the same files. Undo leaves only the user's
 * edits, and redo restores the run's. If both touched the same or adjacent lines, undo refuses the file and keeps it.
 * LOAF_LONG=yes tries 2,000 times.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { journalFolder } from "../../../src/history/turn.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";
import { isLong, tries } from "../../support/tries.ts";

beforeEach(() => void vi.stubEnv("XDG_STATE_HOME", createFolder()));

/** A line is deleted, gets others inserted before it, or is replaced. */
const edit = fc.constantFrom("delete", "insert", "replace");
const line = fc.record({ who: fc.constantFrom("run", "user", "nobody", "nobody"), edit });
const file = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
  ending: fc.constantFrom("\n", "\r\n"),
  endsWithNewline: fc.boolean(),
  start: fc.constantFrom("", "\uFEFF"),
  isMoved: fc.boolean(),
  isModeChanged: fc.boolean(),
  /** The user edits the same line as the run, or an adjacent one. */
  clash: fc.constantFrom("none", "none", "none", "same", "above", "below"),
});
type File = typeof file extends fc.Arbitrary<infer Value> ? Value : never;

test("undo leaves just the user's edits; a file stays whole if they touch the run's lines", { timeout: isLong ? 3_600_000 : 60_000 }, async () => {
  const told = { merged: 0, refused: 0, moved: 0 };
  const law = fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 3 }), async (files) => {
    const plans = files.map(planOf);
    const root = createFolder(Object.fromEntries(plans.map(({ path, text }) => [path, text])));
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, gitCommit: false });
    const blocks = [...plans.flatMap(({ blocks: own }) => own), printBlock("abc", { action: "file_write", path: "made/new", content: "new" })];
    const { results, success } = await loaf.execute(blocks.join("\n"));
    expect([success, results.filter((one) => !one.success)]).toEqual([true, []]);
    for (const { place, edits, mode } of plans) {
      writeFileSync(join(root, place), edits.reduce((text, [from, to]) => replaceOnce(text, from, to), readFileSync(join(root, place), "utf8")));
      if (mode !== undefined) chmodSync(join(root, place), mode);
    }
    const edited = snapshot(root);

    const { runs: [undone] } = await loaf.undo();
    const refused = plans.filter(({ clashes }) => clashes);
    expect(undone?.refused.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual(refused.map(({ place }) => ({ path: join(root, place), reason: "it has changed since" })).toSorted((one, other) => (one.path < other.path ? -1 : 1)));
    for (const { path, place, text, edits, clashes, mode } of plans) {
      const now = snapshot(root);
      if (clashes) expect(now[place]).toBe(edited[place]);
      else expect(now[path]).toBe(`${(mode ?? 0o644).toString(8)} ${Buffer.from(edits.reduce((all, [from, to]) => replaceOnce(all, from, to), text)).toString("latin1")}`);
      if (clashes) told.refused += 1;
      else if (edits.length > 0) told[path === place ? "merged" : "moved"] += 1;
    }
    expect(Object.keys(snapshot(root)).filter((name) => name !== "moved").toSorted()).toEqual(plans.map(({ path, place, clashes }) => (clashes ? place : path)).toSorted());

    const left = snapshot(root);
    const redone = await loaf.redo();
    expect(redone.runs.map((one) => one.refused)).toEqual([[]]);
    expect(snapshot(root)).toEqual(edited);
    await loaf.undo();
    expect(snapshot(root)).toEqual(left);
    for (const folder of [root, dirname(journalFolder(root))]) rmSync(folder, { recursive: true });
  });
  await Promise.all([0, 1].map((part) => fc.assert(law, tries(40, 1_000, part))));
  expect(Math.min(told.merged, told.refused, told.moved)).toBeGreaterThan(10);
});

interface Plan {
  readonly path: string;
  /** Its path after the run. */
  readonly place: string;
  readonly text: string;
  readonly blocks: readonly string[];
  /** The user's edits. */
  readonly edits: ReadonlyArray<readonly [from: string, to: string]>;
  readonly mode: number | undefined;
  /** User and run edit the same or adjacent lines. */
  readonly clashes: boolean;
}

function planOf({ lines, ending, endsWithNewline, start, isMoved, isModeChanged, clash }: File, index: number): Plan {
  const path = `f${index}`;
  const place = isMoved ? `moved/f${index}` : path;
  // An unchanged line separates the lines of user and run.
  const apart = lines.flatMap((one, at) => (one.who !== "nobody" && at > 0 && lines[at - 1]?.who !== one.who ? [{ ...one, who: "nobody" }, one] : [one]));
  const all = [{ who: "nobody", edit: "replace" }, { who: "nobody", edit: "replace" }, ...apart, { who: "nobody", edit: "replace" }, { who: "nobody", edit: "replace" }] as const;
  const names = all.map((_, at) => `line ${at}.`);
  const text = start + names.join(ending) + (endsWithNewline ? ending : "");
  const [runs, users]: [number[], number[]] = [[], []];
  for (const [at, { who }] of all.entries()) if (who !== "nobody") (who === "run" ? runs : users).push(at);
  const blocks = runs.map((at) => {
    const [from, to] = changeOf(names[at] as string, all[at]?.edit ?? "", "run's", "\n");
    return printBlock("abc", { action: "file_replace_text", path, old_text: from, new_text: to });
  });
  const edits = users.map((at) => changeOf(names[at] as string, all[at]?.edit ?? "", "user's", ending));
  const clashing = runs.find((at) => all[at]?.edit === "replace");
  if (clash !== "none" && clashing !== undefined) {
    const beside = clash === "same" ? `run's 0 of ${names[clashing]}` : (names[clashing + (clash === "above" ? -1 : 1)] as string);
    if (clash === "same" || all[clashing + (clash === "above" ? -1 : 1)]?.who === "nobody") edits.push([beside, `mine ${beside}`]);
  }
  const moves = isMoved ? [printBlock("abc", { action: "file_move", old_path: path, new_path: place })] : [];
  return { path, place, text, blocks: [...blocks, ...moves], edits, mode: isModeChanged ? 0o755 : undefined, clashes: edits.length > users.length };
}

/** A line's name occurs once in the text. */
function changeOf(name: string, kind: string, whose: string, ending: string): readonly [from: string, to: string] {
  const added = [0, 1].map((one) => `${whose} ${one} of ${name}`);
  if (kind === "insert") return [name, [...added, name].join(ending)];
  return kind === "replace" ? [name, added.join(ending)] : [`${name}${ending}`, ""];
}

function replaceOnce(text: string, from: string, to: string): string {
  expect(text.split(from).length).toBeGreaterThan(1);
  return text.replace(from, () => to);
}

/** Laws of the pipeline: whatever an answer holds, each way through it tells and does the same. */
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ActionResult, type Change, type ExecutionResult, fullReport, type LineCounts, Loaf, type LoafOptions, type ParseError, type Previewed, type Progress, summaryReport, unifiedDiff } from "../../src/index.ts";
import { outcomeLine } from "../../src/report/outcome.ts";
import { dryRunReport } from "../../src/report/chat.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../support/folder.ts";
import { freeTries } from "../support/tries.ts";
import { type Answer, answer, path, print, text, type Tree, treeOf } from "./random-answers.ts";

const FILES = { "a.txt": "one\ntwo\n", "b.txt": "three\n", "sub/a.txt": "one\nfour\n" };
const SYNTAXES = ["nesl", "csl", "replacer", "patch", "search-replace", "tool-calls", "unified-diff", "whole-file", "lazy", "plain"] as const;
const CONFIG = { relative_paths: true, syntaxes: [...SYNTAXES] };

/** Syntaxes that run because the settings name them. */
const FENCED: Readonly<Record<string, (file: string, content: string) => string>> = {
  "whole-file": (file, content) => `### ${file}\n\n\`\`\`\n${content}\`\`\``,
  lazy: (file, content) => `### ${file}\n\n\`\`\`\n${content}// ... existing code ...\n\`\`\``,
  plain: (file, content) => `In \`${file}\`, replace \`one\` with \`${content.split("\n")[0]}!\`.`,
};
const fenced = fc.tuple(fc.constantFrom(...Object.values(FENCED)), path, text).map(([written, file, content]) => written(file, content));
const reading = fc.constantFrom(printBlock("rd1", { action: "file_read", path: "a.txt" }), printBlock("rn2", { action: "files_read", paths: "a.txt\nb.txt" }), printBlock("gr3", { action: "grep", pattern: "o", path: "." }));
const damaged = fc.tuple(answer, fc.nat(), fc.constantFrom("", "#!nesl [@three-char-SHA-256: x]", "<---END--->", "*** End Patch", "```")).map(([one, at, line]) => {
  const lines = print(one).split("\n");
  return lines.with(at % lines.length, line).join("\n");
});
const stray = fc.constantFrom("Run this:\n\n```sh\nnpm install zod\n```", "For example:\n\n```ts\nfoo();\n```", printBlock("no1", { action: "no_such" }));
const parts = [{ weight: 4, arbitrary: answer.map(print) }, ...[fenced, reading, stray].map((arbitrary) => ({ weight: 1, arbitrary }))];
const answerOf = (kinds: typeof parts) => fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 3 }).map((some) => ["I do it.", ...some, "Done.\n"].join("\n\n"));
/** An answer in one syntax or several, with prose, and with what no block reads. */
const sound = answerOf(parts);
/** The same, now and then with damage inside its blocks. */
const mixed = answerOf([...parts, { weight: 1, arbitrary: damaged }]);

interface Ran {
  readonly root: string;
  readonly loaf: Loaf;
  readonly result: ExecutionResult;
}

async function ran(given: string | AsyncIterable<string>, options: LoafOptions = {}, files: Readonly<Record<string, string>> = FILES): Promise<Ran> {
  const root = createFolder(files);
  const loaf = await Loaf.create({ repoPath: root, config: CONFIG, gitCommit: false, ...options });
  return { root, loaf, result: await loaf.execute(given) };
}

/** Without what names the folder of a try. */
const told = <Value>(value: Value, root: string): Value => JSON.parse(JSON.stringify(value).replaceAll(root, "/root")) as Value;

test("an answer in pieces does and tells what it does as a whole", async () => {
  const seen = { done: 0, failed: 0 };
  await fc.assert(
    fc.asyncProperty(mixed, fc.array(fc.nat(), { maxLength: 6 }), async (given, cuts) => {
      const places = [0, ...cuts.map((cut) => cut % given.length).sort((one, other) => one - other), given.length];
      async function* pieces(): AsyncGenerator<string> {
        for (const [index, end] of places.entries()) yield given.slice(places[index - 1] ?? 0, end);
      }
      const [whole, cut] = [await ran(given), await ran(pieces())];
      expect(byLine(told(cut.result, cut.root))).toEqual(byLine(told(whole.result, whole.root)));
      expect(treeOf(cut.root)).toEqual(treeOf(whole.root));
      for (const { success } of whole.result.results) seen[success ? "done" : "failed"] += 1;
    }),
    freeTries(50, 3_000),
  );
  expect(Math.min(seen.done, seen.failed)).toBeGreaterThan(5);
});

/** NESL runs as it arrives, and the other syntaxes at the end: the order of such a text is another. */
function byLine({ results, parseErrors, ...result }: ExecutionResult): unknown {
  const sorted = <Item extends { readonly blockStartLine: number }>(items: readonly Item[]): Item[] => items.toSorted((one, other) => one.blockStartLine - other.blockStartLine);
  return { ...result, results: sorted(results).map((one) => ({ ...one, seq: 0 })), parseErrors: sorted(parseErrors) };
}

test("a preview tells what a run then does, and a dry run has the same diff", async () => {
  await fc.assert(
    fc.asyncProperty(mixed, async (given) => {
      const { root, loaf: dry, result: expected } = await ran(given, { dryRun: true });
      const diff = unifiedDiff(dry.changes(), root);
      const loaf = await Loaf.create({ repoPath: root, config: CONFIG, gitCommit: false });
      const items: Previewed[] = [];
      const refusal = await (async () => {
        for await (const item of loaf.preview(given)) items.push(item);
      })().catch((thrown: Error) => thrown.message);
      expect(treeOf(root)).toEqual(new Map(Object.entries(FILES)));
      const result = await loaf.execute(given);
      expect(items.flatMap(({ result: one }) => (one === undefined ? [] : withoutTags(one)))).toEqual(result.results.map(withoutTags));
      expect(refusal).toBe(result.fatalError);
      expect(items.flatMap(({ errors = [] }) => errors)).toEqual(result.parseErrors.filter((one) => !isOfSyntax(one)));
      expect(treeAfter(items.flatMap(({ changes }) => changes), root)).toEqual(treeOf(root));
      const { run: _, modifiedFiles: files, ...others } = result;
      expect({ ...expected, dryRun: undefined }).toEqual({ ...others, ...(files && expected.modifiedFiles && { modifiedFiles: files }), dryRun: undefined });
      const changes = result.run === undefined ? [] : (await loaf.changesOf(result.run))?.changes;
      expect(diff).toBe(unifiedDiff(changes ?? [], root));
    }),
    freeTries(50, 3_000),
  );
});

/** Why no block of a syntax runs. It is told at the end, since a text in pieces shows it only there. */
function isOfSyntax({ action, operation }: ParseError): boolean {
  return action === undefined && operation !== undefined;
}

/** Tags of shown files come at the end of a run. */
function withoutTags(result: ActionResult): Partial<ActionResult> {
  return { ...result, bases: {} };
}

function treeAfter(changes: readonly Change[], root: string): Tree {
  const tree = new Map<string, string>(Object.entries(FILES));
  for (const { path: file, movedFrom, after } of changes) {
    if (movedFrom !== undefined) tree.delete(movedFrom.slice(root.length + 1));
    const name = file.slice(root.length + 1);
    if (after === undefined) tree.delete(name);
    else if (after.kind === "file") tree.set(name, Buffer.from(after.bytes ?? "").toString());
  }
  return tree;
}

test("events come in the order of the answer, and the last of each action is its result", async () => {
  await fc.assert(
    fc.asyncProperty(sound, async (given) => {
      const events: Progress[] = [];
      const root = createFolder(FILES);
      const loaf = await Loaf.create({ repoPath: root, config: CONFIG, gitCommit: false });
      const { results, parseErrors, findings = [], fatalError } = await loaf.execute(given, { onProgress: (event) => void events.push(event) });
      const ended = events.flatMap((event) => (event.kind === "ended" ? [event.result] : []));
      expect([...new Map(ended.map((one) => [one.seq, one])).values()].map(withoutTags)).toEqual(results.map(withoutTags));
      expect([...new Set(ended.map(({ seq }) => seq))]).toEqual(results.map((_, index) => index + 1));
      expect(events.flatMap((event) => (event.kind === "finding" ? [event.finding] : []))).toEqual(fatalError === undefined ? findings : []);
      expect(events.flatMap((event) => (event.kind === "invalid" ? event.errors : []))).toEqual(fatalError === undefined ? parseErrors : []);
      const first = new Set<number>();
      const lines = events.flatMap((event, index) => {
        if (event.kind === "finding") return [event.finding.line];
        if (event.kind === "invalid") return event.errors.slice(0, 1).filter((one) => !isOfSyntax(one)).map(({ blockStartLine }) => blockStartLine);
        if (event.kind !== "ended" || first.has(event.result.seq)) return [];
        first.add(event.result.seq);
        expect(events[index - 1]).toMatchObject({ kind: "started", action: { seq: event.result.seq } });
        return [event.result.blockStartLine];
      });
      expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    }),
    freeTries(50, 3_000),
  );
});

test("the lines that a run tells of are those that git counts", async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 3 }), async (answers) => {
      const root = createFolder({});
      const [before, now] = [join(root, "before"), join(root, "now")];
      cpSync(createFolder(FILES), now, { recursive: true });
      cpSync(now, before, { recursive: true });
      const loaf = await Loaf.create({ repoPath: now, config: CONFIG, gitCommit: false });
      const counts: LineCounts[] = [];
      const given = answers.map((one: Answer) => print(one)).join("\n\n");
      const result = await loaf.execute(given, { onProgress: (event) => void (event.kind === "ended" && counts.push(event.lines ?? { added: 0, removed: 0 })) });
      const changes = (await loaf.changesOf(result.run ?? -1))?.changes ?? [];
      const said = outcomeLine(result, { changes, undo: "" }, { width: 80, paint: (_, shown) => shown });
      const diff = unifiedDiff(changes, now).split("\n");
      const { stdout } = spawnSync("git", ["diff", "--no-index", "--numstat", "--minimal", "-M100%", "before", "now"], { cwd: root, encoding: "utf8" });
      const [added, removed] = [1, 2].map((column) => stdout.split("\n").reduce((sum, line) => sum + Number(line.split("\t")[column - 1] || 0), 0));
      const counted = ["+", "−"].map((sign) => Number(said.split(sign)[1]?.match(/^\d+/)?.[0] ?? 0));
      expect(counted, `${stdout}${said}`).toEqual([added, removed]);
      expect(["+", "-"].map((sign) => diff.filter((line) => line.startsWith(sign) && !/^(?:\+\+\+|---) /.test(line)).length)).toEqual([added, removed]);
      if (result.results.length === 1 && counts.length === 1 && result.results[0]?.success && result.results[0].action !== "file_move")
        expect(counts).toEqual([{ added, removed }]);
      most = Math.max(most, added ?? 0);
    }),
    freeTries(50, 2_000),
  );
  expect(most).toBeGreaterThan(3);
});

test("a report holds no block, whatever the files and the answer hold", async () => {
  await fc.assert(
    fc.asyncProperty(mixed, fc.array(mixed, { minLength: 2, maxLength: 2 }), async (given, [one = "", other = ""]) => {
      const { root, loaf, result } = await ran(given, {}, { "a.txt": one, "b.txt": `two\n${other}` });
      const dry = await ran(given, { dryRun: true }, { "a.txt": one, "b.txt": `two\n${other}` });
      const reports = [fullReport(result, loaf), summaryReport(result), dryRunReport(dry.result, unifiedDiff(dry.loaf.changes(), dry.root))];
      const tree = treeOf(root);
      for (const report of reports)
        for (const pasted of [report, `This is the report:\n\n${report}\n\nThank you.\n`]) expect(await loaf.execute(pasted), pasted).toMatchObject({ totalBlocks: 0, results: [], parseErrors: [] });
      expect(treeOf(root)).toEqual(tree);
    }),
    freeTries(50, 3_000),
  );
});

test("the same change for another path is another edit", async () => {
  const files = fc.uniqueArray(path, { minLength: 2, maxLength: 2 });
  const change = fc.oneof(
    { weight: 3, arbitrary: answer.filter(({ edits }) => edits.length === 1 && edits[0]?.kind !== "move").map((one) => (file: string) => print({ ...one, edits: one.edits.map((each) => ({ ...each, path: file as typeof each.path })) })) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...Object.values(FENCED)), text).map(([written, content]) => (file: string) => written(file, content)) },
  );
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(files, change, async ([first = "", second = ""], written) => {
      const same = "one\ntwo\nthree\n";
      const { root, loaf, result } = await ran(written(first), {}, { "a.txt": same, "b.txt": same, "sub/a.txt": same });
      fc.pre(result.success && result.modifiedFiles !== undefined);
      const hashes = [first, second].map((file) => loaf.items(written(file)).items.map(({ hash }) => hash));
      expect(hashes[0]?.filter((hash) => hashes[1]?.includes(hash))).toEqual([]);
      expect((await loaf.execute(written(second), { skipApplied: true })).results.map(({ appliedIn }) => appliedIn)).toEqual(result.results.map(() => undefined));
      expect(treeOf(root).get(second)).toBe(treeOf(root).get(first));
      applied += (await loaf.execute(written(second), { skipApplied: true })).results.filter(({ appliedIn }) => appliedIn !== undefined).length;
    }),
    freeTries(50, 3_000),
  );
  expect(applied).toBeGreaterThan(5);
});

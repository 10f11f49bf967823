/** The law about refusals: each covers what it names and everything below it, for every action and for commands. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ActionResult } from "../../../src/core/outcome.ts";
import { Loaf } from "../../../src/loaf.ts";
import { hasSandbox } from "../../support/programs.ts";
import { createFolder } from "../../support/folder.ts";
import { block } from "../../support/nesl-block.ts";
import "../../support/state-folder.ts";
import { tries } from "../../support/tries.ts";

const name = fc.constantFrom("a", "b", "docs", "secret", "secret-1", "priv-x", "x.k", "a.txt", "[z]");
const file = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => [...names, "f.txt"].join("/"));
const tree = fc.uniqueArray(file, { minLength: 1, maxLength: 8 });

const segment = fc.oneof({ weight: 3, arbitrary: name }, fc.constantFrom("**", "*", "?", "priv-**", "secret-*", "*.k", "s*t", "f.txt", "a?txt"));
const pattern = fc.record({
  start: fc.constantFrom("", "", "", "./", "ROOT/", "**/"),
  segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom("", "", "/", "/**"),
}).map(({ start, segments, end }) => `${start}${segments.join("/")}${end}`);

/** What may name a part of a path in the tree: most rules drawn without it match nothing there. */
const patternOf = (files: readonly string[]) =>
  fc.record({
    names: fc.constantFrom(...files).map((path) => path.split("/")),
    from: fc.nat({ max: 2 }),
    length: fc.integer({ min: 1, max: 3 }),
    blurs: fc.array(fc.constantFrom("", "", "", "", "*", "first", "last", "?", "**"), { minLength: 3, maxLength: 3 }),
    start: fc.constantFrom("", "", "./", "ROOT/", "**/"),
    end: fc.constantFrom("", "", "/", "/**"),
  }).map(({ names, from, length, blurs, start, end }) => {
    const part = names.slice(from, from + length).map((one, index) => blurred(one, blurs[index] ?? ""));
    return `${start}${part.length === 0 ? "f.txt" : part.join("/")}${end}`;
  });

function blurred(one: string, blur: string): string {
  if (blur === "first") return `${one.slice(0, 1)}*`;
  if (blur === "last") return `*${one.slice(-1)}`;
  if (blur === "?") return `${one.slice(0, -1)}?`;
  return blur === "" ? one : blur;
}

/** Written apart from the guard: one regular expression over the path from the root, for what the pattern names. */
function expression(written: string): RegExp {
  let text = written;
  while (/\/(\*\*)?$/.test(text)) text = text.replace(/\/(\*\*)?$/, "");
  const named = text.replace(/^(\.|ROOT)(\/|$)/, "");
  const isFromRoot = text.includes("/") || named === "";
  const source = named
    .split("/")
    .filter((part) => part !== "")
    .map((part) => (part === "**" ? "(?:[^/]+/)*" : `${part.replace(/[\\^$.|+()[\]{}]/g, "\\$&").replace(/\*+/g, "[^/]*").replace(/\?/g, "[^/]")}/`))
    .join("");
  return new RegExp(`^${isFromRoot ? "" : "(?:[^/]+/)*"}${source}$`);
}

function isRefused(path: string, patterns: readonly string[]): boolean {
  const names = path === "" ? [] : path.split("/");
  const above = names.map((_, index) => `${names.slice(0, index + 1).join("/")}/`);
  return patterns.some((one) => ["", ...above].some((each) => [each, ...(reachesOut(one) ? [ABOVE + each] : [])].some((from) => expression(one).test(from))));
}

/** A refusal that begins with `**` holds outside the root as well, so that what it names may begin there. */
function reachesOut(pattern: string): boolean {
  return pattern.startsWith("**/") && pattern.split("/").some((part) => /[^*?]/.test(part));
}

/** Folders that only wildcards name. */
const ABOVE = "==/==/==/";

async function check(files: readonly string[], patterns: readonly string[]): Promise<void> {
  const folder = createFolder();
  // No rule drawn here names this.
  const root = join(folder, "=project=");
  mkdirSync(root);
  try {
    for (const path of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `needle ${path}\n`);
    }
    const denied = patterns.map((one) => one.replace(/^ROOT/, root));
    const folders = [...new Set(["", ...files.flatMap((path) => path.split("/").slice(0, -1).map((_, index, names) => names.slice(0, index + 1).join("/")))])];
    const created = files.map((path) => join(dirname(path), "new.txt"));
    const runs = [
      ...files.map((path) => ({ of: path, isRefused: isRefused(path, patterns), fields: { action: "file_read", path: join(root, path) } })),
      ...created.map((path) => ({ of: path, isRefused: isRefused(path, patterns), fields: { action: "file_write", path: join(root, path), content: "new" } })),
      ...folders.map((path) => ({ of: path, isRefused: isRefused(path, patterns), fields: { action: "ls", path: join(root, path) } })),
      { of: "grep", isRefused: isRefused("", patterns), fields: { action: "grep", pattern: "needle", path: root } },
      { of: "glob", isRefused: isRefused("", patterns), fields: { action: "glob", pattern: "**/f.txt", base_path: root } },
      ...(hasSandbox && !isRefused("", patterns) ? [{ of: "exec", isRefused: false, fields: { action: "exec", lang: "bash", code: "find . -name f.txt -exec cat {} + ; true" } }] : []),
    ];
    const loaf = await Loaf.create({ repoPath: root, config: { "fs-guard": { denied } }, gitCommit: false });
    const { results, parseErrors } = await loaf.execute(runs.map(({ fields }) => block(fields)).join("\n"));
    expect(parseErrors).toEqual([]);
    const verdicts = runs.map(({ of, fields }, index) => [fields.action, of, results[index]?.code === "guard/denied"]);
    expect(verdicts).toEqual(runs.map((one) => [one.fields.action, one.of, one.isRefused]));
    const open = files.filter((path) => !isRefused(path, patterns)).toSorted();
    const seen = (action: string): ActionResult | undefined => results.find((one) => one.action === action && one.success);
    if (!isRefused("", patterns)) {
      expect(pathsOf(seen("grep")?.data, root)).toEqual(open);
      expect(pathsOf(seen("glob")?.data, root)).toEqual(open);
    }
    for (const [index, { fields, of }] of runs.entries()) {
      if (fields.action !== "ls" || results[index]?.success !== true) continue;
      const shown = (results[index].data as Array<{ name: string }>).map((entry) => entry.name);
      expect([of, shown.filter((entry) => isRefused(of === "" ? entry : `${of}/${entry}`, patterns))]).toEqual([of, []]);
    }
    if (runs.at(-1)?.of === "exec") {
      const { stdout } = (results.at(-1)?.data ?? {}) as { stdout?: string };
      expect(stdout?.split("\n").filter((line) => line.startsWith("needle")).map((line) => line.slice(7)).toSorted()).toEqual(open);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of what grep and glob have found. */
function pathsOf(data: unknown, root: string): string[] {
  if (!Array.isArray(data)) throw new Error("nothing was found out");
  const found = data as Array<string | { readonly file: string }>;
  return [...new Set(found.map((one) => relative(root, typeof one === "string" ? one : one.file)))].toSorted();
}

test("a refusal covers what it names and everything below it, and nothing else", { timeout: 3_600_000 }, async () => {
  const told = { partly: 0, rootRefused: 0 };
  const some = tree.chain((files) => fc.tuple(fc.constant(files), fc.array(fc.oneof(pattern, patternOf(files)), { minLength: 1, maxLength: 3 })));
  const law = fc.asyncProperty(some, async ([files, patterns]) => {
    await check(files, patterns);
    const refused = files.filter((path) => isRefused(path, patterns));
    if (isRefused("", patterns)) told.rootRefused += 1;
    else if (refused.length > 0 && refused.length < files.length) told.partly += 1;
  });
  // Two at a time, since part of it is waiting.
  const parts = [0, 1].map((part) => tries(8, 1_000, part));
  await Promise.all(parts.map((part) => fc.assert(law, part)));
  // The law was put to the test.
  const [{ numRuns }] = parts as [{ numRuns: number }];
  expect(told.partly).toBeGreaterThan(numRuns / 2);
  expect(told.rootRefused).toBeLessThan(numRuns / 2);
});

test.each(["secrets", "secrets/", "secrets/**", "./secrets", "**/secrets", "priv-**", "docs/*", "secret-*", "ROOT/folder", "**", "*", "ROOT/*/a", "./**", "ROOT/**", "?", "?*", "**/??", "**/*/open"])("98: %s", async (one) => {
  await check(["secrets/a/f.txt", "sub/secrets/f.txt", "priv-1/f.txt", "docs/a/f.txt", "secret-2/a/f.txt", "folder/f.txt", "open/f.txt", "open/b/f.txt", "open/b/bb/f.txt"], [one]);
});

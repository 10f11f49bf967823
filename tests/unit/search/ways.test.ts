/** Checks that searches with and without ripgrep agree, also with changes that are not on the disk yet. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { soughtText } from "../../../src/search/line-finder.ts";
import { hitsOfRipgrep } from "../../../src/search/ripgrep.ts";
import { openProject, ripgrep } from "./project.ts";

const names = ["a", "b", "a-b", "d", "e", "x.log", "keep.log", "\n", "é", " a", "[x", "{a,b}", ".hidden", ".env", "#x", "!x", "a ", "-v", "node_modules", "*"];
const name = fc.constantFrom(...names);
const path = fc.array(name, { minLength: 1, maxLength: 4 });
const content = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom("needle", "x needle y", "nothing", "", "NEEDLE", "né needle 😀", "needle\r"), { maxLength: 4 }).map((lines) => Buffer.from(lines.join("\n"))) },
  fc.constantFrom(
    Buffer.from("\ufeffneedle\r\nneedle"),
    Buffer.from("needle\0"),
    Buffer.from([0xe9, 0x0a, ...Buffer.from("needle \xe9", "latin1")]),
    Buffer.from("needle", "utf16le"),
    Buffer.concat([Buffer.from("\ufeff", "utf16le"), Buffer.from("needle", "utf16le")]),
    Buffer.from(`${"long ".repeat(400)}needle${" tail".repeat(30_000)}needle\nneedle`),
    Buffer.from(`needle\n${"z".repeat(200_000)}\0`),
    Buffer.from(`${"z".repeat(65_533)}needle\n`),
  ),
);
// Braces are alternatives in ripgrep, but literal in git.
const ignorePart = fc.constantFrom(...names, "{a,e}", "**", "*.log", "a*", "?", "[ab]", "[!a]", "[^a]", "[a-c]", "\\a", "a\\ ", "\\#x", "*a*b", "a**b", "[", "[]a]", "x[", "**a");
const ignoreLine = fc.tuple(fc.constantFrom("", "", "", "!", "#", "\\!"), fc.constantFrom("", "", "/"), fc.array(ignorePart, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "", "", "/", " ", "  ", "\t", "\u00a0", "\r", "/ "))
  .map(([sign, slash, parts, end]) => sign + slash + parts.join("/") + end);
const ignoreFile = fc.oneof(
  { weight: 6, arbitrary: fc.array(ignoreLine, { minLength: 1, maxLength: 5 }).map((lines) => Buffer.from(lines.join("\n"))) },
  fc.constantFrom(Buffer.from("\ufeffa\n"), Buffer.from([0x61, 0x0a, 0xff, 0x0a, 0x21, 0x61, 0x0a, 0x62])),
);
const tree = fc.record({
  files: fc.array(fc.tuple(path, content), { minLength: 1, maxLength: 12 }),
  ignores: fc.array(fc.tuple(fc.array(name, { maxLength: 2 }), fc.constantFrom(".gitignore", ".gitignore", ".gitignore", ".ignore", ".rgignore", ".git/info/exclude"), ignoreFile), { maxLength: 3 }),
  links: fc.array(fc.tuple(path, fc.constantFrom("a", "../a", "..", "/etc/passwd", ".gitignore")), { maxLength: 2 }),
});
type RandomTree = typeof tree extends fc.Arbitrary<infer T> ? T : never;

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loaf-ways-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function plant(root: string, { files, ignores, links }: RandomTree): void {
  rmSync(root, { recursive: true, force: true });
  put(join(root, "z", "z"), (file) => writeFileSync(file, ""));
  for (const [at, bytes] of files) put(join(root, ...at), (file) => writeFileSync(file, bytes));
  for (const [at, file, bytes] of ignores) put(join(root, ...at, file), (file) => writeFileSync(file, bytes));
  for (const [at, target] of links) put(join(root, ...at), (file) => symlinkSync(target, file));
}

/** Skips paths where something else exists already. */
function put(file: string, make: (file: string) => void): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    make(file);
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
  }
}

test("finds ripgrep, without which this tests nothing", () => {
  expect(ripgrep).toBeDefined();
  expect(execFileSync(ripgrep ?? "", ["--version"], { encoding: "utf8" })).toMatch(/^ripgrep 1\d/);
});

test("finds the same with and without ripgrep", async () => {
  const root = join(folder, "project");
  let [runs, answered, found, ignored] = [0, 0, 0, 0];
  await fc.assert(
    fc.asyncProperty(tree, fc.constantFrom("", "", "", "a", "d", "a/d"), fc.constantFrom(undefined, "*.log", "a", "**/b"), async (random, below, include) => {
      plant(root, random);
      const query = { pattern: "needle", path: join(root, below), include };
      const answer = async (program: string | undefined) => {
        try {
          return await openProject(root, program).search.grep(query);
        } catch (thrown) {
          return String(thrown);
        }
      };
      const [withIt, without] = [await answer(ripgrep), await answer(undefined)];
      if (typeof without !== "string") found += without.matches.length;
      ignored += random.ignores.length;
      runs += 1;
      answered += (await hitsOfRipgrep({ program: ripgrep ?? "", sought: soughtText("needle"), directory: root, ignoreFiles: [], from: root, timeout: 60_000 })) === undefined ? 0 : 1;
      expect(withIt).toEqual(without);
    }),
    { numRuns: 150 },
  );
  // Without hits, or if ripgrep always failed, the results would agree too. It is not used if an ignore file has braces.
  expect(answered / runs).toBeGreaterThan(0.6);
  expect(found).toBeGreaterThan(50);
  expect(ignored).toBeGreaterThan(20);
}, 180_000);

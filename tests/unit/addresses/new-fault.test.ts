import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { languageOf } from "../../../src/addresses/languages.ts";
import { newFault } from "../../../src/addresses/new-fault.ts";

async function faultOf(file: string, before: string | undefined, after: string): Promise<string | undefined> {
  const language = languageOf(file);
  if (language === undefined) throw new Error(`no language for ${file}`);
  await language.load();
  const fault = newFault(language, before, after);
  return fault && `line ${fault.line}: ${fault.problem}`;
}

describe("what an edit breaks is named with its line", () => {
  test.each([
    ["a.ts", "const a = [1, 2];\n", "const a = [1, 2;\n", "line 1: `]` is missing for this `[`"],
    ["a.ts", "a();\nb();\n", "a();\nb());\n", "line 2: `)` is extra"],
    ["a.ts", "if (a) {\n  b();\n}\n", "if (a) \n  b();\n}\n", "line 1: `{` is missing"],
    ["a.ts", "const o = { a: 1, b: 2 };\n", "const o = { a: 1 b: 2 };\n", "line 1: `const o = { a: 1 b: 2 };` is not valid here"],
    ["a.tsx", "const a = <p>{b}</p>;\n", "const a = <p>{b</p>;\n", "line 1: `}` is missing for this `{`"],
    ["a.js", "f(`a`);\n", "f(`a);\n", "line 1: `f(`a);` is not valid here"],
    ["a.py", "def f(a):\n    return a\n", "def f(a):\n    b = 1\n      return a\n", "line 3: the indentation does not match"],
    ["a.py", "x = {'a': 1}\n", "x = {'a': 1\n", "line 1: `}` is missing for this `{`"],
    ["a.go", "package a\n\nfunc f() {\n\tg()\n}\n", "package a\n\nfunc f() {\n\tg()\n", "line 4: `}` is missing"],
    ["a.rs", "fn f() -> u8 {\n    let x = 1;\n    x\n}\n", "fn f() -> u8 {\n    let x = 1\n    x\n}\n", "line 2: `;` is missing"],
    ["a.rb", "def f\n  1\nend\n", "def f\n  1\n", "line 2: `1` is not valid here"],
    ["a.php", "<?php\nfunction f() { return 1; }\n", "<?php\nfunction f() { return 1;\n", "line 2: `}` is missing for this `{`"],
    ["a.css", "a { color: red; }\n", "a { color: red; } }\n", "line 1: `}` is extra"],
    ["a.c", "int f(void) {\n  return 1;\n}\n", "int f(void) {\n  return 1\n}\n", "line 2: `;` is missing"],
    ["a.json", '{"a": [1, 2]}\n', '{"a": [1, 2}\n', "line 1: `]` is missing for this `[`"],
    ["a.yml", "a: 1\nb: [1, 2]\n", "a: 1\nb: [1, 2\n", "line 3: Flow sequence in block collection must be sufficiently indented and end with a ]"],
  ])("%s: %j to %j", async (file, before, after, expected) => {
    expect(await faultOf(file, before, before)).toBeUndefined();
    expect(await faultOf(file, before, after)).toBe(expected);
  });
});

describe("nothing is said of what may be right", () => {
  test.each([
    ["syntax that the grammar does not know, in a new file", "a.ts", undefined, 'export type * from "./b.ts";\n'],
    ["a macro in a new header", "a.h", undefined, "#ifdef A\nextern {\n#endif\nint a;\n"],
    ["a template that was one before", "a.yml", "{% if a %}\nb: 1\n", "{% if a %}\nb: [1\n"],
    ["comments in a JSON file", "tsconfig.json", "{}", "{} // none\n"],
    ["a type parameter", "a.ts", "f(a);\n", "f<A>(a satisfies B);\n"],
    ["text around PHP", "a.php", "<p>\n<?php f(); ?>\n", "<p> } {\n<?php f(); ?>\n"],
  ])("%s", async (_, file, before, after) => {
    expect(await faultOf(file, before, after)).toBeUndefined();
  });

  test("a bracket that was lost in a file with unknown syntax is named", async () => {
    const unknown = 'export type * from "./b.ts";\n';
    expect(await faultOf("a.ts", `${unknown}f(1);\n`, `${unknown}f(1;\n`)).toBe("line 2: `)` is missing for this `(`");
  });
});

/** Real sources, with a comment of their language. */
const sources = [
  { folder: "src", ending: /\.ts$/, comment: "// a comment" },
  { folder: "node_modules/zod/src", ending: /(?<!\.d)\.ts$/, comment: "// a comment" },
  { folder: "node_modules/yaml/dist", ending: /\.js$/, comment: "// a comment" },
  { folder: "node_modules/node-gyp/gyp/pylib", ending: /\.py$/, comment: "# a comment" },
].flatMap(({ folder, ending, comment }) => sampleOf(filesBelow(folder).filter((file) => ending.test(file))).map((sampled) => ({ ...sampled, comment, text: readFileSync(sampled.file, "utf8") })));

/** Changes below this size say nothing about speed, and keep the test short. */
const files = sources.filter(({ text }) => text.length > 400 && text.length < 40_000);

/**
 * Returns 120 files and two numbers for each. Both depend on nothing but the files' paths, so that a new file displaces
 * one at most and leaves the others as they were.
 */
function sampleOf(all: readonly string[]): { readonly file: string; readonly numbers: readonly [number, number] }[] {
  const numbered = all.map((file) => {
    const digest = createHash("sha256").update(file).digest();
    return { file, rank: digest.readUInt32LE(0), numbers: [digest.readUInt32LE(4), digest.readUInt32LE(8)] as const };
  });
  return numbered.sort((one, other) => one.rank - other.rank).slice(0, 120);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

test("in hundreds of real files no valid edit is told, and nine of ten lost brackets are", async () => {
  expect(files.length).toBeGreaterThan(250);
  const alarms: string[] = [];
  let [broken, told] = [0, 0];
  for (const { file, comment, text, numbers: [one, other] } of files) {
    const lines = text.split("\n");
    const blank = lines.flatMap((line, at) => (/^\s*$/.test(line) ? [at] : []));
    const at = blank[one % blank.length] ?? 0;
    const commented = lines.toSpliced(at, 0, ...(isInString(lines, at) ? [] : [comment])).join("\n");
    for (const after of [commented, `${text}\n${comment}\n`]) {
      const fault = await faultOf(file, text, after);
      if (fault !== undefined) alarms.push(`${file}: ${fault}`);
    }
    const brackets = [...text.matchAll(/[{}()[\]]/g)];
    const { index: bracket = 0 } = brackets[other % brackets.length] ?? {};
    broken += 1;
    if ((await faultOf(file, text, text.slice(0, bracket) + text.slice(bracket + 1))) !== undefined) told += 1;
  }
  expect(alarms).toEqual([]);
  // The others were in strings and comments, where they break nothing.
  expect(told / broken).toBeGreaterThan(0.9);
}, 60_000);

function isInString(lines: readonly string[], at: number): boolean {
  return lines.slice(0, at).join("\n").split(/"""|'''|`/).length % 2 === 0;
}

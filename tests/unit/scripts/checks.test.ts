/** The checks that are scripts of the project's own, on folders in which there is something to find. */
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../../src/process/run-program.ts";
import { projectRoot } from "../../support/documents.ts";
import { createFolder } from "../../support/folder.ts";

const script = (name: string, ...args: readonly string[]) => runProgram({ program: process.execPath, args: [join(projectRoot, `scripts/${name}.mjs`), ...args], timeout: 60_000 });

const lines = (count: number): string => "// a line\n".repeat(count);

describe("sizes", () => {
  const action = "export const ls = defineAction({\n";

  test("files within their limits are fine", async () => {
    const folder = createFolder({ "src/a.ts": lines(350), "src/actions/ls.ts": action + lines(59), "src/actions/define.ts": lines(61) });
    expect(await script("sizes", folder)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });

  test.each([
    ["a file", { "src/a.ts": lines(351) }, "src/a.ts has 351 lines, 1 over its limit\n"],
    ["an action", { "src/actions/ls.ts": action + lines(60) }, "src/actions/ls.ts has 61 lines, 1 over its limit\n"],
    ["a doc comment above a blank line", { "src/a.ts": "/** The file. */\n\n/**\n * A part.\n */\n\n/** One. */\nconst a = 1;\n" }, "src/a.ts:3 has a doc comment that is attached to nothing\n"],
    ["a doc comment above another", { "src/a.ts": "const a = 1;\n/** A part. */\n/** Two. */\nconst b = 2;\n" }, "src/a.ts:2 has a doc comment that is attached to nothing\n"],
  ])("%s", async (_, files, stdout) => {
    expect(await script("sizes", createFolder(files))).toMatchObject({ exitCode: 1, stdout, stderr: "" });
  });
});

describe("duplicates", () => {
  const sum = (...[name, items, total]: readonly [string, string, string]): string => `export function ${name}(${items}: readonly number[]): string {
  let ${total} = 0;
  for (const item of ${items}) {
    if (item < 0) throw new Error("below zero");
    ${total} += item * 2 + 1;
  }
  const half = Math.floor(${total} / 2);
  if (half > 100) return "much";
  if (half > 50) return "enough";
  return \`\${half} of \${${total}}\`;
}
`;

  test("what stands once is fine", async () => {
    const folder = createFolder({ "src/a.ts": sum("sum", "items", "total"), "src/b.ts": "export const answer = 42;\n" });
    expect(await script("duplicates", folder)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });

  test.each([
    ["word for word", sum("sum", "items", "total")],
    ["with other names", sum("add", "values", "result")],
  ])("what stands twice, %s", async (how, twin) => {
    const { exitCode, stdout } = await script("duplicates", createFolder({ "src/a.ts": sum("sum", "items", "total"), "src/b.ts": twin }));
    expect({ exitCode, first: stdout.split("\n")[0] }).toEqual({ exitCode: 1, first: `src/b.ts:1 repeats src/a.ts:1 (${how})` });
  });
});

describe("names", () => {
  test("a name that one file exports is fine, also where others keep theirs to themselves", async () => {
    const folder = createFolder({ "src/a.ts": "export interface Row {}\n", "src/b.ts": "interface Row {}\nexport const rows: Row[] = [];\n", "src/index.ts": 'export type { Row } from "./a.ts";\n' });
    expect(await script("names", folder)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("a name that two files export is told", async () => {
    const folder = createFolder({ "src/a.ts": "export interface Row {}\n", "src/b.ts": "export const Row = 1;\n" });
    expect(await script("names", folder)).toMatchObject({ exitCode: 1, stdout: "Row is exported by src/a.ts and src/b.ts\n", stderr: "" });
  });
});

describe("own-sentences", () => {
  const page = "~~~~text\nfile/exists   The file already exists: {path}\n~~~~\n";

  test("what src looks for in other texts is fine, and so is a sentence that it says", async () => {
    const source = 'export const says = "The file already exists";\nexport const isTold = (text: string) => /^fatal: not a git/.test(text) || text.includes("already");\n';
    expect(await script("own-sentences", createFolder({ "docs/messages.md": page, "src/report/a.ts": source }))).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });

  test.each([
    ["a pattern", "/already exists/.test(text)"],
    ["a text", 'text.startsWith("file/exists   The file already")'],
  ])("one that is looked for is told: %s", async (_, look) => {
    const folder = createFolder({ "docs/messages.md": page, "src/report/a.ts": `export const isTold = (text: string) => ${look};\n` });
    expect(await script("own-sentences", folder)).toMatchObject({ exitCode: 1, stdout: "src/report/a.ts:1 looks for a sentence of Loaf's: file/exists   The file already exists: path\n", stderr: "" });
  });
});

describe("docs", () => {
  const copyOfDocuments = (): string => {
    const folder = createFolder();
    for (const path of ["README.md", "docs"]) cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
    return folder;
  };

  test("each one that is stale is named, and mended without --check", async () => {
    const folder = copyOfDocuments();
    const paths = ["README.md", "docs/actions.md", "docs/actions.schema.json", "docs/configuration.md", "docs/loaf.schema.json", "docs/messages.md", "docs/loaf.1"];
    const read = (path: string): string => readFileSync(join(folder, path), "utf8");
    const written = paths.map(read);
    for (const path of paths) writeFileSync(join(folder, path), read(path).replace(read(path).includes("<!-- generated: ") ? /(?<=<!-- generated: .*\n).+/ : /.$/m, "stale"));
    expect(await script("docs", "--check", folder)).toMatchObject({ exitCode: 1, stdout: paths.map((path) => `${path} is stale: run \`npm run docs\`\n`).join(""), stderr: "" });
    expect(await script("docs", folder)).toMatchObject({ exitCode: 0, stdout: paths.map((path) => `wrote ${path}\n`).join(""), stderr: "" });
    expect(paths.map(read)).toEqual(written);
  }, 60_000);

  test("a document that names a source which does not exist fails the check", async () => {
    const folder = copyOfDocuments();
    appendFileSync(join(folder, "docs/decisions.md"), "\nLogs are read in `journal/log.ts` and `journal/reed-log.ts`.\n");
    expect(await script("docs", "--check", folder)).toMatchObject({ exitCode: 1, stdout: "docs/decisions.md names journal/reed-log.ts, which does not exist\n", stderr: "" });
  }, 60_000);
});

describe("messages", () => {
  const sources: readonly (readonly [title: string, source: string, sentences: readonly string[]])[] = [
    ["a literal", 'throw new Error("No such run");', ["No such run"]],
    ["a value by its name", "`${count} of ${failure.path} in ${path.trim()}, ${shorten(line)}, ${String(n)}, ${a + b}`;", ["{count} of {path} in {path}, {shorten}, {n}, {…}"]],
    ["a choice", '`${count} ${count === 1 ? "file is" : `${n} files are`} gone`;', ["{count} {file is|{n} files are} gone"]],
    ["a literal inside a value", '`Added ${list([x ?? "no file at all"])} to it`;', ["Added {list} to it", "no file at all"]],
    ["a value and one word", "`${count} files`;", ["{count} files"]],
    ["several lines", "`First line\nsecond line`;", ["First line", "    second line"]],
    ["a control character", '"two\\u001bwords or more";', ["two\\u001bwords or more"]],
    ["each sentence once, in their order", 'say("so it is"); say("it is so"); say("so it is");', ["so it is", "it is so"]],
  ];

  test("lists the sentences of each file", async () => {
    const silent = 'import "./two words.ts";\nconst a: "two words" = `word` + "file/not-found" + "src/a.ts" + "\\\\b(?:add|remove) the (?:file|line)" + `${a} ${b}`;';
    const files = Object.fromEntries([...sources.map(([title, source]) => [title, source] as const), ["silent", silent] as const].map(([title, source]) => [`src/run/${title}.ts`, source]));
    const { stdout } = await script("messages", createFolder(files));
    const listed = [...stdout.matchAll(/^### run\/(.*)\.ts\n\n~~~~text\n([^]*?)\n~~~~/gm)].map(([, title = "", text = ""]) => [title, text.split("\n")]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(sources.map(([title, , sentences]) => [title, sentences])));
  });

  test("a folder that the page has no place for stops it", async () => {
    const { exitCode, stderr } = await script("messages", createFolder({ "src/dance/a.ts": 'say("so it is");' }));
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("src/dance/a.ts has no place in scripts/messages.mjs: add its folder to PLACES") });
  });
});

describe("defences", () => {
  test("the page of this project names every case, and what it takes out is there", async () => {
    expect(await script("defences", "--check")).toMatchObject({ exitCode: 0, stdout: "" });
  });

  test("what is not there any more, and a case that nothing is said about", async () => {
    const page = createFolder({ "page.md": "# Paths\n\n## 1, 2: a thing\n`src/run/run.ts`, shown by `tests/none.test.ts`\n```diff\n-no such line\n```\n" });
    const { exitCode, stdout } = await script("defences", "--check", `--page=${join(page, "page.md")}`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("says nothing about case 3\n");
    expect(stdout).toContain("1, 2: a thing (src/run/run.ts): what is to be taken out of src/run/run.ts is there 0 times:\nno such line\n");
    expect(stdout).toContain("1, 2: a thing (src/run/run.ts): there is no tests/none.test.ts\n");
  });
});

describe("bench", () => {
  test("finds in the build all that it measures", async () => {
    const { exitCode, stderr } = await runProgram({ program: process.execPath, args: [join(projectRoot, "bench/main.mjs"), "nothing"], timeout: 20_000 });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("There is no group 'nothing'. There are: parse, ")]);
  });
});

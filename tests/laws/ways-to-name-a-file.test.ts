/** How answers name the file of a fence: each way leads to that file and no other, or the fence is named as not read. */
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { filesBelow } from "../support/intake.ts";

const BEFORE = "import x from 'x';\n\nexport function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n";
const AFTER = BEFORE.replace("return 1;", "return 11;");
const OTHER = "export function one() {\n  return 3;\n}\n";
const FILES = { "src/a.ts": BEFORE, "src/b.ts": OTHER };
const BODY = "export function one() {\n  return 11;\n}";
const fence = (info = "ts", body = BODY): string => `\`\`\`${info}\n${body}\n\`\`\``;

/** What stands above a fence, or the whole text with one. */
const READ: Readonly<Record<string, string>> = {
  "the info string": fence("ts src/a.ts"), "the info string in brackets": fence("ts [src/a.ts]"), "its colon": fence("ts:src/a.ts"), "its title": fence('ts title="src/a.ts"'), "its filename": fence("ts filename=src/a.ts"),
  "its file in braces": fence('ts {file="src/a.ts"}'), "its path": fence('ts path="src/a.ts"'), "the path alone": fence("src/a.ts"),
  "a comment": fence("ts", `// src/a.ts\n${BODY}`), "a comment with filepath": fence("ts", `// filepath: src/a.ts\n${BODY}`), "a comment of a block": fence("ts", `/* src/a.ts */\n${BODY}`),
  "a comment with the change": fence("ts", `// src/a.ts - updated one()\n${BODY}`), "a comment with the place": fence("ts", `// src/a.ts (inside \`one\`)\n${BODY}`), "a link in a sentence": `In [src/a.ts](./src/a.ts), change \`one\`:\n\n${fence()}`,
  "a line": `src/a.ts\n${fence()}`, "a line and a blank one": `src/a.ts\n\n${fence()}`, "code": `\`src/a.ts\`\n${fence()}`, "bold": `**src/a.ts**\n\n${fence()}`, "italic": `*src/a.ts*\n${fence()}`,
  "a colon": `src/a.ts:\n${fence()}`, "File:": `File: src/a.ts\n${fence()}`, "FILE: in bold": `**FILE: src/a.ts**\n\n${fence()}`, "Path:": `Path: \`src/a.ts\`\n\n${fence()}`, "a link": `[src/a.ts](src/a.ts)\n${fence()}`,
  "a heading": `### src/a.ts\n\n${fence()}`, "an emoji": `### 📄 src/a.ts\n\n${fence()}`, "a step": `## Step 1: src/a.ts\n\n${fence()}`, "a step with a verb": `## Step 1: Update \`src/a.ts\`\n\n${fence()}`,
  "a kind of file": `### Modified file: \`src/a.ts\`\n\n${fence()}`, "an underlined heading": `src/a.ts\n--------\n\n${fence()}`, "lines above and below": `---\n\n**src/a.ts**\n\n---\n\n${fence()}`,
  "a number": `1. \`src/a.ts\`\n\n${fence()}`, "a bullet": `- **src/a.ts**\n\n${fence()}`, "a list with the fence in it": `1. \`src/a.ts\`\n\n   ${fence().replaceAll("\n", "\n   ")}`,
  "a tag": `<file path="src/a.ts">\n${fence()}\n</file>`, "a summary": `<details><summary>src/a.ts</summary>\n\n${fence()}\n\n</details>`, "a summary of its own": `<details>\n<summary><b>src/a.ts</b></summary>\n\n${fence()}\n\n</details>`,
  "a heading and a sentence": `### src/a.ts\n\nHere \`one\` returns eleven now.\n\n${fence()}`, "a line and a sentence": `\`src/a.ts\`\n\nIt returns eleven now.\n\n${fence()}`,
  "a sentence": `Update \`src/a.ts\`:\n\n${fence()}`, "a sentence without code": `Update src/a.ts:\n\n${fence()}`, "a sentence with the name": `Change the \`one\` function in src/a.ts to:\n\n${fence()}`,
  "a sentence below": `${fence()}\n\nSave this as \`src/a.ts\`.`, "an order below": `${fence()}\n\nPut it in \`src/a.ts\`.`, "a bare name": `In a.ts:\n\n${fence()}`,
  "the paragraph": `The bug is in \`src/a.ts\`. The function \`one\` must return 11. Here is the fixed version:\n\n${fence()}`, "the paragraph before": `I looked at \`src/a.ts\`.\n\nThe function \`one\` must return 11. Here is the fixed version:\n\n${fence()}`,
  "a dash": `\`src/a.ts\` — return eleven from \`one\`:\n\n${fence()}`, "a note": `**src/a.ts** (updated)\n\n${fence()}`, "lines": `\`src/a.ts\` (lines 3-5):\n\n${fence()}`, "an arrow": `→ src/a.ts\n\n${fence()}`,
  "brackets": `(src/a.ts)\n${fence()}`, "square brackets": `[src/a.ts]\n\n${fence()}`, "angle brackets": `<src/a.ts>\n${fence()}`, "underlines": `__src/a.ts__\n${fence()}`, "a step in bold": `**Step 2** – \`src/a.ts\`\n\n${fence()}`, "a step with a bold colon": `**Step 2:** \`src/a.ts\`\n\n${fence()}`,
  "backslashes": `### src\\a.ts\n\n${fence()}`, "a dot": `### ./src/a.ts\n\n${fence()}`, "a slash": `### /src/a.ts\n\n${fence()}`, "tildes": `### src/a.ts\n\n~~~ts\n${BODY}\n~~~`,
  "German": `Ändere in \`src/a.ts\` die Funktion \`one\`:\n\n${fence()}`, "French": `Dans \`src/a.ts\`, remplacez \`one\` par :\n\n${fence()}`, "Spanish": `En \`src/a.ts\`, cambia \`one\`:\n\n${fence()}`,
  "Chinese": `修改 \`src/a.ts\` 中的 \`one\` 函数：\n\n${fence()}`, "Japanese": `\`src/a.ts\` の \`one\` を次のように変更します：\n\n${fence()}`, "Russian": `Измените функцию \`one\` в файле \`src/a.ts\`:\n\n${fence()}`,
};

const NOT_READ: Readonly<Record<string, string>> = {
  "two paths": `Update \`src/a.ts\` (it is used by \`src/b.ts\`):\n\n${fence()}`, "a path by another": `Change \`src/a.ts\` by hand, as in \`src/b.ts\`:\n\n${fence()}`,
  "a table": `| file | change |\n|---|---|\n| src/a.ts | one |\n\n${fence()}`, "a quotation": `> src/a.ts\n\n${fence()}`, "no path": `Change \`one\`:\n\n${fence()}`,
};

/** Names that are no ASCII words: of other languages, of routes, and such as Markdown underlines. */
const NAMES: readonly string[] = ["src/größe.ts", "src/файл.ts", "app/[id]/page.ts", "pages/[id].ts", "app/(shop)/page.ts", "routes/posts.$id.ts", "_layouts/page.ts", "__mocks__/page.ts", "_page.ts", "__init__.ts"];

async function changedBy(text: string, files: Readonly<Record<string, string>> = FILES) {
  const root = createFolder({ ...files });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  const result = await loaf.execute(`Sure.\n\n${text}\n\nThat is all.\n`);
  return { after: filesBelow(root), report: fullReport(result, loaf) };
}

describe("a fence", () => {
  test.each(Object.entries(READ))("is meant for the file that is named by %s", async (_, text) => {
    expect((await changedBy(text)).after).toEqual({ ...FILES, "src/a.ts": AFTER });
  });

  describe.each(NAMES)("%s", (path) => {
    test.each(Object.entries(READ))("is named by %s", async (_, text) => {
      const renamed = text.replaceAll("src/a.ts", path).replaceAll("src\\a.ts", path.replaceAll("/", "\\")).replaceAll("In a.ts", `In ${basename(path)}`);
      expect((await changedBy(renamed, { [path]: BEFORE, "src/b.ts": OTHER })).after).toEqual({ [path]: AFTER, "src/b.ts": OTHER });
    });
  });

  test.each(Object.entries(NOT_READ))("is named as not read below %s", async (_, text) => {
    const { after, report } = await changedBy(text);
    expect([after, report]).toEqual([FILES, expect.stringMatching(/^note: (?:not read: 1 code block|line \d+: the code fence may be meant for)/m)]);
  });
});

test("no sentence with two paths moves a file, unless it says so", async () => {
  for (const verb of ["Update", "Change", "Modify", "Replace"]) expect((await changedBy(`${verb} \`src/a.ts\` to match \`src/b.ts\`.`)).after).toEqual(FILES);
  expect((await changedBy("Rename `src/a.ts` to `src/c.ts`.")).after).toEqual({ "src/b.ts": OTHER, "src/c.ts": BEFORE });
});

test.each([".babelrc.dev", ".dockerignore.prod", ".env.example.local", ".editorconfig.local", "Dockerfile.dev", "Makefile.am"])("%s is a name with a suffix", async (name) => {
  const text = `\`src/b.ts\` stays.\n\n**${name}**\n\n\`\`\`\nx = 1\n\`\`\``;
  const { after, report } = await changedBy(text);
  const isHidden = name.startsWith(".env");
  expect(after).toEqual(isHidden ? FILES : { ...FILES, [name]: "x = 1\n" });
  expect(report).toContain(`${isHidden ? "❌" : "✅"} write ${name}`);
});

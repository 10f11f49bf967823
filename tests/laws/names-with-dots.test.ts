/** The law of names that begin with a dot: what is no file by its name is a class, and names no file for a fence. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";

const STYLES: Readonly<Record<string, { readonly text: string; rule(name: string): string }>> = {
  "a.css": { text: ".e {\n  order: 1;\n}\n\n.f {\n  order: 2;\n}\n", rule: (name) => `${name} {\n  order: 3;\n}` },
  "web/b.scss": { text: "$gap: 4px;\n\n.f {\n  order: 2;\n}\n", rule: (name) => `${name} {\n  gap: $gap;\n}` },
};
/** Endings of files among them. */
const CLASSES = [".h", ".c", ".md", ".py", ".conf", ".sample", ".mix", ".btn", ".card-title"];
const FILES = [".env", ".gitignore", ".eslintrc", ".editorconfig", ".env.local", ".tool-versions"];
const ADDED = ["In `PATH`, add `NAME` after `.f`:", "Add `NAME` to `PATH`:", "Add a `NAME` rule to `PATH`:", "In `PATH`, add `NAME` below `.f`:", "Add `NAME` at the end of `PATH`:"];
const ALONE = ["Add `NAME`:", "Create `NAME`:", "### `NAME`", "**NAME**", "Update `NAME`:", "`NAME`:"];

async function made(there: Readonly<Record<string, string>>, answer: string): Promise<string> {
  const root = createFolder(there);
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  await loaf.execute(answer);
  return root;
}

describe.each(Object.keys(STYLES))("%s", (path) => {
  const { text, rule } = STYLES[path] as (typeof STYLES)[string];
  const info = path.slice(path.lastIndexOf(".") + 1);

  test.each(CLASSES.flatMap((name) => ADDED.map((sentence) => [sentence.replace("NAME", name).replace("PATH", path), name] as const)))("%s", async (sentence, name) => {
    const root = await made({ [path]: text }, `${sentence}\n\n\`\`\`${info}\n${rule(name)}\n\`\`\`\n`);
    // Of the place, only some sentences tell.
    const may = [`${text}\n${rule(name)}\n`, ...(sentence.startsWith("Add ") ? [text] : [])];
    expect(may).toContain(readFileSync(join(root, path), "utf8"));
    expect(existsSync(join(root, name))).toBe(false);
  });

  test.each(CLASSES.flatMap((name) => ALONE.map((sentence) => [sentence.replace("NAME", name), name] as const)))("%s", async (sentence, name) => {
    const root = await made({ [path]: text }, `${sentence}\n\n\`\`\`${info}\n${rule(name)}\n\`\`\`\n`);
    expect(readdirSync(root)).not.toContain(name);
  });
});

test.each(FILES)("%s is a file by its name", async (name) => {
  const root = await made({ "a.css": ".f {\n}\n" }, `Create \`${name}\`:\n\n\`\`\`\na = 1\n\`\`\`\n`);
  expect(existsSync(join(root, name)) || name.startsWith(".env")).toBe(true);
});

test.each(FILES)("what is added for %s to a file is of that file", async (name) => {
  const root = await made({ "a.js": "export const a = 1;\n" }, `Add \`${name}\` support to \`a.js\`:\n\n\`\`\`js\nimport "dotenv/config";\n\`\`\`\n`);
  expect(readFileSync(join(root, "a.js"), "utf8")).toBe('import "dotenv/config";\n\nexport const a = 1;\n');
  expect(existsSync(join(root, name))).toBe(false);
});

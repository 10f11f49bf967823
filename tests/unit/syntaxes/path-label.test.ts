import { expect, test } from "vitest";
import { labelAbove, pathAbove, pathInFirstLine, pathInInfo } from "../../../src/syntaxes/path-label.ts";

test.each([
  "src/app.ts",
  "`src/app.ts`",
  "**src/app.ts**",
  "**`src/app.ts`**:",
  "### File: `src/app.ts`",
  "## File 1: src/app.ts",
  "## 2. `src/app.ts`",
  "## Step 1: `src/app.ts`",
  "### Updated file: `src/app.ts`",
  "- **File:** `src/app.ts`",
  "=== src/app.ts ===",
  "📄 src/app.ts",
  "### 📝 `src/app.ts`",
  "[src/app.ts](src/app.ts)",
  "### [`src/app.ts`](./src/app.ts)",
  "[app.ts](src/app.ts)",
  "[src/app.ts](https://example.org/blob/main/src/app.ts)",
  "Datei: src/app.ts",
  "Fichier : `src/app.ts`",
  "**Archivo:** `src/app.ts`",
  "Файл: src/app.ts",
  "文件：src/app.ts",
  "ファイル名: `src/app.ts`",
  "## 2. Новый файл: `src/app.ts`",
  "Neue Datei: `src/app.ts`",
  "Archivo: **src/app.ts**",
  "新文件：`src/app.ts`",
  "<!-- src/app.ts -->",
  "// src/app.ts",
  "src/app.ts (updated)",
])("The line '%s' is a path", (line) => {
  expect([pathAbove(line, false)?.replace(/^\.\//, ""), labelAbove(line)?.replace(/^\.\//, "")]).toEqual(["src/app.ts", "src/app.ts"]);
});

test.each(["src/app.ts:12", "`src/app.ts:12-20`", "`src/app.ts` — add a flag", "### `src/app.ts` - the caller", "**`src/app.ts`**: the caller", "→ src/app.ts", "`src/app.ts` (lines 1-3)", "`src/app.ts` (Zeilen 1–3):"])(
  "The line '%s' is the path of an edit, but not of a whole file",
  (line) => {
    expect([pathAbove(line, false), labelAbove(line)]).toEqual([undefined, "src/app.ts"]);
  },
);

test.each([
  "src/app.ts (no changes)",
  "Updated `src/app.ts`",
  "`src/app.ts` and `src/main.ts`",
  "`src/app.ts` — like `src/main.ts`",
  "[src/app.ts](src/main.ts)",
  "See src/app.ts",
  "Step by step: src/app.ts is next",
  "Profile: src/app.ts",
])("The line '%s' is no path", (line) => {
  expect([pathAbove(line, false), labelAbove(line)]).toEqual([undefined, undefined]);
});

test("A path with spaces in folder and name is one of an edit", () => {
  expect([labelAbove("my dir/calc file.py"), labelAbove("See src/calc file.py")]).toEqual(["my dir/calc file.py", undefined]);
});

test("A path may be in a line of 200 units, but not of 201", () => {
  const path = (length: number): string => `${"a".repeat(length - "/b.ts".length)}/b.ts`;
  for (const read of [(line: string) => pathAbove(line, false), labelAbove, pathInInfo]) expect([read(path(200)), read(path(201))]).toEqual([path(200), undefined]);
  const read = (length: number) => pathInFirstLine(`// ${path(length - "// ".length)}`, "ts");
  expect([read(200), read(201)]).toEqual([path(197), undefined]);
});

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Delimiters } from "../../../src/syntaxes/csl/marker.ts";
import { parse, read } from "../../../src/answer/read-answer.ts";
import { withoutLoaf } from "./without-loaf.ts";

const nesl = '#!nesl [@three-char-SHA-256: k7m]\naction = "ls"\npath = "/"\n#!end_k7m';
const csl = '<---WRITE file="a"--->\nx\n<---END--->';
const replacer = "<<<FILE>>>\na\n<<<OVERWRITE>>>\nx\n<<<END>>>";

/** Returns the syntaxes that a text has blocks of, or errors. */
function syntaxesIn(text: string, csl?: Delimiters): string[] {
  const { parts } = read(text, { csl });
  return parts.filter(({ read: { items, fatal } }) => items.length > 0 || fatal !== undefined).map(({ syntax: { name } }) => name);
}

test.each([
  [nesl, "nesl"],
  ["#!SHAM [@three-char-SHA-256: k7m]\n#!END_SHAM_k7m", "nesl"],
  [csl, "csl"],
  [replacer, "replacer"],
  ["", undefined],
  ["prose", undefined],
  [`${csl}\n${nesl}`, "nesl csl"],
  [`${replacer}\n${csl}\n${nesl}`, "nesl csl replacer"],
  [`${replacer}\n${csl}`, "csl replacer"],
  [`#!nesl [@three-char-SHA-256: k7m\n${csl}`, "nesl csl"],
  // A header that is damaged or in a list still counts: the content of its block must not run as CSL.
  [`#!nesl [@three-char-SHA-256: k7m\n${csl}\n#!end_k7m\n`, "nesl"],
  [`  #!nesl [@three-char-SHA-256: k7m]\n${csl}\n  #!end_k7m\n`, "nesl"],
  [`#!nesl\n${csl}`, "csl"],
  [`say #!nesl [@three-char-SHA-256: k7m]\n${csl}`, "csl"],
  // Markers must start in the first column.
  [csl.replace(/^/gm, " "), undefined],
  [replacer.replace(/^/gm, " "), undefined],
  [`say ${csl}`, undefined],
  [`a\r<---RUN--->`, "csl"],
  [`\uFEFF${csl}`, "csl"],
  [`\uFEFF${replacer}`, "replacer"],
  [`\uFEFF${nesl}`, "nesl"],
  ["<---RUN", "csl"],
  ["<---TASKS--->", "csl"],
  ['<---SEARCH file="a"--->', "csl"],
  ["<---END--->", undefined],
  ["<---write--->", undefined],
  ["<<<FILE>>> \r\n", "replacer"],
  ["<<<FILE>>> a", undefined],
  ["<<<SEARCH>>>\na\n<<<REPLACE>>>\nb\n<<<END>>>", undefined],
])("%j is %s", (text, format) => {
  expect(syntaxesIn(text).join(" ")).toBe(format ?? "");
});

const searchReplace = (search: string): string => `docs/a.md\n<<<<<<< SEARCH\n${search}\n=======\nx\n>>>>>>> REPLACE\n`;
const patch = (line: string): string => `*** Begin Patch\n*** Add File: a\n+${line}\n*** End Patch\n`;

describe("a block within a complete block of another syntax does not count", () => {
  test.each([
    [searchReplace(nesl), "search-replace"],
    [searchReplace(csl), "search-replace"],
    [`${csl.replace("x", nesl)}`, "csl"],
    [nesl.replace("path", `k = <<'EOT_k7m'\n${searchReplace("a")}\nEOT_k7m\npath`), "nesl"],
    [searchReplace(patch("a")), "search-replace"],
    [`${searchReplace("a")}${nesl}`, "nesl search-replace"],
    [`${searchReplace(nesl)}${nesl}`, "nesl search-replace"],
    [searchReplace(nesl).replace(">>>>>>> REPLACE\n", ""), "nesl search-replace"],
    [`${patch("a")}${searchReplace("a")}`, "patch search-replace"],
  ])("%j is %s", (text, format) => {
    expect(syntaxesIn(text).join(" ")).toBe(format);
  });
});

test("a report is read in no syntax of other tools", () => {
  const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n";
  expect(syntaxesIn(`=== LOAF RESULTS ===\nabc ✅ file_write a\n=== END ===\n\n=== OUTPUTS ===\n\nhint: [abc] b\n\n${diff}\n=== END ===\n`)).toEqual([]);
  expect(syntaxesIn(`=== LOAF RESULTS ===\ne1 ✅ file_edit_lines a\n=== END ===\n\nI change this.\n\n${diff}`)).toEqual(["unified-diff"]);
  expect(syntaxesIn(`=== LOAF RESULTS ===\n=== END ===\n\n=== OUTPUTS ===\n${searchReplace("a")}`)).toEqual([]);
});

test("custom delimiters change the markers", () => {
  expect(syntaxesIn(csl, { start: "[[", end: "]]" })).toEqual([]);
  expect(syntaxesIn("[[RUN]]", { start: "[[", end: "]]" })).toEqual(["csl"]);
});

test("reads a requested format, whatever the text looks like", () => {
  expect(parse(`${csl}\n${nesl}`, { format: "csl" }).blocks.map(({ id }) => id)).toEqual(["task-1"]);
  expect(parse(`${csl}\n${replacer}`, { format: "replacer" }).blocks.map(({ id }) => id)).toEqual(["block-1"]);
  expect(parse(csl, { format: "nesl" })).toEqual({ blocks: [], errors: [] });
});

describe("a text without any of the syntaxes yields nothing", () => {
  const ofOtherTools = ["a diff", "aider's blocks", "a Codex patch"];
  test.each(Object.entries(withoutLoaf).filter(([name]) => !ofOtherTools.includes(name)))("%s", (_, text) => {
    expect(parse(text)).toEqual({ blocks: [], errors: [] });
  });

  test("source files of ten languages, and other files of packages", () => {
    const files = sourceFiles("node_modules", 2_000);
    const kinds = new Set(files.map((file) => file.slice(file.lastIndexOf("."))));
    for (const kind of [".ts", ".js", ".mjs", ".json", ".md", ".yml", ".html", ".css", ".map"]) expect(kinds).toContain(kind);
    expect(files.length).toBeGreaterThan(1_000);
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      // A README may show whole files under their names, which are only asked about.
      expect(syntaxesIn(text).filter((name) => name !== "whole-file" && name !== "plain"), file).toEqual([]);
    }
  });
});

/** Returns some files of each kind in each folder, except the package with a NESL parser. */
function sourceFiles(root: string, most: number): string[] {
  const found: string[] = [];
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined && found.length < most; folder = pending.pop()) {
    const kinds = new Map<string, number>();
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== "nesl" && !entry.name.startsWith(".")) pending.push(path);
      if (!entry.isFile() || statSync(path).size > 200_000) continue;
      const kind = entry.name.slice(entry.name.lastIndexOf("."));
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if ((kinds.get(kind) ?? 0) <= 3) found.push(path);
    }
  }
  return found;
}

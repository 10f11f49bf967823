/** Laws of answers that hold several syntaxes, and of what is in none: all blocks run, what they quote does not, and nothing vanishes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlock } from "../../src/core/block.ts";
import { readAnswer } from "../../src/answer/read-answer.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";

const lines = (text: string): string => text.split("\n").map((line) => `+${line}`).join("\n");

/** Writes a file, in each syntax. */
const WRITERS: Readonly<Record<string, (path: string, content: string) => string>> = {
  nesl: (path, content) => printBlock(path.replace(/\W/g, "").slice(0, 8), { action: "file_write", path, content: `${content}\n` }),
  csl: (path, content) => `<---WRITE file="${path}"--->\n${content}\n<---END--->`,
  replacer: (path, content) => `<<<FILE>>>\n${path}\n<<<OVERWRITE>>>\n${content}\n<<<END>>>`,
  patch: (path, content) => `*** Begin Patch\n*** Add File: ${path}\n${lines(content)}\n*** End Patch`,
  "search-replace": (path, content) => `${path}\n<<<<<<< SEARCH\n=======\n${content}\n>>>>>>> REPLACE`,
  "unified-diff": (path, content) => `\`\`\`diff\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${content.split("\n").length} @@\n${lines(content)}\n\`\`\``,
  "tool-calls": (path, content) => `\`\`\`json\n${JSON.stringify({ name: "Write", arguments: { file_path: path, content: `${content}\n` } })}\n\`\`\``,
};

const syntax = fc.constantFrom(...Object.keys(WRITERS));
const written = (name: string, path: string, content: string): string => (WRITERS[name] as (typeof WRITERS)[string])(path, content);

/** Returns the files that the blocks of an answer without errors write. */
function pathsIn(text: string): string[] {
  const items = readAnswer(text).items.filter(isBlock);
  return items.flatMap(({ properties, diagnostics }) => (diagnostics.length === 0 ? [String(properties["path"])] : ["damaged"]));
}

test("each block of each syntax runs, in the order of the text", () => {
  fc.assert(
    fc.property(fc.array(syntax, { minLength: 1, maxLength: 6 }), fc.constantFrom("", "I do this.", "## Then"), (names, prose) => {
      const text = names.map((name, index) => `${prose}\n\n${written(name, `f${index}.txt`, `text ${index}`)}`).join("\n\n");
      expect(pathsIn(text), text).toEqual(names.map((_, index) => `f${index}.txt`));
      const ids = readAnswer(text).items.filter(isBlock).map(({ id }) => id);
      expect(new Set(ids).size, text).toBe(names.length);
    }),
    { numRuns: 250 },
  );
});

test("what a block holds is its text, in whatever syntax", () => {
  fc.assert(
    fc.property(syntax, syntax, fc.boolean(), (outer, inner, isFollowed) => {
      // Of one syntax, the inner markers are the outer ones.
      fc.pre(outer !== inner);
      // A fence in a fence of the same length ends it.
      const quoted = written(inner, "inner.txt", "x");
      fc.pre(!(quoted.includes("```") && written(outer, "a", "b").includes("```")));
      const text = `${written(outer, "outer.txt", quoted)}\n\n${isFollowed ? written(inner, "after.txt", "y") : "Done."}`;
      expect(pathsIn(text), text).toEqual(isFollowed ? ["outer.txt", "after.txt"] : ["outer.txt"]);
    }),
    { numRuns: 250 },
  );
});

/** Further ways to write a file, and those whose last line ends more than the block, or less. */
const MORE: typeof WRITERS = {
  ...WRITERS,
  whole: (path, content) => `### ${path}\n\n\`\`\`ts\n${content}\n\`\`\``,
  bare: (path, content) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${content.split("\n").length} @@\n${lines(content)}`,
  cline: (path, content) => `${path}\n------- SEARCH\n=======\n${content}\n+++++++ REPLACE`,
  tags: (path, content) => `<write_to_file>\n<path>${path}</path>\n<content>\n${content}\n</content>\n</write_to_file>`,
  fenced: (path, content) => `\`\`\`\n${written("nesl", path, content)}\n\`\`\``,
};
/** Their text ends nowhere but at their own markers, of which `cut` leaves none. */
const HOLDS_ALL = ["nesl", "csl", "tags", "fenced"];

test("a block that lacks its end takes no block of another syntax with it, or says so", () => {
  const cuts = Object.keys(MORE).flatMap((name) => (HOLDS_ALL.includes(name) ? [[name, 1], [name, 2], [name, 3]] as const : [[name, 1]] as const));
  for (const [[cut, count], [name, write], prose] of cuts.flatMap((open) => Object.entries(MORE).flatMap((next) => ["", "I do this:\n\n", "## Then\n\n"].map((above) => [open, next, above] as const)))) {
    if (cut === name || (cut === "fenced" && name === "nesl") || (cut === "nesl" && name === "fenced")) continue;
    // What no fence of its own sets apart may be text of the file.
    if (cut === "whole" && !write("a", "b").includes("```")) continue;
    const open = MORE[cut]?.("open.txt", "x").split("\n").slice(0, -count).join("\n") ?? "";
    const above = `${open}\n\n${prose}`;
    const text = `${above}${write("next.txt", "y")}\n\nDone.`;
    const [first, end] = [above.split("\n").length, text.split("\n").length];
    const isNamed = readAnswer(text).findings.some(({ line, message }) => first <= line && line <= end && message.startsWith("not read"));
    const mayBeText = cut === "csl" || count > (cut === "nesl" ? 1 : cut === "fenced" ? 2 : 0);
    if (!(mayBeText && isNamed)) expect(pathsIn(text), text).toContain("next.txt");
  }
});

const fence = fc.record({
  above: fc.constantFrom("", "Some code.", "Run this:", "**Note**", "Update `src/a.ts`:", "src/b.ts", "### `c.py`", "For example in `d.rs`:", "### `e.go`\n\nThis file holds it all."),
  info: fc.constantFrom("", "ts", "sh", "diff", "text", "python", "json"),
  body: fc.constantFrom("one", "npm install zod", "-old\n+new", "function f() {}", "{}", ""),
});

test("every code fence is read, refused or named by its line", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 3, arbitrary: fence }, syntax), { minLength: 1, maxLength: 7 }), (pieces) => {
      let text = "";
      const starts: number[] = [];
      for (const [index, piece] of pieces.entries()) {
        if (typeof piece === "string") text += `${written(piece, `f${index}.txt`, "x")}\n\n`;
        else {
          text += `${piece.above}\n\n`;
          starts.push(text.split("\n").length);
          text += `\`\`\`${piece.info}\n${piece.body}\n\`\`\`\n\n`;
        }
      }
      const { items, findings } = readAnswer(text);
      const read = (line: number): boolean => items.some((item) => isBlock(item) && item.startLine <= line && line <= (item.endLine ?? Infinity));
      const named = (line: number): boolean => findings.some((one) => one.line === line || new RegExp(`\\b${line}\\b`).test(one.message));
      expect(starts.filter((line) => !read(line) && !named(line)), `${text}\n${JSON.stringify(findings)}`).toEqual([]);
    }),
    { numRuns: 250 },
  );
});

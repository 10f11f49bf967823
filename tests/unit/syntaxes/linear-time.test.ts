/** The readers of other tools' syntaxes take no more than linear time for long runs of the same. */
import { describe, expect, test } from "vitest";
import { DELIMITERS } from "../../../src/syntaxes/csl/marker.ts";
import { readAnswer } from "../../../src/answer/read-answer.ts";
import { Source } from "../../../src/syntaxes/source.ts";
import { syntaxes } from "../../../src/syntaxes/index.ts";
import { measureWork } from "../../support/work.ts";

const SEARCH = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
/** In UTF-16 units. */
const LENGTH = 200_000;

const texts: Readonly<Record<string, (count: number) => string>> = {
  "spaces above a SEARCH head": (count) => `<file>${" ".repeat(count)}x\n${SEARCH}`,
  "spaces only above a SEARCH head": (count) => `${" ".repeat(count)}x\n${SEARCH}`,
  "spaces in a tag": (count) => `<file path="a.js">${" ".repeat(count)}x\n`,
  "spaces before the end of a tag": (count) => `<file path="a.js">\na\n]]>${" ".repeat(count)}</file>x\n</file>\n`,
  "blank lines in a file": (count) => `<file path="a.js">\n${"\n".repeat(count)}a\n</file>\n`,
  "spaces in a file": (count) => `<file path="a.js">\n${" ".repeat(count)}a\n</file>\n`,
  "spaces in a diff's names": (count) => `--- a${" ".repeat(count)}x\n+++ a${" ".repeat(count)}x\n@@\n-a\n+b\n`,
  "spaces in a patch's names": (count) =>
    `*** Begin Patch\n*** Update File: a${" ".repeat(count)}x\n*** Move to: b${" ".repeat(count)}x\n@@\n-a\n+b\n`,
  "blank lines in a patch": (count) => `*** Begin Patch\n*** Update File: a\n@@\n-a${"\n".repeat(count)}+b\n`,
  "blank lines in a diff": (count) => `--- a\n+++ a\n@@\n-a${"\n".repeat(count)}+b\n`,
  fences: (count) => repeated("```\n", count),
  "fences with a path in them": (count) => repeated("```js\n// src/a.js\na();\n```\n", count),
  "fences of many lengths": (count) =>
    Array.from({ length: Math.sqrt(count) }, (_, index) => "`".repeat(index + 3))
      .map((marks) => `${marks}js\n${marks}\n`).join(""),
  "fences for diffs": (count) => repeated("  ```diff\n  --- a\n  +++ a\n  @@\n  -a\n  +b\n  ```\n", count),
  "open tags": (count) => repeated('<file path="a.js"><![CDATA[\n', count),
  "open patches": (count) => repeated(" *** Begin Patch\n *** Update File: a\n", count),
  "open calls of a shell": (count) => repeated('{"command": ["bash", "-lc", "apply_patch\n', count),
  "names of apply_patch in a call of a shell": (count) => `{"command": ["${repeated("apply_patch ", count)}\\n"]}`,
  "pairs without an end": (count) =>
    `a.py\n<edits>\n${repeated("<old_text>a</old_text><new_text>b</new_text>", count)}`,
  "lines that open pairs": (count) => repeated("<edits>\n<old_text>\n", count),
  "calls without an end of their argument": (count) => repeated("TOOL_NAME: edit\nBEGIN_ARG: path\n", count),
  "calls of code without an end": (count) => repeated("```tool_code\nprint(edit(path=\"\"\"a\n", count),
  "changes without an end": (count) => `<file path="a.js" action="modify">\n${repeated("<change>\n", count)}</file>\n`,
  "fences between sentences that remove": (count) => repeated("In `a.py`, change `f`:\n\n```\nx()\n```\n\nThis is gone: `y`.\n\n", count),
  "sentences in the line above a fence": (count) => `${repeated("Good. ", count)}Update \`f\` in \`a.js\`:\n\n\`\`\`js\nx()\n\`\`\`\n`,
  "a long sentence below a path": (count) => `### \`a.js\`\n\n${repeated("the original ", count)}:\n\n\`\`\`js\nx()\n\`\`\`\n`,
  "SEARCH heads": (count) => repeated("<<<<<<< SEARCH\n", count),
};

function repeated(part: string, count: number): string {
  return part.repeat(Math.ceil(count / part.length));
}

describe.each(syntaxes.filter(({ isForeign }) => isForeign === true))("$name", (syntax) => {
  test.each(Object.entries(texts))("%s", (_, textOf) => {
    for (const count of [4_000, 16_000, LENGTH]) {
      const work = measureWork();
      syntax.read(new Source(textOf(count)), { csl: DELIMITERS });
      // Reading takes some milliseconds; in quadratic time it takes many seconds.
      expect(work()).toBeLessThan(2_000);
    }
  });
});

/** In UTF-16 units: as long as the longest answer that runs. */
const LONGEST = 10_000_000;

describe("an answer", () => {
  test.each([
    ["of opening tags of reasoning", "<think>\n"],
    ["of closing tags that close nothing", "x</think> x\n"],
    ["of closing tags", "<think></think>\n"],
    ["of one line of tags", "<think></think> "],
    ["of lines in a blockquote", "> a line of somebody's words\n"],
    ["of marks of a blockquote", "> > > > > > > > > > > > > > x\n"],
    ["of markers in a blockquote", "> <<<<<<< SEARCH\n"],
    ["of markers with entities", "&lt;&lt;&lt;&lt;&lt; SEARCH\n"],
    ["of calls of a shell", '{"command": ["ls"]}\n'],
  ])("%s", (_, part) => {
    const text = `${part.includes("think>") ? "<think>\n" : ""}${repeated(part, LONGEST)}`;
    const work = measureWork();
    readAnswer(text);
    // It takes some seconds; in quadratic time it takes hours.
    expect(work()).toBeLessThan(50_000);
  });
});

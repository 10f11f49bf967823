import { describe, expect, test } from "vitest";
import { readAnswer } from "../../../../src/answer/read-answer.ts";
import { CHANGING_TOOLS } from "../../../../src/syntaxes/tool-calls/tools.ts";
import { printBlock } from "../../../../src/syntaxes/nesl/teach.ts";

const header = (id: string): string => `#!nesl [@three-char-SHA-256: ${id}]`;
const block = printBlock("k7m", { action: "file_write", path: "/p/src/a.ts", content: "one\ntwo\n" });

/** Returns the damage, without what is only named as not read. */
function found(text: string): Array<[code: string, line: number, message: string]> {
  const damage = readAnswer(text).findings.filter(({ code }) => code !== "answer/not-read");
  return damage.map(({ code, line, message }) => [code, line, message]);
}

function requests(text: string): string[] {
  return readAnswer(text).findings.flatMap(({ request }) => request ?? []);
}

describe("a cut-off answer", () => {
  test("inside a block is reported with the block to continue from", () => {
    for (let end = header("k7m").length + 1; end < block.length - "m".length; end++) {
      const text = `Text.\n\n\`\`\`\n${block}\n\`\`\`\n\n\`\`\`\n${block.replaceAll("k7m", "q2b").slice(0, end)}`;
      expect(readAnswer(text).findings, JSON.stringify(text.slice(-20))).toMatchObject([{ code: "answer/cut-off", blockId: "q2b", request: "continue from block q2b" }]);
    }
  });

  test("inside a header is reported with the block before it", () => {
    for (let end = "#!n".length; end < header("k7m").length; end++) {
      expect(requests(`${block}\n${header("q2b").slice(0, end)}`)).toEqual(["continue after block k7m"]);
      expect(requests(`Text.\n${header("q2b").slice(0, end)}\n\n`)).toEqual(["Send the whole answer again"]);
    }
  });

  test("with an inexact terminator is reported with that line", () => {
    for (const wrong of ["EOT_k7m.", "“EOT_k7m”", "`EOT_k7m`", "EOT_K7M", "EOT k7m"]) {
      const text = `${block.replace("\nEOT_k7m", `\n${wrong}`)}\n\nDone.\n`;
      expect(found(text)).toEqual([["answer/cut-off", 1, expect.stringMatching(/inside a heredoc of block k7m.*the line EOT_k7m is missing \(nearly so in line 8\)$/)]]);
    }
  });

  test("is reported with the blocks that its heredoc swallowed", () => {
    const text = [block.replace("\nEOT_k7m", ""), block, block.replaceAll("k7m", "q2b")].join("\n").replaceAll("EOT_k7m\n#", "#");
    expect(found(text)[0]?.[2]).toMatch(/what begins as a block in lines 9 and 17 was read as content$/);
  });

  test("excludes a block closed by another header", () => {
    expect(found(`${header("abc")}\naction = "ls"\n${block}\n`)).toEqual([]);
  });

  test("is reported in SHAM's own spelling", () => {
    expect(found("#!SHAM [@x: abc]\na = <<'EOT_SHAM_abc'\n")[0]?.[2]).toContain("the line EOT_SHAM_abc is missing");
    expect(found("#!SHAM [@x: abc]\n")[0]?.[2]).toContain("the line #!END_SHAM_abc is missing");
  });
});

describe("a code fence that is never closed", () => {
  test("is reported, with or without complete blocks before it", () => {
    expect(found(`Text.\n\`\`\`nesl\n${block}\n`)).toEqual([["answer/open-fence", 2, expect.stringContaining("though every block is complete")]]);
    expect(requests(`\`\`\`nesl\n${block}\n`)).toEqual(["Was your answer complete? If not, continue after block k7m"]);
    expect(found("Text.\n~~~\ncode\n")).toEqual([["answer/open-fence", 2, expect.any(String)]]);
  });

  test("is not reported if an unclosed block may contain its closing line", () => {
    expect(found(`\`\`\`nesl\n${block.replace("\n#!end_k7m", "")}\n\`\`\`\n\n${block.replaceAll("k7m", "q2b")}\n`)).toEqual([]);
  });

  test("is closed only by at least as many marks of its kind", () => {
    expect(found("````\n```\n~~~~\n````\n")).toEqual([["answer/open-fence", 1, expect.any(String)]].slice(1));
    expect(found("```\na\n`````\n")).toEqual([]);
    expect(found("  ~~~ts\na\n    ~~~\n")).toEqual([]);
    expect(found("````\na\n```\n```\n")).toMatchObject([["answer/open-fence", 1, expect.any(String)]]);
  });

  test("is not reported for nested fences as models write them", () => {
    expect(found("```markdown\n# Title\n```bash\nnpm i\n```\n```\n")).toEqual([]);
  });

  test("ignores fences in a block's content", () => {
    expect(found(printBlock("k7m", { content: "```\nnever closed\n" }))).toEqual([]);
  });
});

describe("typographic marks", () => {
  test.each(["action = “file_write”", "action = „file_write“", "content = <<‘EOT_k7m’", "content = <<“EOT_k7m”", "action = ‘file_write’", "action = «file_write»"])("%s", (line) => {
    expect(found(`${header("k7m")}\n${line}\n#!end_k7m\n`)).toEqual([["answer/typography", 2, expect.stringContaining("in block k7m (line 2)")]]);
  });

  test.each(["#!nesl [@three–char–SHA–256: k7m]", "#!nesl [@three‑char-SHA-256: k7m]", "#!nesl [@three-char-SHA-256:\u00a0k7m]"])("%s as a header", (line) => {
    expect(found(`${line}\naction = "ls"\n#!end_k7m\n`)).toEqual([["answer/typography", 1, expect.stringContaining("a header (line 1)")]]);
  });

  test("in a value are ignored", () => {
    expect(found(`${header("k7m")}\naction = "“quoted” – ‘so’"\n#!end_k7m\n`)).toEqual([]);
    expect(found(`${header("k7m")}\naction := "v"\n#!end_k7m\n`)).toEqual([]);
  });
});

describe("an almost correct header", () => {
  test.each([
    "- #!nesl [@three-char-SHA-256: k7m]",
    "1. #!nesl [@three-char-SHA-256: k7m]",
    "> #!nesl [@three-char-SHA-256: k7m]",
    "**#!nesl [@three-char-SHA-256: k7m]**",
    "\\#!nesl \\[@three-char-SHA-256: k7m\\]",
    "#!nesl[@three-char-SHA-256: k7m]",
    "#! nesl [@three-char-SHA-256: k7m]",
    "#!NESL [@three-char-SHA-256: k7m]",
    "#!nesl\u00a0[@three-char-SHA-256: k7m]",
    "\u200b#!nesl [@three-char-SHA-256: k7m]",
    "# nesl [@three-char-SHA-256: k7m]",
  ])("%s", (line) => {
    expect(found(`Text.\n${line}\naction = "ls"\n#!end_k7m\n`)).toEqual([["answer/near-header", 2, "line 2 is nearly the header of a block: read as prose, and nothing there was run"]]);
  });

  test.each([
    "A block begins with `#!nesl [@three-char-SHA-256: k7m]`.",
    "`#!nesl [@three-char-SHA-256: k7m]`",
    "- `#!nesl [@three-char-SHA-256: k7m]` opens a block",
    "A block begins with #!nesl [@three-char-SHA-256: k7m] on its own line.",
    "nesl [@three-char-SHA-256: k7m]",
    "#!nesl [@three-char-SHA-256]",
    "⁞ #!nesl [@three-char-SHA-256: k7m]",
    "     1: #!nesl [@three-char-SHA-256: k7m]",
    "#!nesl",
    "# NESL: a syntax",
    "The name NESL stands for: no escape",
  ])("%s is none", (line) => {
    expect(found(`Text.\n${line}\nMore text.\n`)).toEqual([]);
  });
});

describe("an edit in another tool's format", () => {
  const aider = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
  const diff = "--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n";
  const codex = "*** Begin Patch\n*** Update File: x.ts\n@@\n-a\n+b\n*** End Patch\n";

  test.each([
    ["a fence of a diff without names", "```diff\n-a\n+b\n```\n", 2, "line 2: a diff without the lines that name its file, not run"],
    ["a call in tokens", "<|tool_calls_section_begin|>functions.edit\n", 2, "line 2: a call in the format of another tool's calls, which Loaf does not run"],
    ["a call in JSON", '```json\n{\n  "file_path": "x.ts",\n  "old_string": "a",\n  "new_string": "b"\n}\n```\n', 5, "line 5: a call in the format of another tool's calls, which Loaf does not run"],
    ["a file in a shell's command", "```sh\ncat > x.ts <<'EOF'\na\nEOF\n```\n", 3, "line 3: a file in the form of a shell command, which Loaf does not run"],
  ])("%s", (_, text, line, message) => {
    expect(found(`Text.\n${text}`)).toEqual([["answer/foreign-edit", line, message]]);
    // The text has no word of Loaf's, and neither has the hint.
    expect(requests(`Text.\n${text}`)[0]).not.toMatch(/NESL|file_\w/);
  });

  test.each([["x.ts", 0], ["y.ts", 1]])("a tag with the path %s of a block's file or another one: %d", (path, count) => {
    const edit = aider.replace(/^/, "x.ts\n");
    expect(found(`${edit}\n<path>${path}</path>\nDone.\n`)).toHaveLength(count);
  });

  test.each(CHANGING_TOOLS)("the tag of the tool %s next to a block is read as a call, or told", (tool) => {
    const { items, findings } = readAnswer(`${block}\n<${tool}>\n<path>x.ts</path>\n</${tool}>\n`);
    expect(items.length + findings.length).toBe(2);
  });

  test("is ignored in the content of a block", () => {
    expect(found(printBlock("k7m", { content: `${aider}${diff}${codex}` }))).toEqual([]);
  });

  test("code of a block's file is only shown; other code with a path in a sentence is asked for", () => {
    const shown = (text: string) => readAnswer(text).findings.map(({ message }) => message);
    expect(shown(`${block}\n\nUpdate \`src/a.ts\`:\n\`\`\`ts\none\n\`\`\`\n`)).toEqual(["not read: 1 code block that shows a file of these blocks (line 12)"]);
    expect(found(`${block}\nLook at \`src/b.ts\` for example:\n\`\`\`ts\nb\n\`\`\`\n`)).toMatchObject([["answer/foreign-edit", 11, expect.any(String)]]);
  });
});

describe("a second syntax of Loaf in an answer", () => {
  const csl = '<---WRITE file="a.ts"--->\none\n<---END--->';
  const replacer = "<<<FILE>>>\nsrc/a.ts\n<<<OVERWRITE>>>\none\n<<<END>>>";

  test("runs; where only one syntax was to be read, it is named", () => {
    const text = `${block}\n${csl}\n${csl}\n${replacer}\n`;
    expect([readAnswer(text).totalBlocks, found(text)]).toEqual([4, []]);
    expect(readAnswer(text, { format: "nesl" }).findings.map(({ message }) => message)).toEqual([
      "lines 10 and 13: 2 operations in CSL, not run: only NESL was to be read",
      "line 16: a block in the replacer's syntax, not run: only NESL was to be read",
    ]);
    expect(found(printBlock("k7m", { content: `${csl}\n${replacer}` }))).toEqual([]);
  });

  test.each([
    ['<--- WRITE file="a"--->', "<---WRITE of CSL"],
    ['  <---WRITE file="a"--->', "<---WRITE of CSL"],
    ['- <---SEARCH file="a"--->', "<---SEARCH of CSL"],
    ['<---write file="a"--->', "<---WRITE of CSL"],
    ['<--WRITE file="a"-->', "<---WRITE of CSL"],
    ['<—WRITE file="a"—>', "<---WRITE of CSL"],
    ["<---- RUN ---->", "<---RUN of CSL"],
    ['> <---TASKS--->', "<---TASKS of CSL"],
    ["  <<<FILE>>>", "the replacer's marker <<<FILE>>>"],
    ["<<< FILE >>>", "the replacer's marker <<<FILE>>>"],
    ["<<file>>", "the replacer's marker <<<FILE>>>"],
    ["<<<SEARCH>>>", "the replacer's marker <<<SEARCH>>> without <<<FILE>>>"],
    ['<---DELETE file="a"--->', "written like CSL, which has no DELETE"],
    ["<--- MOVE a b --->", "written like CSL, which has no MOVE"],
  ])("%s is reported as the marker it resembles", (line, what) => {
    expect(found(`Text.\n${line}\none\n`)).toEqual([["answer/near-marker", 2, expect.stringContaining(what)]]);
    expect(found(`${block}\n${line}\n`)).toEqual([["answer/near-marker", 10, expect.stringContaining(what)]]);
  });

  test.each([
    "DELETE", "REMOVE", "MOVE", "RENAME", "COPY", "READ", "APPEND", "CREATE", "EDIT", "UPDATE", "INSERT", "OVERWRITE", "MKDIR", "EXEC", "PATCH",
  ])("%s, which models expect in CSL, is reported", (name) => {
    expect(found(`Text.\n<---${name} file="a"--->\n`)).toEqual([["answer/near-marker", 2, expect.stringContaining(`CSL, which has no ${name}: read as prose`)]]);
  });

  test("is compared with custom delimiters too", () => {
    const near = (line: string) => readAnswer(line, { csl: { start: "[[", end: "]]" } }).findings.map(({ message, request }) => [message, request]);
    expect(near('[[ WRITE file="a"]]')).toEqual([[expect.stringContaining("nearly the marker [[WRITE of CSL"), expect.stringContaining('[[WRITE file="src/a.txt"]]')]]);
  });

  test.each(["<-- see WRITE", "<--- note the arrow", "<--- WRITE is a verb", "<!-- WRITE file -->", "⁞ <---WRITE file=\"a\"--->", "`<---WRITE file=\"a\"--->` opens", "x <---WRITE--->", "cat <<FILE", "<---END--->", "--> DELETE"])("%s is prose", (line) => {
    expect(found(`Text.\n${line}\n`)).toEqual([]);
  });
});

describe("a report of Loaf's own", () => {
  const report = "=== LOAF RESULTS ===\nk7m ✅ file_read /p/a.md\n=== END ===\n\n=== OUTPUTS ===\n\n[k7m] /p/a.md:\n=== START FILE: /p/a.md ===\n--- a\n+++ b\n```\n=== END FILE: /p/a.md ===\n\n=== END ===\n";

  test("is reported as such, without findings inside it", () => {
    expect(found(report)).toEqual([["answer/report", 1, expect.any(String)]]);
  });

  test("above an answer is ignored", () => {
    expect(found(`${report}\n${block}\n`)).toEqual([]);
  });
});

describe("CSL and the replacer's blocks", () => {
  const csl = '<---SEARCH file="a.ts"--->\none\n<---REPLACE--->\ntwo\n<---END--->';
  const replacer = "<<<FILE>>>\nsrc/a.ts\n<<<SEARCH>>>\none\n<<<REPLACE>>>\ntwo\n<<<END>>>";

  test("are reported if cut off anywhere", () => {
    for (let end = csl.indexOf("\n") + 1; end < csl.length - 1; end++) {
      expect(readAnswer(`${csl}\n\n${csl.slice(0, end)}`).findings, csl.slice(0, end)).toMatchObject([{ code: "answer/cut-off", blockId: "task-2" }]);
    }
    for (let end = "<<<FILE>>>\n".length; end < replacer.length; end++) {
      expect(readAnswer(`${replacer}\n\n${replacer.slice(0, end)}`).findings, replacer.slice(0, end)).toMatchObject([{ code: "answer/cut-off", line: 9, blockId: "block-2" }]);
    }
    expect(requests(`${replacer}\n${replacer.slice(0, -4)}`)).toEqual(["continue from block block-2, the <<<FILE>>> of src/a.ts"]);
  });

  test("are reported if cut off within a marker", () => {
    expect(found(`${csl}\n<---WRITE file="b`)).toEqual([["answer/cut-off", 6, expect.stringContaining("inside a marker")]]);
  });

  test("are not reported if they are complete or have another error", () => {
    for (const text of [csl, replacer, `\`\`\`\n${csl}\n\`\`\`\n`, `Text.\n\n\`\`\`\n${replacer}\n\`\`\`\n`, `${csl}\n<---END--->\nmore`, `${replacer.slice(0, -9)}\n${replacer}`]) {
      expect(found(text), text).toEqual([]);
    }
  });

  test("are reported together with their unclosed fence", () => {
    expect(requests(`\`\`\`\n${csl}\n`)).toEqual(["Was your answer complete? If not, continue after block task-1"]);
    expect(requests(`\`\`\`\n${replacer}\n`)).toEqual(["Was your answer complete? If not, continue after block block-1"]);
  });

  test("request edits in other syntaxes in the answer's own, and calls of other tools too", () => {
    expect(requests(`${csl}\n<|tool_calls_section_begin|>functions.edit`)).toEqual(["Send it again as CSL operations: for each change a SEARCH with REPLACE, for a new file a WRITE"]);
    const aider = "a\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    // The content of an operation is not searched.
    expect(found(`<---WRITE file="a"--->\n${aider}<---END--->`)).toEqual([]);
  });
});

describe("what stands beside other code is named too", () => {
  const notRead = (text: string): string[] => readAnswer(text).findings.filter(({ code }) => code === "answer/not-read").map(({ message }) => message);
  const file = "a.txt\n```\n1\n```\n";

  test.each([
    ["I changed `x` to `y` in `a.py`.", ['not read: "I changed `x` to `y` in `a.py`." (line 1)']],
    [`${file}\nI changed \`x\` to \`y\` in \`a.txt\`.\n`, []],
    ["Create an empty `src/__init__.py`:", ['not read: "Create an empty `src/__init__.py`:" (line 1)']],
    [`${file}\nCreate an empty \`a.txt\`:\n`, []],
    ["Create an empty `src/__init__.py`:\n\n```\n```\n", []],
    [`${file}\n**b.py**\n\n    x = 1\n    y = 2\n`, ["not read: 1 code block without a fence (line 8)"]],
    [`${file}\n**b.py**\n\n\tx = 1\n\nUpdate \`c.py\`:\n\n    z = 1\n`, ["not read: 2 code blocks without fences (lines 8, 12)"]],
    ["**b.py**\n\n    x = 1\n    y = 2\n", ["not read: code without its marks, of which nobody can tell where it ends (line 1)"]],
    [`${file}\n**b.py**\n\nIt is:\n\n    x = 1\n`, []],
    [`${file}\n**b.py**\n    indented text of the same paragraph\n`, []],
  ])("indented code below a path: %j", (text, expected) => {
    expect(notRead(text)).toEqual(expected);
  });

  test.each([
    ["git mv a b\ncat > x.ts <<'EOF'\nnpm i\nEOF\n", ["not run: git mv a b (line 1)"]],
    ["cat > x.ts <<EOF\n$ npm i\nEOF\n# then\n$ npm test\n$ npm run b\n", ["not run: npm test … 1 more (line 1)"]],
    ["cat > x.ts <<EOF\nnpm i\nEOF\n", []],
  ])("commands beside a file in a shell's command: %j", (text, expected) => {
    expect(notRead(`\`\`\`bash\n${text}\`\`\`\n`)).toEqual(expected);
    expect(found(`\`\`\`bash\n${text}\`\`\`\n`)).toHaveLength(1);
  });
});

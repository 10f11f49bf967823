import { describe, expect, it } from "vitest";
import { Failed, nextStep } from "../../../src/core/failure.ts";
import { replaceAll, replaceOnce, replaceRange } from "../../../src/edit/replace.ts";

/** Returns the hint of a call that must fail. */
function hintOf(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Failed) return thrown.alignment.hint ?? nextStep(thrown.failure) ?? "";
    throw thrown;
  }
  throw new Error("this did not fail");
}

const missed = (text: string | Buffer, oldText: string, newText = "x", match: "exact" | "tolerant" = "tolerant") => hintOf(() => replaceOnce(Buffer.from(text), oldText, newText, match));

const source = `import { a } from "a";

export function start(port) {
  const server = listen(port);
  return server;
}

export function stop(server) {
  server.close();
  return server;
}
`;

describe("a text that is not found", () => {
  it.each([
    ["one word", "  const server = listen(8080);\n  return server;\n", "closest is lines 4-5, where one line differs"],
    ["lines that contain more", "  const server = listen\n  return server;\n", "the lines contain more than is quoted"],
    ["a missing line", "export function stop(server) {\n  return server;\n", "where the file has more lines"],
    ["tabs, and a line less", "export function stop(server) {\n\tserver.close();\n}\n", "closest is lines 8-11, where the file has more lines, tabs against spaces aside"],
    ["tabs that are no unit", "\tconst server = listen(port);\n\t\treturn server;\n", "the file is indented with spaces (- old_text, + the file; → is a tab, · a space)"],
    ["case", "EXPORT function start(port) {\n", "closest is line 3, where upper and lower case differ"],
    ["inner white space", "const  server =  listen(port);", "where white space within the lines differs"],
    ["other line breaks", "  const server =\n    listen(port);\n  return server;\n", "lines"],
    ["a missing blank line", "}\nexport function stop(server) {\n", "closest is lines 6-8, where line breaks or blank lines differ"],
    ["an extra blank line", "export function stop(server) {\n\n  server.close();\n", "line breaks or blank lines differ"],
    ["nothing like it", "zebra quagga okapi\n", "nothing in the file is similar to old_text"],
    ["white space only", " \n \n  ", "only white space"],
  ])("%s", (_, oldText, expected) => {
    expect(missed(source, oldText)).toContain(expected);
  });

  it.each([
    ["no width", "say\u200b(1);\nend\n", "say(1);\nend  \n"],
    ["another form of an accent", "cafe\u0301 = 1\n", "caf\u00e9 = 1\n"],
  ])("may differ invisibly: %s", (_, text, oldText) => {
    expect(missed(text, oldText)).toContain("where invisible or look-alike characters differ; replace the lines by number, or send the whole file (- old_text");
  });

  it("may start with a blank line that the file lacks, however indented", () => {
    expect(missed("x\n  a(b)\n  c(d)\n", "\n\na(b)\nc(d)\n")).toContain("closest is lines 2-3, where blank lines around it differ");
  });

  it("shows twelve lines of a place at most", () => {
    const lines = (count: number, indent = ""): string => Array.from({ length: count }, (_, index) => `${indent}f${index}()\n`).join("");
    const shownOf = (count: number): string[] => missed(lines(count, "  "), lines(count), "x", "exact").split("\n").slice(1);
    expect([shownOf(12).length, shownOf(12).at(-1), shownOf(13).length, shownOf(13).at(-1)]).toEqual([12, "    12:   f11()", 13, "        … to line 13"]);
  });

  it("may start or end inside a word", () => {
    expect(missed("  if a:\n    return 10\n", "if a:\n  return 1\n".trimEnd())).toContain("where the lines contain more than is quoted");
  });

  it("is shown next to the file's numbered lines", () => {
    expect(missed(source, "  const server = listen(8080);\n  return server;\n")).toBe(`closest is lines 4-5, where one line differs (- old_text, + the file):
       -   const server = listen(8080);
     4 +   const server = listen(port);
     5     return server;`);
  });

  it.each([
    ["with another indentation", "const server = listen(8080);\nreturn server;\n", ", indentation aside", "const server = listen(8080);"],
    ["whose first line lost its indentation", "const server = listen(8080);\n  return server;\n", "", "const server = listen(8080);"],
    ["with typographic quotes", "import { a } from “a”;\n\nexport function begin(port) {\n", "", "export function begin(port) {"],
  ])("is shown without tolerated differences: a text %s", (_, oldText, aside, line) => {
    const hint = missed(source, oldText);
    expect(hint).toContain(`where one line differs${aside} (- old_text`);
    expect(hint.split("\n").filter((shown) => /^ {6} -/.test(shown))).toEqual([`       - ${line}`]);
  });

  it("is searched for by whole lines too, if all its words are common", () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => `  {"row": ${Math.floor(index / 50)}, "column": ${index % 50}, "colour": "green"},`);
    const quoted = [...rows.slice(2_000, 2_003), rows[2_003]?.replace("green", "blue")].join("\n");
    expect(missed(rows.join("\n"), quoted)).toMatch(/^closest is lines 2001-2004, where one line differs/);
  });

  it("is compared including formatting if none is tolerated", () => {
    expect(missed(source, "const server = listen(8080);\nreturn server;\n", "x", "exact")).toContain("where 2 of 2 lines differ (");
  });

  it("may be searched for in an empty file", () => {
    expect(missed("", "a")).toBe("the file is empty");
  });

  it("may already have been replaced", () => {
    expect(missed(source, "return server, port;", "  server.close();\n")).toMatch(/^already applied\? new_text is in line 9;/);
    expect(missed(source, "  server.close();\n  return;\n", "server.close();")).not.toContain("already");
  });

  it.each([
    ["line numbers", "  9:   server.close();\n 10:   return server;\n", "has line numbers before its lines", "9-10"],
    ["line numbers of another view", "9\t  server.close();\n10\t  return server;", "has line numbers before its lines", "9-10"],
    ["line numbers before a bar", " 9 |   server.close();\n10 |   return server;", "has line numbers before its lines", "9-10"],
    ["signs of a diff", "-  server.close();\n-  return server;", "has the signs of a diff before its lines", "9-10"],
    ["a code fence", "```js\n  server.close();\n  return server;\n```\n", "has a code fence around it", "9-10"],
    ["an ellipsis", "export function stop(server) {\n  ...\n}\n", "leaves lines out: its line 2, '...', is not in the file", "8-11"],
    ["an ellipsis in a comment", "export function stop(server) {\n  // ...\n  return server;\n", "leaves lines out: its line 2, '// ...', is not in the file", "8-10"],
    ["a placeholder", "export function stop(server) {\n  // ... existing code ...\n}\n", "leaves lines out: its line 2, '// ... existing code ...', is not in the file", "8-11"],
    ["a placeholder without an ellipsis", "export function stop(server) {\n  ' rest of the code unchanged\n}\n", "leaves lines out: its line 2, '' rest of the code unchanged', is not in the file", "8-11"],
  ])("may contain additions of its writer: %s", (_, oldText, what, lines) => {
    const [first, ...shown] = missed(source, oldText).split("\n");
    expect(first).toBe(`old_text ${what}; otherwise it matches lines ${lines}. Quote the file as it is, in the new text too:`);
    expect(shown).toContain("    10:   return server;");
  });

  it.each([
    ["a list", "- zebra\n- quagga", "- zebra\n- okapi\n"],
    ["an ellipsis whose parts are elsewhere", "zebra\n...\nokapi", "okapi\nzebra\nquagga\n"],
    ["numbers that are the file's", "1: zebra\n2: quagga", "1: zebra\n2: okapi\n"],
  ])("is not blamed on an addition whose removal yields no match: %s", (_, oldText, text) => {
    expect(missed(text, oldText)).toMatch(/^(?:closest is |nothing in the file is similar to)/);
  });

  it("may end with a newline that the file lacks", () => {
    expect(missed("a\nlast line", "last line\n")).toBe("the file has no final newline: old_text matches its end except for that newline");
  });

  it("may differ in formatting only, as the hint says under exact", () => {
    const hint = missed(source, "export function stop(server) {\nserver.close();\n", "x", "exact");
    expect(hint).toContain("closest is lines 8-9");
    expect(missed(source, "server.close();  \nreturn server;\n", "x", "exact")).toBe(`only formatting differs: old_text matches lines 9-10 except for trailing white space (line 9), indentation (lines 9-10). Quote the file as it is (or set edits.match: tolerant in loaf.yml):
     9:   server.close();
    10:   return server;`);
  });

  it("names no setting if formatting is never tolerated", () => {
    expect(hintOf(() => replaceAll(Buffer.from(source), "server.close();  \n", "x", 1))).not.toContain("loaf.yml");
  });

  it("may match several places except for formatting", () => {
    expect(missed("  a1\n  b1\n\n\ta1\n\tb1\n", "a1\nb1\n")).toMatch(/lines 1-2: differs in indentation \(lines 1-2\)\nlines 4-5: differs in/);
  });
});

describe("a text that occurs several times", () => {
  const twice = `${source}\n${source.replace("a", "b")}`;

  it("gets a line that makes each place unique", () => {
    expect(missed(source, "  return server;\n}\n")).toBe(`old_text occurs in lines 5, 10; to make it unique, quote one more line, or all lines up to it:
line 5: begin with line 4:   const server = listen(port);
line 10: begin with line 9:   server.close();`);
  });

  it("gets the whole lines if their beginnings are alike", () => {
    const long = `// ${"lorem ipsum ".repeat(20)}`;
    expect(missed(`${long}one\nhere\n${long}two\nhere\n`, "here\n").split("\n").slice(1)).toEqual([`line 2: begin with line 1: ${long}one`, `line 4: begin with line 3: ${long}two`]);
  });

  it("gets the advice to count lines if no nearby line is unique", () => {
    expect(missed(twice, "  server.close();\n")).toContain("line 21: nothing within 4 lines distinguishes it from the others; replace it by its number, or send the whole file");
  });

  it("is reported if it occurs twice in one line", () => {
    expect(missed("one two one\n", "one")).toContain("line 1: more than once in this line: one two one");
  });

  it("is only listed if it occurs very often", () => {
    const hint = missed("a line\n".repeat(5_000), "a line\n");
    expect(hint).toMatch(/^old_text occurs in lines 1, 2, .* 20 and more: quote more/);
    expect(hint.split("\n")).toHaveLength(1);
  });

  it("is listed if it occurs an unexpected number of times", () => {
    expect(hintOf(() => replaceAll(Buffer.from("a\nb\na\n"), "a", "x", 3))).toBe("old_text occurs in lines 1, 3");
  });
});

describe("a range", () => {
  const range = (from: string, to: string) => hintOf(() => replaceRange(Buffer.from(source), from, to, "x", "tolerant"));

  it("whose end occurs only before its beginning", () => {
    expect(range("function stop", "function start")).toContain("old_text_end occurs in line 3, before old_text_beginning ends (line 8)");
  });

  it("whose end is not unique after its beginning", () => {
    expect(range("function start", "return server")).toMatch(/^old_text_end occurs in lines 5, 10;/);
  });

  it("whose beginning is misquoted", () => {
    expect(range("export function stopp(server) {\n", "}")).toContain("(- old_text_beginning, + the file)");
  });
});

describe("any hint", () => {
  const long = `${"x".repeat(5_000)} anchor ${"y".repeat(5_000)}\n`;

  it.each([
    ["many different lines", Array.from({ length: 300 }, (_, index) => `value${index} = ${index};\n`).join(""), Array.from({ length: 300 }, (_, index) => `value${index} = ${index + 1};\n`).join("")],
    ["long lines", long.repeat(3), `${"x".repeat(4_999)} anchor\n`],
    ["many places", `${long.repeat(50)}`, "anchor"],
    ["a long matching place", "  a1\n".repeat(1) + "  b\n".repeat(500), `a1\n${"b\n".repeat(500)}`],
  ])("has at most thirty lines of limited length: %s", (_, text, oldText) => {
    const lines = missed(text, oldText, "x", "exact").split("\n");
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300);
  });
});

describe("the lines of a difference", () => {
  it("are paired by their text, not by lone braces", () => {
    const text = "function a() {\n  if (x) {\n    one();\n  }\n  if (y) {\n    two();\n  }\n  finish();\n}\n";
    expect(missed(text, "function a() {\n  if (x) {\n    uno();\n  }\n  finish();\n}\n")).toBe(
      [
        "closest is lines 1-9, where one line differs (- old_text, + the file):",
        "     1   function a() {",
        "     2     if (x) {",
        "       -     uno();",
        "     3 +     one();",
        "     4     }",
        "     5 +   if (y) {",
        "     6 +     two();",
        "     7 +   }",
        "     8     finish();",
        "     9   }",
      ].join("\n"),
    );
  });

  it("are those that are not the same, if only some are indented otherwise", () => {
    const uneven = missed("class A:\n    def f():\n        def g():\n            x()\n", "    def f():\n       def g():\n           x()\n");
    expect(uneven.split("\n").slice(1)).toEqual(["     2       def f():", "       - ·······def g():", "       - ···········x()", "     3 + ········def g():", "     4 + ············x()"]);
    const first = missed("def f():\n    return 1\n", "def f():\n  return 1\n");
    expect(first.split("\n").slice(1)).toEqual(["     1   def f():", "       - ··return 1", "     2 + ····return 1"]);
    const steps = missed("if a:\n    go()\nelse:\n    stop()\n", "if a:\n  go()\nelse:\n  stop()\n");
    expect(steps.split("\n").slice(1)).toEqual(["     1   if a:", "       - ··go()", "     2 + ····go()", "     3   else:", "       - ··stop()", "     4 + ····stop()"]);
  });

  it("are not said to differ with indentation aside, if the indentation differs unevenly", () => {
    const hint = missed("if a:\n    b()\n    c()\n    d()\n", "  if a:\n      b()\n     c()\n      x()\n");
    expect(hint.split("\n")).toEqual([
      "closest is lines 1-4, where 2 of 4 lines differ (- old_text, + the file; → is a tab, · a space):",
      "     1   if a:",
      "     2       b()",
      "       - ·····c()",
      "       -       x()",
      "     3 + ····c()",
      "     4 +     d()",
    ]);
  });

  it("show no marks where only the content differs", () => {
    expect(missed("\ta()\n\tb()\n", "\ta()\n\tc()\n")).not.toMatch(/[→·]/);
  });
});

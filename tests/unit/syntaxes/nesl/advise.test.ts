import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { isBlock } from "../../../../src/core/block.ts";
import { readAnswer } from "../../../../src/answer/read-answer.ts";
import { tries } from "../../../support/tries.ts";

/** The hints on a text, in the order of its errors. */
function hintsOn(text: string): readonly string[] {
  const { items, advise } = readAnswer(text);
  return items.flatMap((item) => (isBlock(item) ? advise(item.diagnostics, text.slice(item.span.start, item.span.end)) : advise([item], item.content)));
}

const inBlock = (line: string): string => `#!nesl [@three-char-SHA-256: k7m]\naction = "file_read"\n${line}\n#!end_k7m\n`;

describe("the hint on a line of a block", () => {
  it.each([
    [`path = '/a/b.txt'`, `path = "/a/b.txt"`],
    [`path = “/a/b.txt”`, `path = "/a/b.txt"`],
    ["path = `/a/b.txt`", `path = "/a/b.txt"`],
    [`path = /a/b.txt`, `path = "/a/b.txt"`],
    [`path := "/a/b.txt"`, `path = "/a/b.txt"`],
    [`path => "/a/b.txt"`, `path = "/a/b.txt"`],
    [`path: "/a/b.txt"`, `path = "/a/b.txt"`],
    [`path: /a/b.txt`, `path = "/a/b.txt"`],
    [`"path": "/a/b.txt",`, `path = "/a/b.txt"`],
    [`- path = "/a/b.txt"`, `path = "/a/b.txt"`],
    [`  path = "/a/b.txt"`, `path = "/a/b.txt"`],
    [`path = "/a/b.txt`, `path = "/a/b.txt"`],
    [`path = "/a/b.txt";`, `path = "/a/b.txt"`],
    [`path = "/a/b.txt" # the file`, `path = "/a/b.txt"`],
    [`old-text = "x"`, `old_text = "x"`],
    [`old text = "x"`, `old_text = "x"`],
    [`count = 3`, `count = "3"`],
    [`return_output = false`, `return_output = "false"`],
    [`path = "C:\\src\\new.txt"`, `path = "C:\\\\src\\\\new.txt"`],
    [`content = "say "hi" to them"`, `content = "say \\"hi\\" to them"`],
    [`lines =`, `lines = ""`],
  ])("%s", (line, right) => {
    expect(hintsOn(inBlock(line))).toEqual([`write line 3 as: ${right}`]);
  });

  it.each([
    ["= \"x\"", "write the parameter's name first, as in: path = \"x\""],
    ["```", "leave out line 3: between its header and #!end_k7m, a block has only parameters"],
    ["# a comment", "leave out line 3: between its header and #!end_k7m, a block has only parameters"],
    ["content = <<EOT_k7m\nEOT_k7m", "write line 3 as: content = <<'EOT_k7m', and end the value with the line EOT_k7m"],
    ["content = <<'EOF'\nx = 1\nEOF", "write line 3 as: content = <<'EOT_k7m', and end the value with the line EOT_k7m"],
    ["#!end_", "write line 3 as: #!end_k7m"],
    ["#!end_abc x", "write line 3 as: #!end_k7m"],
    ['path = "a"\npath = "b"', "keep one line for each parameter: leave out line 4, or the one above it with the same name"],
  ])("%s", (line, hint) => {
    expect(new Set(hintsOn(inBlock(line)))).toEqual(new Set([hint]));
  });

  it.each(['content = "line one\nand line two"', 'content = """\nline one\n"""', "content: |\n  line one\n  line two", "content =\nline one"])("tells of a heredoc, once for all lines of the value: %j", (lines) => {
    expect(new Set(hintsOn(inBlock(lines)))).toEqual(new Set(["write a value of several lines as follows, its last line alone from the first column:\ncontent = <<'EOT_k7m'\n…\nEOT_k7m"]));
  });
});

describe("the hint on the frame of a block", () => {
  it.each([
    ["#!nesl [@three-char-SHA-256 k7m]\n", ["write line 1 as: #!nesl [@three-char-SHA-256: k7m], with the same ID in the lines that end its values and the block"]],
    ["#!nesl [@three-char-SHA-256: a-b-c]\n", ["write line 1 as: #!nesl [@three-char-SHA-256: abc], with the same ID in the lines that end its values and the block"]],
    ["#!nesl [@three-char-SHA-256: k7m]\n#!end_k7n\n", ["write line 2 as: #!end_k7m"]],
    ["#!nesl [@three-char-SHA-256: k7m]\n", ["end the block with this line: #!end_k7m"]],
    ["#!SHAM [@three-char-SHA-256: k7m]\n", ["end the block with this line: #!END_SHAM_k7m"]],
    ["#!nesl [@three-char-SHA-256: k7m]\nx = <<'EOT_k7m'\n", ["end the value with the line EOT_k7m, and the block with the line #!end_k7m"]],
  ])("%j", (text, hints) => {
    expect(hintsOn(text)).toEqual(hints);
  });
});

const value = fc.stringMatching(/^[A-Za-z/][\w ./$]{0,20}[\w/]$/);
const damage: ReadonlyArray<(key: string, text: string) => string> = [
  (key, text) => `${key} = '${text}'`,
  (key, text) => `${key} := "${text}"`,
  (key, text) => `${key}: ${text}`,
  (key, text) => `"${key}": "${text}",`,
  (key, text) => `  ${key} = "${text}"`,
  (key, text) => `${key} = ${text}`,
  (key, text) => `${key} = "${text}`,
  (key, text) => `* ${key} = “${text}”`,
  (key, text) => `${key} = "${text}" // note`,
];

test("a block that is corrected as its hints say is the block that was meant", () => {
  const line = fc.record({ key: fc.stringMatching(/^[a-z][a-z_]{1,8}[a-z]$/), text: value, damage: fc.option(fc.constantFrom(...damage)) });
  fc.assert(
    fc.property(fc.uniqueArray(line, { selector: ({ key }) => key, minLength: 1, maxLength: 5 }), (lines) => {
      const written = lines.map((one) => (one.damage ?? ((key: string, text: string) => `${key} = "${text}"`))(one.key, one.text));
      const text = ["#!nesl [@three-char-SHA-256: k7m]", ...written, "#!end_k7m"].join("\n");
      const corrected = text.split("\n");
      for (const hint of hintsOn(text)) {
        const [, number, right = ""] = /^write line (\d+) as: (.*)$/.exec(hint) ?? [];
        corrected[Number(number) - 1] = right;
      }
      const [block] = readAnswer(corrected.join("\n")).items;
      expect(block).toMatchObject({ diagnostics: [], properties: Object.fromEntries(lines.map(({ key, text: meant }) => [key, meant])) });
    }),
    tries(200, 10_000),
  );
});

test("any line gets a hint in time that grows with its length alone", () => {
  const long = "a".repeat(200_000);
  for (const line of [`${long} = x`, `path = "${long}`, `path = ${"\\".repeat(200_000)}`, `path = '${"'".repeat(200_000)}`, `- ${" ".repeat(200_000)}=`]) {
    expect(hintsOn(inBlock(line)).every((hint) => hint.length < 1_000)).toBe(true);
  }
});

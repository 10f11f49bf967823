/** Law of statements that are shown beside one of a function: they stand beside it, and never at the end of the file. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly info: string;
  readonly indent: string;
  readonly file: (...statements: readonly string[]) => string;
  readonly known: readonly string[];
  readonly added: readonly string[];
}

const body = (indent: string, statements: readonly string[]): string => statements.map((line) => `${indent}${line}\n`).join("");
const LANGUAGES: readonly Language[] = [
  {
    path: "x.py", info: "python", indent: "    ",
    file: (...all) => `import sys\n\n\ndef build():\n    sub = parser.subs()\n${body("    ", all)}    return parser\n\n\ndef main(argv=None):\n    return 1\n`,
    known: ["show = sub.add_parser(\"show\")", "show.add_argument(\"id\")", "limit = 3"], added: ["delete = sub.add_parser(\"delete\")", "extra = 4"],
  },
  {
    path: "x.go", info: "go", indent: "\t",
    file: (...all) => `package a\n\nfunc build() {\n\tsub := parser.Subs()\n${body("\t", all)}\treturn\n}\n\nfunc main() {\n\tbuild()\n}\n`,
    known: ["show := sub.Add(\"show\")", "show.Arg(\"id\")", "limit := 3"], added: ["del := sub.Add(\"del\")", "extra := 4"],
  },
  {
    path: "x.ts", info: "ts", indent: "  ",
    file: (...all) => `import sys from "sys";\n\nfunction build() {\n  const sub = parser.subs();\n${body("  ", all)}  return parser;\n}\n\nfunction main() {\n  build();\n}\n`,
    known: ["const show = sub.add(\"show\");", "show.arg(\"id\");", "let limit = 3;"], added: ["const del = sub.add(\"del\");", "let extra = 4;"],
  },
  {
    path: "x.rs", info: "rust", indent: "    ",
    file: (...all) => `use std::fs;\n\nfn build() {\n    let sub = parser.subs();\n${body("    ", all)}    sub.done();\n}\n\nfn main() {\n    build();\n}\n`,
    known: ["let show = sub.add(\"show\");", "show.arg(\"id\");", "let limit = 3;"], added: ["let del = sub.add(\"del\");", "let extra = 4;"],
  },
];
const SENTENCES = ["In `PATH`, add the parser for `delete`:", "In `PATH`:", "Add the new parser in `build` (`PATH`):", "Add this to `PATH`:", "Add it to `build` in `PATH`:"];

describe.each(LANGUAGES)("in $path", ({ path, info, indent, file, known, added }) => {
  const before = file(...known);
  const answer = (sentence: string, lines: readonly string[], margin: string): Promise<string> =>
    answered(path, before, `${sentence.replace("PATH", path)}\n\n\`\`\`${info}\n${body(margin, lines)}\`\`\`\n`);

  test.each(SENTENCES)("%s, below a known one", async (sentence) => {
    for (const [at, line] of known.entries())
      for (const more of added)
        for (const margin of [indent, ""])
          expect(await answer(sentence, [line, more], margin), line).toBe(file(...known.slice(0, at + 1), more, ...known.slice(at + 1)));
  });

  test.each(SENTENCES)("%s, above a known one it stands there, or nowhere", async (sentence) => {
    for (const [at, line] of known.entries())
      for (const more of added)
        expect([before, file(...known.slice(0, at), more, ...known.slice(at))], line).toContain(await answer(sentence, [more, line], indent));
  });
});

test("a value of a class, and one at the margin, stand where others of their kind do", async () => {
  const file = "LIMIT = 1\n\n\nclass Cart:\n    limit = 1\n    size = 2\n\n    def add(self):\n        limit = 1\n        return limit\n";
  expect(await answered("x.py", file, "Add a limit to `x.py`:\n\n```python\nLIMIT = 1\nOTHER = 2\n```\n")).toBe(file.replace("LIMIT = 1\n", "LIMIT = 1\nOTHER = 2\n"));
  expect(await answered("x.py", file, "Add a field to the `Cart` class in `x.py`:\n\n```python\n    size = 2\n    count = 0\n```\n")).toBe(file.replace("size = 2\n", "size = 2\n    count = 0\n"));
});

test.each(["Add this to `a.py`:", "In `a.py`:", "`a.py`:", "In `a.py`, add:"])("%s: a value shown inside something is none of the whole file", async (sentence) => {
  const file = "import flask\n\nLIMIT = 1\n\n\ndef index(request):\n    q = request.args\n    return q\n";
  const said = (code: string): Promise<string> => answered("a.py", file, `${sentence}\n\n\`\`\`python\n${code}\`\`\`\n`);
  expect(await said("    size = 10\n")).toBe(file);
  for (const code of ["SIZE = max(LIMIT, 2)\n", "NAMES = [q.strip() for q in (\"a\", \"b\")]\n", "KEY = {\"a\": lambda request: request.get(\"a\")}\n"]) expect(await said(code), code).toContain(code);
});

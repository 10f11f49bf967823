/** The law of what an answer shows beside what the file has: it goes there, in the way that the file writes such things. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;

/** A nested rule as the file has it, and a new one below it. */
const RULES = ["&:focus,\n  &:hover {\n    opacity: .95;\n  }", "&::before {\n    content: none;\n  }", ".icon {\n    margin: 0;\n  }"];
test.each(RULES.flatMap((_, at) => ["\n", ""].flatMap((gap) => ["", "    "].map((indent) => [at, gap, indent] as const))))("below nested rule %i, apart by '%s', shown with '%s'", async (at, gap, indent) => {
  const fileOf = (rules: readonly string[]): string => `.a {\n  color: red;\n${gap}  ${rules.join(`\n${gap}  `)}\n}\n\n.b {\n  color: blue;\n}\n`;
  const added = "&:disabled {\n    opacity: .5;\n  }";
  const shown = `  ${RULES[at]}\n${gap}  ${added}`.split("\n").map((line) => (line === "" ? line : indent + line)).join("\n");
  for (const sentence of ["Update the rule in `a.scss`:", "**Style** – make it visible in `a.scss`:"])
    expect(await answered("a.scss", fileOf(RULES), `${sentence}\n\n${fence("scss", shown)}`)).toBe(fileOf(RULES.toSpliced(at + 1, 0, added)));
});

/** Where a file has one import for each name, a further one has a line of its own. */
const IMPORTS: readonly (readonly [path: string, lines: readonly string[], added: string, at: number])[] = [
  ["a.py", ["from .exc import BadData", "from .exc import BadTime", "from .url import Url"], "from .exc import Expired", 2],
  ["a.ts", ['import { a } from "./x";', 'import { b } from "./x";', 'import { u } from "./u";'], 'import { c } from "./x";', 2],
];
test.each(IMPORTS)("%s: one import for each name", async (path, lines, added, at) => {
  const fileOf = (imports: readonly string[]): string => `${imports.join("\n")}\n\nx = 1\n`;
  for (const shown of [[...lines.slice(0, at), added, ...lines.slice(at)], [lines[at - 1], added]])
    expect(await answered(path, fileOf(lines), `In \`${path}\`, update the imports:\n\n${fence("", shown.join("\n"))}`)).toBe(fileOf(lines.toSpliced(at, 0, added)));
});

/** A new method of a type of Go has its place below the others. */
test.each(["**Updated code (`a.go`):**", "I extract a method. In `a.go`:", "Here is the helper for `a.go`:"])("a method of Go: %s", async (sentence) => {
  const methodOf = (name: string): string => `func (c *Cart) ${name}() int {\n\treturn 1\n}\n`;
  const fileOf = (names: readonly string[]): string => `package a\n\ntype Cart struct{}\n\n${names.map(methodOf).join("\n")}`;
  expect(await answered("a.go", fileOf(["Add", "Total"]), `${sentence}\n\n${fence("go", methodOf("count"))}`)).toBe(fileOf(["Add", "Total", "count"]));
});

/** PHP is shown with the mark that begins its files, and the path below it, though the fence holds a method alone. */
test.each(["<?php\n\n", "<?php\n// src/Cart.php\n\n", "<?php\n# src/Cart.php\n", ""].flatMap((head) => ["", "    "].map((indent) => [head, indent] as const)))("a method of PHP below '%s%s'", async (head, indent) => {
  const method = (sign: string): string => `public function total($x)\n{\n    $y = $x;\n    return $y ${sign} 2;\n}`;
  const indented = (text: string, by: string): string => text.split("\n").map((line) => by + line).join("\n");
  const fileOf = (sign: string): string => `<?php\n\nnamespace A;\n\nclass Cart\n{\n${indented(method(sign), "    ")}\n\n    public function other($x)\n    {\n        $y = $x;\n        return $y;\n    }\n}\n`;
  expect(await answered("src/Cart.php", fileOf("*"), `Update \`src/Cart.php\`:\n\n${fence("php", head + indented(method("+"), indent))}`)).toBe(fileOf("+"));
});

/** A name that a file declares once is not declared twice, where its language allows that once. */
test.each([
  ["a.go", 'package a\n\nimport (\n\t"os"\n)\n\nvar hooks = []string{}\n\nfunc F() int {\n\treturn 1\n}\n', 'import (\n\t"os"\n\t"sync"\n)\n\nvar (\n\tmu sync.Mutex\n\thooks = []string{}\n)'],
  ["a.ts", 'import { a } from "a";\n\nconst limit = 1;\n\nexport function f() {\n  return limit;\n}\n', 'import { a, b } from "a";\n\nconst limit: number = b;'],
])("%s: declared once", async (path, before, shown) => {
  for (const sentence of ["Guard it in `P`:", "Update `P`:", "Add this to `P`:"]) {
    const text = await answered(path, before, `${sentence.replace("P", path)}\n\n${fence("", shown)}`);
    expect(text.match(/(?:\bhooks\s*=|\bconst limit\b)/g)).toHaveLength(1);
  }
});

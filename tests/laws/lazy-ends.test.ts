/** A law of lazy files: a method inside of containers, with or without their heads and ends, lands in its own or nowhere. */
import { expect, test } from "vitest";
import { isLong } from "../support/tries.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly top: string;
  readonly around: readonly [string, string];
  readonly head: (name: string) => string;
  readonly end: string;
  readonly mark: string;
}

const LANGUAGES: readonly Language[] = [
  { path: "src/a.rb", top: "require 'x'", around: ["module Shop", "class Cart"], head: (name) => `def ${name}(a)`, end: "end", mark: "#" },
  { path: "src/a.ts", top: "import x from 'x';", around: ["namespace Shop {", "export class Cart {"], head: (name) => `${name}(a) {`, end: "}", mark: "//" },
  { path: "src/a.cs", top: "using X;", around: ["namespace Shop {", "class Cart {"], head: (name) => `void ${name}(int a) {`, end: "}", mark: "//" },
  { path: "src/a.java", top: "import x.Y;", around: ["class Shop {", "static class Cart {"], head: (name) => `void ${name}(int a) {`, end: "}", mark: "//" },
  { path: "src/a.rs", top: "use x::y;", around: ["mod shop {", "impl Cart {"], head: (name) => `fn ${name}(a: i32) {`, end: "}", mark: "//" },
  { path: "src/a.kt", top: "import x.Y", around: ["object Shop {", "class Cart {"], head: (name) => `fun ${name}(a: Int) {`, end: "}", mark: "//" },
  { path: "src/a.cpp", top: "#include <x>", around: ["namespace shop {", "class Cart {"], head: (name) => `void ${name}(int a) {`, end: "}", mark: "//" },
];
const NAMES = ["add", "drop", "total", "clear"];
/** Which statement changes: one in the middle, or the last. */
const PLACES = [1, 3];
/** What becomes of it; an added one stands below it. */
const CHANGES = ["goes", "is another", "gets a new one"] as const;

const EVERY = LANGUAGES.flatMap((language) =>
  [0, 1, 2].flatMap((depth) =>
    NAMES.flatMap((name) =>
      CHANGES.flatMap((change) => PLACES.map((at) => ({ change, at }))).flatMap(({ change, at }) =>
        // How many of the heads around it are shown, and how many lines of the file's end.
        Array.from({ length: depth + 1 }, (_, heads) => heads).flatMap((heads) =>
          Array.from({ length: depth + 3 }, (_, tail) => tail).flatMap((tail) => ["margin", "depth"].map((place) => ({ language, depth, name, change, at, heads, tail, place }))),
        ),
      ),
    ),
  ),
).filter(({ name, depth, tail }) => name !== NAMES.at(-1) || tail <= depth);
const STEP = 53;

test("a method between placeholders is changed where it is, and what closes its containers stays as it is", { timeout: isLong ? 1_000_000 : 60_000 }, async () => {
  const trials = EVERY.filter((_, at) => isLong || at % STEP === 0);
  let landed = 0;
  for (const { language, depth, name, change, at, heads, tail, place } of trials) {
    const { path, top, around, head, end, mark } = language;
    const wraps = around.slice(2 - depth);
    const indent = (level: number, line: string): string => "  ".repeat(level) + line;
    const print = (of: string, isNew: boolean): string[] => {
      const statement = (word: string): string => indent(1, `${word}(a)${end === "}" ? ";" : ""}`);
      const lines = ["one", "two", "three", "four"].map((word) => statement(`${word}_${of}`));
      const fresh = change === "goes" ? [] : change === "is another" ? [statement("log")] : [lines[at] ?? "", statement("log")];
      return [head(of), ...(isNew ? lines.toSpliced(at, 1, ...fresh) : lines), end].map((line) => indent(depth, line));
    };
    const file = (changed: string): string[] => [
      top,
      "",
      ...wraps.map((line, level) => indent(level, line)),
      ...NAMES.flatMap((of) => ["", ...print(of, of === changed)]).slice(1),
      ...wraps.map((_, level) => indent(depth - 1 - level, end)),
    ];
    const [old, now] = [file(""), file(name)];
    const hole = (level: number): string => `${place === "margin" ? "" : "  ".repeat(level)}${mark} ... existing code ...`;
    const isLast = name === NAMES.at(-1);
    const shown = [
      top,
      "",
      ...wraps.slice(0, heads).map((line, level) => indent(level, line)),
      ...(name === NAMES[0] && heads === depth ? [] : [hole(heads), ""]),
      ...print(name, true),
      ...(isLast && tail === depth ? [] : ["", hole(depth)]),
      ...now.slice(now.length - tail),
    ];
    const answer = `**${path}**\n\n\`\`\`\n${shown.join("\n")}\n\`\`\`\n`;
    const [before, after] = [`${old.join("\n")}\n`, `${now.join("\n")}\n`];
    const result = await answered(path, before, answer);
    if (result !== before) expect(result, answer).toBe(after);
    landed += Number(result === after);
  }
  expect(landed / trials.length).toBeGreaterThan(0.8);
});

/** A placeholder at the margin, below a blank line, belongs to the file: in Python, no bracket says that the function above has ended. */
test.each(["# ...", "# ... rest of the code unchanged ...", "# ... existing code ...", "# rest of the file stays the same"])("%s below a function of Python stands for none of its lines", async (hole) => {
  const fileOf = (body: string): string => `import os\n\n\ndef e():\n    return 0\n\n\ndef f(a):\n${body}\n\n\ndef g():\n    return 1\n`;
  const [before, after] = [fileOf("    x = a\n    reg(x)\n    return None"), fileOf("    x = a + 1\n    reg(x)")];
  for (const blank of ["\n", "\n\n"])
    for (const label of ["**a.py**", "Update `f` in `a.py`:", "Update `a.py`:"]) {
      const text = await answered("a.py", before, `${label}\n\n\`\`\`python\ndef f(a):\n    x = a + 1\n    reg(x)\n${blank}${hole}\n\`\`\`\n`);
      expect([before, after], `${label} ${hole}`).toContain(text);
    }
});

test("below a block that no bracket ends it stands for the lines of the block", async () => {
  const before = "function f(a) {\n  if (!a || a.length === 0) return '';\n  a = new Set(a);\n\n  const b = a.size;\n  return b;\n}\n\nexports.f = f;\n";
  const shown = "// ... existing code ...\n\nfunction f(a) {\n  if (!a?.length) return '';\n  a = new Set(a);\n\n// ... existing code ...\n";
  expect(await answered("a.js", `const c = 1;\n\n${before}`, `### \`a.js\`\n\n\`\`\`js\n${shown}\`\`\`\n`)).toBe(`const c = 1;\n\n${before.replace("!a || a.length === 0", "!a?.length")}`);
});

/** The law of what stands between the declarations that an excerpt shows: it stays, wherever a new one comes between them. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

/** How a language writes a function with a value, a value of its own, and a comment; and what stands around them. */
interface Language {
  readonly fn: (name: string, value: number) => string;
  readonly value: string;
  readonly comment: string;
  readonly around?: readonly [string, string];
}
const LANGUAGES: Readonly<Record<string, Language>> = {
  "a.ts": { fn: (name, value) => `export function ${name}(x: number) {\n  const y = x + ${value};\n  return y;\n}`, value: "const K = 3;", comment: "/**\n * About g.\n */" },
  "proto.js": { fn: (name, value) => `A.prototype.${name} = function (x) {\n  const y = x + ${value};\n  return y;\n};`, value: "A.K = 3;", comment: "// About what follows.", around: ["function A() {}\n\n", "\n"] },
  "class.js": { fn: (name, value) => `  ${name}(x) {\n    const y = x + ${value};\n    return y;\n  }`, value: "  K = 3;", comment: "  // About what follows.", around: ["class A {\n", "\n}\n"] },
  "a.cs": { fn: (name, value) => `    static int ${name} (int x)\n    {\n        int y = x + ${value};\n        return y;\n    }`, value: "    static int K;", comment: "    // About what follows.", around: ["class A\n{\n", "\n}\n"] },
  "a.py": { fn: (name, value) => `def ${name}(x):\n    y = x + ${value}\n    return y`, value: "K = 3", comment: "# About what follows." },
  "a.rb": { fn: (name, value) => `  def ${name}(x)\n    y = x + ${value}\n    y\n  end`, value: "  K = 3", comment: "  # About what follows.", around: ["class A\n", "\nend\n"] },
  "a.go": { fn: (name, value) => `func ${name}(x int) int {\n\ty := x + ${value}\n\treturn y\n}`, value: "var K = 3", comment: "// About what follows.", around: ["package a\n\n", "\n"] },
  "a.c": { fn: (name, value) => `static int ${name}(int x)\n{\n    int y = x + ${value};\n    return y;\n}`, value: "static int K = 3;", comment: "// About what follows." },
  "a.css": { fn: (name, value) => `.${name} {\n  order: ${value};\n  color: red;\n}`, value: ".k { order: 3; }", comment: "/* About what follows. */" },
};
const SENTENCES = ["Update `P`:", "In `P`, add `h` after `f`:", "**P**"];
const BETWEEN: Readonly<Record<string, (language: Language) => readonly string[]>> = {
  "a function": ({ fn }) => [fn("k", 5)],
  "two functions": ({ fn }) => [fn("k", 5), fn("l", 6)],
  "a value": ({ value }) => [value],
  "a comment": ({ comment }) => [comment],
};

test.each(Object.keys(LANGUAGES).flatMap((path) => Object.keys(BETWEEN).map((between) => [path, between] as const)))("%s, %s", async (path, between) => {
  const language = LANGUAGES[path] as Language;
  const { fn, around: [begin, end] = ["", "\n"] } = language;
  const hidden = BETWEEN[between]?.(language) ?? [];
  // A comment is that of what follows it.
  const above = between === "a comment" ? `${hidden.join("\n")}\n` : "";
  const fileWith = (f: number, g: number, fresh: readonly string[]): string =>
    begin + [fn("e", 9), fn("f", f), ...fresh, ...(above === "" ? hidden : []), above + fn("g", g), fn("z", 8)].join("\n\n") + end;
  const before = fileWith(1, 2, []);
  for (const sentence of SENTENCES)
    for (const [f, g] of [[1, 2], [11, 2], [1, 22], [11, 22]] as const) {
      const shown = [fn("f", f), fn("h", 77), fn("g", g)].join("\n\n");
      const text = await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${shown}\n\`\`\`\n`);
      expect(text.replaceAll(/\n+/g, "\n")).toBe(fileWith(f, g, [fn("h", 77)]).replaceAll(/\n+/g, "\n"));
    }
});

/** Functions in conditions stand at different depths: one that is shown below another, and deeper, is none of that one's. */
test.each(["", "    def fresh(x):\n        return x + 41\n\n"])("a function of another depth is not put into the one above it: %j", async (fresh) => {
  const first = "    def build():\n        return 1\n";
  const second = "        def version(name):\n            return name.split('.')\n";
  const before = `import os\n\nif os.name == 'nt':\n${first}\nelif os.name == 'posix':\n    if os.uname():\n${second}\n`;
  for (const [now, then] of [["return 2", "name.split('.')"], ["return 1", "name.split('/')"], ["return 2", "name.split('/')"]] as const) {
    const shown = `${first.replace("return 1", now)}\n${fresh}${second.replace("name.split('.')", then)}`;
    const text = await answered("a.py", before, `Update \`a.py\`:\n\n\`\`\`python\n${shown}\`\`\`\n`);
    expect(text.split("def version").length).toBe(2);
    expect(text === before || text.includes(`if os.uname():\n        def version`)).toBe(true);
  }
});

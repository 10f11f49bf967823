/** The law of an import that a sentence orders besides what the code below it shows: both come, each at its place. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly has: string;
  readonly added: string;
  readonly write: (name: string, code: string) => string;
}

const LANGUAGES: readonly Language[] = [
  { path: "b.py", has: "import os", added: "import sys", write: (name, code) => `def ${name}(x):\n    return ${code}\n` },
  { path: "b.ts", has: 'import { one } from "./one";', added: 'import { two } from "./two";', write: (name, code) => `export function ${name}(x: number) {\n  return ${code};\n}\n` },
  { path: "b.rs", has: "use std::fmt;", added: "use std::io;", write: (name, code) => `fn ${name}(x: u32) -> u32 {\n    ${code}\n}\n` },
  { path: "b.rb", has: 'require "csv"', added: 'require "json"', write: (name, code) => `def ${name}(x)\n  ${code}\nend\n` },
];

/** The sentence, and whether it adds a function or changes one. */
const ORDERS: ReadonlyArray<readonly [said: string, adds: boolean]> = [
  ["In PATH, add IMPORT at the top and update `load`:", false],
  ["In PATH, add IMPORT at the top of the file, then change `load` to:", false],
  ["Add IMPORT to PATH and replace `load` with:", false],
  ["Update `load` in PATH (and add IMPORT at the top):", false],
  ["Update `load` in PATH, and add IMPORT at the top:", false],
  ["Update `load` in PATH and add IMPORT:", false],
  ["In PATH, add IMPORT at the top and this function at the end:", true],
  ["In PATH, add IMPORT and this helper below `store`:", true],
];

describe.each(LANGUAGES)("$path", ({ path, has, added, write }) => {
  const between = path.endsWith(".py") ? "\n\n" : "\n";
  const file = (imports: readonly string[], functions: readonly string[]): string =>
    `${imports.join("\n")}\n${between}${functions.join(between)}`;
  const [load, store] = [write("load", "x"), write("store", "x")];

  test.each(ORDERS)("%s", async (said, adds) => {
    const fence = adds ? write("clear", "x * 2") : write("load", "x * 2");
    const sentence = said.replace("PATH", `\`${path}\``).replace("IMPORT", `\`${added}\``);
    const answer = `${sentence}\n\n\`\`\`\n${fence}\`\`\`\n`;
    const wanted = file([has, added], adds ? [load, store, fence] : [fence, store]);
    expect(await answered(path, file([has], [load, store]), answer)).toBe(wanted);
  });
});

/** What is advised against, supposed or done already is added nowhere. */
test.each([
  "Don't add `import sys` and update `load` in `b.py`:",
  "If you add `import sys` and update `load` in `b.py`, it fails:",
  "I had to add `import sys` and update `load` in `b.py`, which failed:",
  "Bob wants to add `import sys` at the top of `b.py` and this function at the end:",
])("%s", async (said) => {
  const file = "import os\n\n\ndef load(x):\n    return x\n";
  const answer = `${said}\n\n\`\`\`python\ndef load(x):\n    return x * 2\n\`\`\`\n`;
  expect(await answered("b.py", file, answer)).not.toContain("sys");
});

/** What is to be removed or replaced by its import goes. */
test.each(["replace `LIMIT` and `load` with an import:", "remove `LIMIT` and `load` and import them instead:"])("%s", async (said) => {
  const file = "import os\n\nLIMIT = 3\n\n\ndef load(x):\n    return x\n\n\ndef store(x):\n    return load(x)\n";
  const answer = `In \`b.py\`, ${said}\n\n\`\`\`python\nfrom store import LIMIT, load\n\`\`\`\n`;
  const now = await answered("b.py", file, answer);
  expect(now).toContain("from store import LIMIT, load\n");
  expect(now).not.toMatch(/LIMIT = 3|def load/);
  expect(now).toContain("def store");
});

/** What goes is only what is named, and not what the sentence speaks of besides. */
test.each(["replace `MAX = 3` by an import, `MIN` stays:", "remove `MAX` and import it:", "replace the import of `MIN`:", "remove the unused `os` and import `MIN`:", "replace `int(x)` in `MIN` with an import from `util`:"])("%s", async (said) => {
  const file = "import os\n\nMAX = 3\nMIN = 1\n\n\ndef parse(x):\n    return int(x)\n";
  const now = await answered("b.py", file, `In \`b.py\`, ${said}\n\n\`\`\`python\nfrom config import MAX, MIN\n\`\`\`\n`);
  expect(now).toContain("MIN = 1\n");
});

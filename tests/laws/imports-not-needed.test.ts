/** The law of an import that is shown with fewer names: those go that a sentence says are not needed, and nothing uses. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const LANGUAGES = [
  { path: "a.ts", write: (names: readonly string[]): string => `import { ${names.join(", ")} } from "x";\n`, body: (calls: readonly string[]): string => `export function f() {\n${calls.map((name) => `  ${name}();\n`).join("")}  return 1;\n}\n` },
  { path: "a.py", write: (names: readonly string[]): string => `from x import ${names.join(", ")}\n`, body: (calls: readonly string[]): string => `def f():\n${calls.map((name) => `    ${name}()\n`).join("")}    return 1\n` },
];
const ASIDE: Readonly<Record<string, string>> = { "a.ts": '\nexport function g() {\n  third();\n}\n', "a.py": "\n\ndef g():\n    third()\n" };

test.each(LANGUAGES.flatMap(({ path }) => ["\n", "\r\n"].map((end) => [path, end] as const)))("%s with %j", async (path, end) => {
  const { write, body } = LANGUAGES.find((language) => language.path === path) as (typeof LANGUAGES)[number];
  const comment = path.endsWith("py") ? "#" : "//";
  const run = async (names: readonly string[], shown: readonly string[], sentence: string): Promise<string> => {
    const before = (write(names) + (path.endsWith("py") ? "\n\n" : "\n") + body(["first", "second"]) + ASIDE[path]).replaceAll("\n", end);
    const code = `${comment} ${path}\n${write(shown)}\n${comment} ... existing code ...\n\n${body(["first"])}\n${comment} ... existing code ...\n`;
    const now = (await answered(path, before, `\`\`\`\n${code}\`\`\`\n\n${sentence}\n`)).replaceAll("\r\n", "\n");
    return now.slice(0, now.indexOf("\n") + 1);
  };
  const told = "`second` is no longer needed in this file.";
  expect(await run(["first", "second", "third"], ["first", "third", "fourth"], told)).toBe(write(["first", "third", "fourth"]));
  // What something else uses stays, and what no sentence takes away.
  const kept = await run(["first", "second", "third"], ["first", "fourth"], "`third` is no longer needed in this file.");
  expect(kept).toMatch(/third/);
  const silent = await run(["first", "second", "third"], ["first", "third", "fourth"], "It calls `fourth` too.");
  expect(silent).toMatch(/second/);
});

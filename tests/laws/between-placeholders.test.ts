/** Laws of new declarations between placeholders: each stands for something, so nothing new goes past one. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const fence = (path: string, code: string): string => `### ${path}\n\n\`\`\`${path.slice(path.lastIndexOf(".") + 1)}\n${code}\`\`\`\n`;
const js = (name: string, value = 1): string => `function ${name}(a) {\n  check(a);\n  return a + ${value};\n}\n`;
const HOLE = "// ... existing code ...\n";
const BANNER = "//------\n// Execution\n//------\n";

test("a new declaration goes past no placeholder that has only statements below it", async () => {
  for (const statement of ["run(three);\n", `${BANNER}\nrun(three);\n`, "(async function main() {\n  await three();\n}());\n"]) {
    const before = `"use strict";\n\n${js("one")}\n${js("two")}\n${js("three")}\n${statement}`;
    for (const fresh of [js("fresh"), "const fresh = new Set();\n", "/** Says it. */\nlet fresh = false;\n"]) {
      const text = await answered("a.js", before, fence("a.js", `"use strict";\n\n${js("one", 2)}\n${HOLE}\n${fresh}\n${HOLE}\n${statement}`));
      expect(text).toBe(before);
    }
    // Without the placeholder below it, its place is told.
    const told = await answered("a.js", before, fence("a.js", `"use strict";\n\n${js("one", 2)}\n${HOLE}\n${js("three")}\n${js("fresh")}\n${statement}`));
    expect(told).toBe(`"use strict";\n\n${js("one", 2)}\n${js("two")}\n${js("three")}\n${js("fresh")}\n${statement}`);
  }
});

const method = (name: string, value = 1): string => `  ${name}(a) {\n    check(a);\n    return a + ${value};\n  }\n`;
const inClass = (...members: readonly string[]): string => `import x from "x";\n\nclass Cart extends x {\n${members.join("\n")}}\n`;

test("a new member goes past no placeholder of its class", async () => {
  const before = inClass(method("one"), method("two"), method("three"));
  const hole = `  ${HOLE}`;
  for (const [at, members] of [
    [hole, method("fresh"), hole, method("three", 2)],
    [method("one", 2), hole, method("fresh"), hole],
    [hole, method("two", 2), hole, method("fresh"), hole],
    [hole, method("fresh"), hole, method("two", 2), hole],
  ].entries())
    expect([at, await answered("a.js", before, fence("a.js", inClass(...members)))]).toEqual([at, before]);
  // Beside one that is shown, it has its place.
  const shown = inClass(hole, method("two", 2), method("fresh"), hole);
  expect(await answered("a.js", before, fence("a.js", shown))).toBe(inClass(method("one"), method("two", 2), method("fresh"), method("three")));
});

test("a new implementation goes past no placeholder at the top of its module", async () => {
  const impl = (name: string, value = 1): string => `    impl ${name} for Text {\n        fn at(&self) -> u8 {\n            ${value}\n        }\n    }\n`;
  const file = (...members: readonly string[]): string => `mod text {\n    use core::fmt;\n\n${members.join("\n")}}\n\nfn last() {}\n`;
  const hole = `    ${HOLE}`;
  const before = file(impl("One"), impl("Two"), impl("Three"));
  for (const members of [[hole, impl("Fresh"), hole], [hole, impl("Fresh"), hole, impl("Three", 2)]]) {
    const text = await answered("a.rs", before, fence("a.rs", file(...members)));
    if (text !== before) expect(text.indexOf("Fresh")).toBeGreaterThan(text.indexOf("Three"));
  }
});

test("a new function below the imports is above all that a placeholder stands for, also with a comment apart", async () => {
  const go = (name: string): string => `func ${name}(t *testing.T) {\n\tcheck(t)\n}\n`;
  for (const imports of ['import (\n\t"testing"\n\n\t"example.com/x"\n)\n', 'import (\n\t"testing"\n\tx "example.com/x"\n)\n', 'import "testing"\n'])
    for (const comment of ["", "//lint:file-ignore SA1019 It is old.\n\n", "// Helpers\n\n"])
      for (const count of [1, 2, 3]) {
        const head = `package a\n\n${imports}\n`;
        const old = ["One", "Two", "Three"].slice(0, count).map(go).join("\n");
        const fresh = `${comment}// NewThing makes one.\n${go("NewThing")}`;
        expect(await answered("a_test.go", `${head}${old}`, fence("a_test.go", `${head}${fresh}\n${HOLE}`))).toBe(`${head}${fresh}\n${old}`);
      }
});

test("lines that follow known ones in both texts end no part too late", async () => {
  // Equal lines below the end of the part, hidden ones that recur, and two equal blocks.
  const block = (name: string, lines: readonly string[]): string => `def ${name}():\n${lines.map((line) => `    ${line}\n`).join("")}`;
  const same = ["x = start()", "check(x)", "return x"];
  const before = `import a\n\n\n${["one", "two", "three"].map((name) => block(name, same)).join("\n\n")}`;
  for (const fresh of [["x = start()", "log(x)", "check(x)", "return x"], ["x = begin()", "check(x)", "return x"], ["return x"], ["check(x)", "x = start()", "return x"]])
    for (const at of [0, 1, 2]) {
      const names = ["one", "two", "three"];
      const shown = `import a\n\n\n${at > 0 ? "# ... existing code ...\n\n\n" : ""}${block(names[at] ?? "", fresh)}${at < 2 ? "\n\n# ... existing code ...\n" : ""}`;
      const wanted = `import a\n\n\n${names.map((name, index) => block(name, index === at ? fresh : same)).join("\n\n")}`;
      const text = await answered("a.py", before, fence("a.py", shown));
      expect([wanted, before]).toContain(text);
    }
});

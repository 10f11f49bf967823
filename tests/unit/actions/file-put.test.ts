import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";

async function put(before: string | Buffer, content: string, path = "src/a.js"): Promise<{ readonly after: Buffer; readonly code: string | undefined }> {
  const root = createFolder({ [path]: before });
  const loaf = await Loaf.create({ repoPath: root, config: { syntaxes: ["whole-file", "lazy"] } });
  const { results } = await loaf.execute(`### \`${path}\`\n\n~~~~js\n${content}\n~~~~\n`);
  return { after: readFileSync(join(root, path)), code: results[0]?.code };
}

test.each([
  ["line endings and a byte order mark", "\ufeffone\r\ntwo\r\n", "one\nthree", "\ufeffone\r\nthree\r\n"],
  ["the ending of each line of a file that mixes them", "a\r\nb\nc\r\nd\n\ne\r\nf", "a\nb\nC\nnew\nd\n\ne\nf", "a\r\nb\nC\r\nnew\r\nd\n\ne\r\nf"],
  ["blank lines at the end", "one\ntwo\n\n\n", "one\nthree\n\n", "one\nthree\n\n\n"],
  ["the end without a blank line", "one\ntwo\n", "one\nthree\n\n", "one\nthree\n"],
  ["the absence of a final newline", "one\ntwo", "one\nthree", "one\nthree"],
  ["them where lines are filled in", "\ufeffone\r\ntwo();\r\nthree();\r\n", "one\n// ... existing code ...\nthree();\nfour();", "\ufeffone\r\ntwo();\r\nthree();\r\nfour();\r\n"],
  ["a first line with the file's path that was there before", "// src/a.js\none\n", "// src/a.js\none\ntwo", "// src/a.js\none\ntwo\n"],
])("a whole file keeps %s", async (_, before, content, after) => {
  expect((await put(before, content)).after.toString()).toBe(after);
});

test("a first line that only names the file is no text of it", async () => {
  expect((await put("one\n", "// src/a.js\none\ntwo")).after.toString()).toBe("one\ntwo\n");
});

test.each([
  ["one that is not UTF-8", Buffer.from("caf\xe9\none\n", "latin1")],
  ["a binary one", Buffer.from([0, 1, 2, 3])],
])("%s is not overwritten", async (_, before) => {
  expect(await put(before, "café\none")).toEqual({ after: before, code: "file/exists" });
});

describe("a placeholder below a changed block", () => {
  const HOLE = "// ... existing code ...";
  const js = "import a;\n\nfunction one(x) {\n  if (x) {\n    return 1;\n  }\n}\n\nclass Cart {\n  add(item) {\n    this.items.push(item);\n  }\n\n  one() {\n    return this.items;\n  }\n}\n\nfunction two() {\n  return 2;\n}\n";
  const py = "import a\n\n\ndef one(x):\n    return x\n\n\nclass Cart:\n    def one(self):\n        x = 1\n        return x\n\n    def add(self, item):\n        self.items.append(item)\n\n\ndef two():\n    return 2\n";

  test.each([
    ["a function", "a.js", js, `${HOLE}\n\nfunction one(x) {\n  if (x) {\n    return 3;\n  }\n}\n\n${HOLE}\n`, js.replace("return 1", "return 3")],
    ["a method", "a.js", js, `${HOLE}\n\nclass Cart {\n  add(item) {\n    this.items.unshift(item);\n  }\n\n  ${HOLE}\n}\n\n${HOLE}\n`, js.replace("push", "unshift")],
    ["a block that the file does not have", "a.js", js, `import a;\n\nfunction three(x) {\n  return 0;\n}\n\n${HOLE}\n`, js.replace("function one", "function three(x) {\n  return 0;\n}\n\nfunction one")],
    ["a method in Python", "a.py", py, "# ... existing code ...\n\nclass Cart:\n    def one(self):\n        return 1\n\n    # ... existing code ...\n\n\ndef two():\n    return 3\n", py.replace("        x = 1\n        return x", "        return 1").replace("return 2", "return 3")],
  ])("keeps what stands below %s", async (_, path, before, content, after) => {
    expect((await put(before, content, path)).after.toString()).toBe(after);
  });

  test.each([
    ["a block that the file has twice", "a.js", js.replace("two", "one"), `${HOLE}\n\nfunction one(x) {\n  return 0;\n}\n\n${HOLE}\n`],
    ["a block that has come to equal another one", "a.js", "function a() {\n  x();\n}\n\nfunction a() {\n  y();\n}\n", `function a() {\n  y();\n}\n${HOLE}\n`],
    ["a block with an error in it", "a.js", js, `${HOLE}\n\nfunction one(x) {\n  return (0;\n}\n\n${HOLE}\n`],
    ["a block whose class is behind a placeholder", "a.py", py.replace("def one(x)", "def add(item)"), "# ... existing code ...\n        x = 1\n        return x\n\n    def add(self, item):\n        self.items.insert(0, item)\n\n# ... existing code ...\n"],
  ])("is refused below %s", async (_, path, before, content) => {
    const { after, code } = await put(before, content, path);
    expect([after.toString(), code]).toEqual([before, "text/placeholder"]);
  });

  test("is looked for within the time of an action", async () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `function f${index}() {\n  return ${index};\n}\n`).join("");
    const root = createFolder({ "src/a.js": before });
    const loaf = await Loaf.create({ repoPath: root, config: { syntaxes: ["whole-file", "lazy"], limits: { action_time: 50 } } });
    const { results } = await loaf.execute(`### \`src/a.js\`\n\n~~~~js\n${HOLE}\nfunction f9() {\n  return x;\n}\n${HOLE}\n~~~~\n`);
    expect([results[0]?.code, readFileSync(join(root, "src/a.js"), "utf8") === before]).toEqual(["limit/time", true]);
  });

  const body = fc.array(fc.constantFrom("x();", "y();", "return 1;", "if (x) { y(); }"), { minLength: 1, maxLength: 3 });
  // A changed block that equals another one could mean either.
  const newBody = fc.array(fc.constantFrom("z();", "return 2;", "if (z) { w(); }"), { minLength: 1, maxLength: 3 });
  const file = fc.array(fc.record({ name: fc.constantFrom("a", "b", "c", "d"), body, isMethod: fc.boolean() }), { minLength: 2, maxLength: 6 });
  const print = (blocks: ReadonlyArray<{ readonly name: string; readonly body: readonly string[]; readonly isMethod: boolean }>) =>
    blocks.map(({ name, body, isMethod }) => {
      const lines = [`${isMethod ? "" : "function "}${name}() {`, ...body.map((line) => `  ${line}`), "}"];
      return isMethod ? ["class K {", ...lines.map((line) => `  ${line}`), "}"] : lines;
    });

  test("keeps all that it stands for, or is refused", async () => {
    let landed = 0;
    await fc.assert(
      fc.asyncProperty(file, fc.nat(5), newBody, async (blocks, which, changed) => {
        const at = which % blocks.length;
        const now = print(blocks.map((block, index) => (index === at ? { ...block, body: changed } : block)));
        const before = print(blocks).map((lines) => lines.join("\n")).join("\n\n");
        const after = now.map((lines) => lines.join("\n")).join("\n\n");
        const lazy = [...(at > 0 ? [HOLE] : []), ...(now[at] ?? []), ...(at < blocks.length - 1 ? [HOLE] : [])].join("\n");
        const result = await put(`${before}\n`, lazy);
        landed += result.code === undefined ? 1 : 0;
        expect(result.after.toString()).toBe(`${result.code === undefined ? after : before}\n`);
      }),
      { numRuns: 60, seed: 7 },
    );
    expect(landed).toBeGreaterThan(10);
  });
});

describe("a comment that stands for lines without an ellipsis", () => {
  const js = "import a;\n\nfunction f(x) {\n  one(x);\n  two(x);\n}\n\nfunction g(y) {\n  return y;\n}\n\nexport { f, g };\nstart(1);\nstart(2);\nstart(3);\n";
  const end = js.slice(0, js.indexOf("export {"));

  test.each(["/* unchanged */", "// same as before", "// your existing code", "// wie bisher", "// sin cambios"])("%s is filled in a body", async (line) => {
    expect((await put(js, js.replace("one(x);\n  two(x);", line).replace("start(3)", "start(4)"))).after.toString()).toBe(js.replace("start(3)", "start(4)"));
  });

  test.each([
    "/* unchanged */", "/* rest */", "// same as before", "// --- existing code ---", "// {{ existing code }}", "// No changes below this line",
    "// omitted for brevity", "// snip", "// previous code here", "// keep the remaining functions as they are",
  ])("%s is filled at the end of the file", async (line) => {
    expect((await put(js, `${end.replace("return y", "return y + 1")}${line}\n`)).after.toString()).toBe(js.replace("return y", "return y + 1"));
  });

  test.each([
    ["function f(x) { /* ... */ }", "function f(x) {\n  one(x);\n  two(x);\n}"],
    ["function f(x) { /* same as before */ }", "function f(x) {\n  one(x);\n  two(x);\n}"],
    ["function f(x) { // ... existing code ...\n}", "function f(x) {\n  one(x);\n  two(x);\n}"],
  ])("%s stands for the body that the file has", async (line, replaced) => {
    const { after, code } = await put(js, js.replace(replaced, line).replace("start(3)", "start(4)"));
    expect([after.toString(), code]).toEqual([js.replace("start(3)", "start(4)"), undefined]);
  });

  test("a function of another head, whose body stands for nothing that the file has, is refused", async () => {
    const { after, code } = await put(js, js.replace("function f(x) {\n  one(x);\n  two(x);\n}", "function f(x, z) { /* ... */ }"));
    expect([after.toString(), code]).toEqual([js, "text/placeholder"]);
  });

  test.each([
    ["below the head of a function that has changed", js.replace("f(x) {\n  one(x);\n  two(x);", "f(x, z) {\n  /* unchanged */"), js.replace("f(x)", "f(x, z)")],
    ["below a new declaration", `${end}const h = 1;\n/* rest */\n`, `${end}const h = 1;\n\n${js.slice(end.length)}`],
  ])("is filled %s", async (_, content, after) => {
    expect((await put(js, content)).after.toString()).toBe(after);
  });

  test.each(["// same as before", "// unchanged", "const noop = () => { /* ... */ };"])("%s is text where it replaces nothing", async (line) => {
    expect((await put(js, `${js}${line}\nstart(5);\n`)).after.toString()).toBe(`${js}${line}\nstart(5);\n`);
  });
});

describe("a second text that is the old one", () => {
  const answer = (...texts: readonly string[]) => texts.map((text) => `### \`src/a.js\`\n\n~~~~js\n${text}~~~~\n`).join("\nFor reference, the original:\n\n");
  const run = async (texts: readonly string[], transaction: "keep" | "all-or-nothing" = "keep") => {
    const root = createFolder({ "src/a.js": "one\r\ntwo\r\nthree\r\n" });
    const loaf = await Loaf.create({ repoPath: root, config: { syntaxes: ["whole-file", "lazy"], transaction } });
    const { results } = await loaf.execute(answer(...texts));
    return { codes: results.map(({ success, code }) => code ?? success), after: readFileSync(join(root, "src/a.js"), "utf8") };
  };
  const [old, new_] = ["one\ntwo\nthree\n", "one\nTWO\nthree\n"];

  test("is refused and the new text stays, because the old text says nothing that the file did not have, and the new one would be lost unseen", async () => {
    expect(await run([new_, old])).toEqual({ codes: [true, "file/original"], after: "one\r\nTWO\r\nthree\r\n" });
    expect(await run([new_, `// src/a.js\n${old}`])).toEqual({ codes: [true, "file/original"], after: "one\r\nTWO\r\nthree\r\n" });
  });

  test("leaves everything as it was where all or nothing is run", async () => {
    expect((await run([new_, old], "all-or-nothing")).after).toBe("one\r\ntwo\r\nthree\r\n");
  });

  test("may stand above the new one, and a third text may follow", async () => {
    expect(await run([old, new_])).toEqual({ codes: [true, true], after: "one\r\nTWO\r\nthree\r\n" });
    expect(await run([new_, "one\nTWO\n3\n"])).toEqual({ codes: [true, true], after: "one\r\nTWO\r\n3\r\n" });
  });
});

describe("a line of nothing but an ellipsis", () => {
  const LINES = ["zero", "one", "two", "three", "four", "five", "six"];
  const withLine = (line: string) => [...LINES.slice(0, 2), line, ...LINES.slice(4)].join("\n");

  test.each([
    ["a.txt", "..."], ["a.txt", "…"], ["a.md", "[...]"], ["a.txt", "[…]"], ["a.md", "(...)"], ["a.txt", "- ..."], ["a.txt", ". . ."], ["a.txt", "⋮"], ["a.md", "<!-- ... -->"], ["a.md", "3. ..."], ["a.txt", "# ..."],
    ["a.js", "..."], ["a.js", "// ... (und so fort)"], ["a.js", "/* ... */"], ["a.js", " * ..."], ["a.py", "# ..."], ["a.py", "    ..."], ["a.py", "# etc."],
    ["a.vb", "' ..."], ["a.vb", "' ... existing code ..."], ["a.vb", "' rest of the code unchanged"], ["a.bat", "REM ... existing ..."], ["a.bat", ":: ..."], ["a.hs", "{- ... -}"], ["a.hs", "-- ..."],
    ["a.hbs", "{{!-- ... --}}"], ["a.hbs", "{{!-- rest of the template unchanged --}}"], ["a.vim", '" ...'], ["a.vim", '" ... existing code ..."'], ["a.json", '"...": "..."'], ["a.json", '"...",'],
    ["a.json", '"// ... existing scripts ...": "",'], ["a.yml", "# ..."], ["a.yaml", "..."], ["a.html", "..."], ["a.tex", "% ..."], ["a.lua", "--[[ ... ]]"], ["a.c", "..."], ["a.ps1", "<# ... #>"],
  ])("in %s, %s is filled where lines of the file are gone", async (path, line) => {
    expect((await put(`${LINES.join("\n")}\n`, withLine(line), path)).after.toString()).toBe(`${LINES.join("\n")}\n`);
  });

  test.each([["a.txt", "..."], ["a.md", "[...]"], ["a.js", "// ... (und so fort)"], ["a.json", '"...": "..."']])("in %s, %s is refused beside new lines, or with nothing between its lines", async (path, line) => {
    const before = `${LINES.join("\n")}\n`;
    for (const content of [["zero", "new", line, ...LINES.slice(4)], ["zero", "one", line, "new", ...LINES.slice(4)]]) {
      expect(await put(before, content.join("\n"), path)).toEqual({ after: Buffer.from(before), code: "text/placeholder" });
    }
  });

  test.each([
    ["a.txt", "..."], ["a.txt", "…"], ["a.md", "[...]"], ["a.md", "# ..."], ["a.txt", "- ..."], ["a.js", "// ..."], ["a.js", "// ... and then all over again"], ["a.py", "    ..."], ["a.py", "# etc."], ["a.json", '"...",'],
    ["a.yaml", "..."], ["a.vb", "' ..."], ["a.html", "..."], ["a.js", "...rest,"], ["a.js", "...(x ? [y] : []),"], ["a.txt", "......................"],
  ])("in %s, %s is text where no line of the file is gone", async (path, line) => {
    const before = `${LINES.join("\n")}\n`;
    for (const lines of [[...LINES, line], [line, ...LINES], LINES.toSpliced(3, 0, "new", line, "newer")]) {
      expect((await put(before, lines.join("\n"), path)).after.toString()).toBe(`${lines.join("\n")}\n`);
    }
    const own = LINES.toSpliced(3, 0, line);
    expect((await put(`${own.join("\n")}\n`, own.toSpliced(1, 2).join("\n"), path)).after.toString()).toBe(`${own.toSpliced(1, 2).join("\n")}\n`);
  });

  test.each([
    ["a stub in Python", "a.py", "def f(x):\n    pass\n\n\ndef g():\n    return 1\n", "def f(x):\n    ...\n\n\ndef g():\n    return 1\n"],
    ["a C function's last parameter", "a.c", "int f(int a);\nint g(void);\n", "int f(\n  int a,\n  ...\n);\nint g(void);\n"],
    ["an argument of its own line", "a.js", 'cut(text, 30);\nshow(text);\n', 'cut(\n  text,\n  "...",\n);\nshow(text);\n'],
    ["an example in a code fence", "a.md", "# Title\n\nOld words.\n\nMore.\n", "# Title\n\nNew words:\n\n```yaml\na: 1\n...\n```\n\nMore.\n"],
  ])("%s beside a changed line is text", async (_, path, before, after) => {
    expect((await put(before, after.trimEnd(), path)).after.toString()).toBe(after);
  });
});

test("a file of 30,000 lines with 460 placeholders is filled within the time limit of one action", async () => {
  const functions = Array.from({ length: 6_000 }, (_, index) => `function f${index}() {\n  call(${index});\n  return ${index};\n}\n\n`);
  const changed = functions.map((text, index) => (index % 13 < 6 ? text.replace("call(", "change(") : text));
  const shown = changed.map((text, index) => (index % 13 < 6 ? text : index % 13 === 6 ? "// ... existing code ...\n\n" : ""));
  const { after, code } = await put(functions.join(""), shown.join(""));
  expect(code).toBeUndefined();
  expect(after.toString().trimEnd()).toBe(changed.join("").trimEnd());
}, 60_000);

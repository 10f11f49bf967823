import { expect, test } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { placeholderJudge, refusePlaceholder } from "../../../src/text/placeholder.ts";

const FILE = "import one\nimport two\nimport three\nimport four\n";

/** The line that is refused when a content is written over a file, or undefined. */
function refused(content: string, before: string | null | undefined, path = "/p/app.ts"): string | undefined {
  try {
    placeholderJudge(path, content)?.(before);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Failed) || thrown.failure.code !== "text/placeholder") throw thrown;
    return thrown.failure.line;
  }
}

const around = (line: string): string => `import one\n${line}\nexport {}\n`;

test.each([
  "# ... existing code ...",
  "// ... rest of the file unchanged ...",
  "/* ... existing styles ... */",
  "{/* ... existing JSX ... */}",
  "// ... (other methods remain unchanged)",
  "// ... keep existing imports ...",
  "-- ... unchanged ...",
  "; ... existing config ...",
  "// …existing code…",
  "    # ... (rest of the function)",
  "... (rest of the file) ...",
  "[... rest of file unchanged ...]",
  "... 120 lines omitted ...",
])("%s means nothing else: refused in new files, too", (line) => {
  for (const before of [FILE, "", null, undefined]) expect(refused(around(line), before)).toBe(line.trim());
});

test.each([
  "<!-- rest of the page remains the same -->",
  "// rest of the code remains the same",
  "# (rest of the file unchanged)",
  "// Rest of your code here",
  "// implementation omitted for brevity",
  "// ... same as before ...",
  "// Keep the rest of the code as is",
  "// existing code remains unchanged",
  "# ... 40 more lines ...",
  "// <existing code>",
  "// ... other imports",
  "-- ... rest of schema",
  "// ... existing middleware ...",
  "// [previous code here]",
])("%s is refused where something would be lost", (line) => {
  expect(refused(around(line), "import one\nimport two\n")).toBe(line);
  expect(refused(around(line), null)).toBe(line);
  expect(refused(around(line), "import one\n")).toBeUndefined();
  expect(refused(around(line), undefined)).toBeUndefined();
});

test.each(["// ...", "...", "…", "# ...", "//...", "/* ... */", "// [...]", "// unchanged lines"])("%s is refused where three lines would be lost", (line) => {
  expect(refused(around(line), FILE)).toBe(line);
  expect(refused(around(line), "import one\nimport two\nimport three\n")).toBeUndefined();
});

test.each([
  "...rest,",
  "...existing",
  "{ ...original, content }",
  "[...existing, content]",
  "[existing, remaining, rest]",
  "(same)",
  "// the same line",
  "// Same as before, but faster than the other",
  "// Other tests",
  "// TODO: the rest",
  "// the rest is below",
  "// existing file",
  "// more content",
  "// unchanged",
  "# Existing content",
  "#existing-content {",
  "--rest-of-content: 1;",
  'print("... existing code ...")',
  "'... existing code ...',",
  "* ...",
  "#.........................",
  "// { ... }",
  "return ...;",
  "// ... and the rest of us",
  "// other middleware",
])("%s is a line like others", (line) => {
  for (const before of [FILE, "", null, undefined]) expect(refused(around(line), before)).toBeUndefined();
});

test("a line that the file has already may stay, however it is indented", () => {
  expect(refused("  // ... existing code ...\nmore\n", `${FILE}// ... existing code ...\n`)).toBeUndefined();
});

test("an ellipsis that is the language's own is none", () => {
  expect(refused("def f():\n    ...\n", FILE, "/p/a.py")).toBeUndefined();
  expect(refused("class A:\n    def f(self):\n        \"\"\"Doc.\"\"\"\n        ...\n", FILE, "/p/a.pyi")).toBeUndefined();
  expect(refused("a: 1\n...\n", FILE, "/p/a.yaml")).toBeUndefined();
  expect(refused("int printf(\n  const char *format,\n  ...\n);\n", FILE, "/p/a.c")).toBeUndefined();
  expect(refused("import os\n...\n", FILE, "/p/a.py")).toBe("...");
});

test("in a text for people, code fences show what they want, and an ellipsis says nothing", () => {
  const shown = "# Existing content\n\n```ts\n// ... existing code ...\n```\n\n...\n";
  expect(refused(shown, FILE, "/p/README.md")).toBeUndefined();
  expect(refused(`${shown}\n<!-- rest of the document unchanged -->\n`, FILE, "/p/README.md")).toBe("<!-- rest of the document unchanged -->");
  expect(refused(`${shown}\n[Rest of the document remains unchanged]\n`, FILE, "/p/README.md")).toBe("[Rest of the document remains unchanged]");
});

test("the line is told by its number", () => {
  expect(() => placeholderJudge("/p/a.ts", "a\r\n\r\n  // ... existing code ...\r\n")?.(FILE)).toThrow(
    expect.objectContaining({ failure: { code: "text/placeholder", parameter: "content", line: "// ... existing code ...", number: 3 } }),
  );
});

test("in part of a file it is refused where it would stand for what is replaced", () => {
  const replace = (replaced: string, newText: string) => () => refusePlaceholder({ path: "/p/a.ts", replaced, newText, parameter: "new_text" });
  const old = "function f() {\n  one();\n  two();\n}";
  const code = expect.objectContaining({ failure: expect.objectContaining({ code: "text/placeholder", parameter: "new_text", number: 2 }), hint: expect.stringContaining("file_replace_all_text") });
  expect(replace(old, "function f() {\n  // ... existing code ...\n  three();\n}")).toThrow(code);
  expect(replace(old, "function f() {\n  // rest of the code\n}")).toThrow(code);
  expect(replace(old, "function f() {\n  // rest of the code\n  one();\n  two();\n}")).not.toThrow();
  expect(replace(old, "function f() {\n  // ...\n}")).not.toThrow();
  expect(replace(`${old}\n  three();`, "function f() {\n  // ...\n}")).toThrow(code);
  expect(replace(`// ... existing code ...\n${old}`, "// ... existing code ...")).not.toThrow();
});

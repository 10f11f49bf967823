/** The law of a fence for both of two files: each gets it, or none. */
import { expect, test } from "vitest";
import { answeredIn } from "./answered.ts";

const page = (text: string, ...links: readonly string[]): string => `<body>\n  <nav>\n${["a", ...links].map((link) => `    <a href="${link}.html">${link}</a>\n`).join("")}  </nav>\n  <p>${text}</p>\n</body>\n`;
const module = (value: number, ...imports: readonly string[]): string => `${["import os", ...imports].join("\n")}\n\n\ndef f():\n    return ${value}\n`;
const FILES = { "index.html": page("i"), "menu.html": page("m"), "a.py": module(1), "b.py": module(2), "c.py": "x = 1\n" };
const answerOf = (sentence: string, code: string): string => `${sentence}\n\n\`\`\`\n${code}\n\`\`\`\n`;

test.each([
  ["Add a link to the navigation in both `index.html` and `menu.html`:", '<nav>\n  <a href="a.html">a</a>\n  <a href="c.html">c</a>\n</nav>', { "index.html": page("i", "c"), "menu.html": page("m", "c") }],
  ["Add this import to both `a.py` and `b.py`:", "import sys", { "a.py": module(1, "import sys"), "b.py": module(2, "import sys") }],
  ["In both `a.py` and in `b.py`, replace `f` with:", "def f():\n    return 3", { "a.py": module(3), "b.py": module(3) }],
] as const)("%s", async (sentence, code, now) => {
  expect(await answeredIn(FILES, answerOf(sentence, code))).toEqual({ ...FILES, ...now });
});

test.each([
  // It has no place in one of them.
  ["Update both `a.py` and `c.py`:", "def f():\n    return 3"],
  // Not both, or no order for them.
  ["Add this import to `a.py` and `b.py`:", "import sys"],
  ["The bug is in both `a.py` and `b.py`:", "def f():\n    return 3"],
  ["Don't change this in both `a.py` and `b.py`:", "def f():\n    return 3"],
  ["Unlike in both `a.py` and `b.py`, in `c.py` use:", "x = 2"],
  ["Add a helper that is used in both `a.py` and `b.py`:", "def g():\n    return 3"],
  ["The same code is in both `a.py` and `b.py`. Keep one of them:", "def f():\n    return 3"],
  ["Import it in both `a.py` and `b.py`. The helper should be:", "def g():\n    return 3"],
  ["Currently, in both `a.py` and `b.py` you have:", "def f():\n    return 3"],
])("%s: no file is changed", async (sentence, code) => {
  expect(await answeredIn(FILES, answerOf(sentence, code))).toEqual(FILES);
});

test("a fence below them that names no file belongs to none of them", async () => {
  const answer = `${answerOf("Add this import to both `a.py` and `b.py`:", "import sys")}\n${answerOf("And replace the function:", "def f():\n    return 4")}`;
  expect(await answeredIn(FILES, answer)).toEqual({ ...FILES, "a.py": module(1, "import sys"), "b.py": module(2, "import sys") });
});

/** The law of a place that words alone tell: lines stand there, as close as others of their kind, or nowhere. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const ONE = "import os\n\nLIMIT = 3\n\n\ndef load(name):\n    path = os.path.join('d', name)\n    return path\n\n\nclass Box:\n    def area(self):\n        return 1\n";
const TWO = ONE.replace("LIMIT = 3\n", "LIMIT = 3\nOTHER = 4\n");
const APART = `${ONE}\n\nOTHER = 4\n`;
const YAML = "version: '3'\nservices:\n  web:\n    image: a\n  db:\n    image: b\nvolumes:\n  data:\nnetworks:\n";
const VUE = "<script setup>\nimport A from './a';\n\nconst x = 1;\n\nfunction f() {\n  return x;\n}\n</script>\n\n<template>\n  <p>a</p>\n</template>\n";

/** A sentence, what it adds, and what that goes between; nothing if it is refused. */
type Added = readonly [path: string, file: string, sentence: string, added: string, above?: string, below?: string];

const ADDED: readonly Added[] = [
  ["a.py", ONE, "In `a.py`, add as the first line of `load`:", "check(name)\n", "def load(name):\n", "    path"],
  ["a.py", ONE, "Add this as the first thing in `load` in `a.py`:", "check(name)\n", "def load(name):\n", "    path"],
  ["a.py", ONE, "In `a.py`, add this before anything else in `load`:", "check(name)\n", "def load(name):\n", "    path"],
  ["a.py", ONE, "In `a.py`, add as the last line of `load`:", "check(name)\n", "name)\n", "    return"],
  ["a.py", ONE, "In `a.py`, add this below the constant:", "DEBUG = True\n", "LIMIT = 3\n", "\n"],
  ["a.py", ONE, "In `a.py`, add this next to the other constant:", "DEBUG = True\n", "LIMIT = 3\n", "\n"],
  ["a.py", ONE, "In `a.py`, add this directly below `LIMIT`:", "DEBUG = True\n", "LIMIT = 3\n", "\n"],
  ["a.py", ONE, "In `a.py`, add this before the constant:", "DEBUG = True\n", "\n", "LIMIT"],
  ["a.py", TWO, "In `a.py`, add this below the constants:", "DEBUG = True\n", "OTHER = 4\n", "\n"],
  ["a.py", TWO, "In `a.py`, add this next to the other constants:", "DEBUG = True\n", "OTHER = 4\n", "\n"],
  ["a.py", TWO, "In `a.py`, add this below the constant:", "DEBUG = True\n"],
  ["a.py", APART, "In `a.py`, add this below the constants:", "DEBUG = True\n"],
  ["a.py", ONE, "In `a.py`, add this below the struct:", "DEBUG = True\n"],
  ["a.py", ONE, "In `a.py`, add this after the function:", "def save():\n    pass\n\n\n", "return path\n\n\n", "class"],
  ["c.yml", YAML, "Under `services` in `c.yml`, add:", "cache:\n  image: redis\n", "image: b\n", "volumes"],
  ["c.yml", YAML, "In `c.yml`, add under `volumes`:", "cache:\n", "data:\n", "networks"],
  ["c.yml", YAML, "Under `networks` in `c.yml`, add:", "front:\n"],
  ["a.toml", "[a]\nb = 1\n\n[c]\nd = 2\n", "Under `[a]` in `a.toml`, add:", "e = 3\n", "b = 1\n", "\n[c]"],
  ["a.vue", VUE, "Below the imports of `a.vue`, add:", "run();\n\n", "'./a';\n\n", "const"],
  ["a.vue", VUE, "Below the list in `a.vue`, add:", "<p>b</p>\n"],
];

test.each(ADDED.map((one, at) => [at, one[2], one] as const))("%i %s", async (_, sentence, [path, file, , added, above, below = ""]) => {
  const text = await answered(path, file, `${sentence}\n\n\`\`\`\n${added}\`\`\`\n`);
  const at = above === undefined ? -1 : file.indexOf(above + below) + above.length;
  const indent = /^\s*/.exec(path === "c.yml" ? "  " : below.startsWith("    ") ? "    " : "")?.[0] ?? "";
  const meant = above === undefined ? file : file.slice(0, at) + added.replace(/^(?=.)/gm, indent) + file.slice(at);
  expect(text).toBe(meant);
});

test.each(["Change the first line of `load` in `a.py`:", "Update the beginning of `load` in `a.py`:", "Change the end of `load` in `a.py`:"])(
  "what is changed is not added: %s",
  async (sentence) => {
    const text = await answered("a.py", ONE, `${sentence}\n\n\`\`\`python\npath = os.path.join('e', name)\n\`\`\`\n`);
    expect([ONE, ONE.replace("'d'", "'e'")]).toContain(text);
  },
);

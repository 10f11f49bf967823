/** Law of edges and described places inside a part: lines go there, or nowhere; imports and keys at the top of a file go where these stand. */
import { describe, expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { answered } from "./answered.ts";

const FILE = "import os\n\nLIMIT = 10\n\n\ndef load():\n    data = 1\n    return data\n";
const made = async (path: string, file: string, sentence: string, code: string): Promise<string> => {
  await loadStructure(path);
  return answered(path, file, `${sentence}\n\n\`\`\`\n${code}\`\`\`\n`);
};

test.each([
  "As the first line of the function in `a.py`, add:", "As the last thing in the function in `a.py`, add:", "Add this as the first line of the loop in `a.py`:", "As the first line inside the function in `a.py`, add:",
  "As the last line of the method in `a.py`, add:", "In `load` in `a.py`, below the variable, add:", "In `load` in `a.py`, after the constants, add:",
])("%s is no edge of the file", async (sentence) => {
  expect(await made("a.py", FILE, sentence, "print(1)\n")).toBe(FILE);
});

test.each(["As the first line of `a.py`, add:", "Add this as the first line of the file `a.py`:", "In `a.py`, add as the first line:"])("%s is one", async (sentence) => {
  expect(await made("a.py", FILE, sentence, "# Loads.\n")).toMatch(/^# Loads\.\n\n?import os\n/);
});

describe("at the top of", () => {
  test.each(["\"debug\": true,\n", "  \"debug\": true,\n", "\"debug\": true\n"])("a JSON file, a key is the first: %j", async (key) => {
    for (const place of ["At the top of `c.json`, add:", "At the beginning of `c.json`, add:", "Add this at the top of `c.json`:"])
      expect(await made("c.json", "{\n  \"host\": \"a\",\n  \"port\": 1\n}\n", place, key), place).toBe("{\n  \"debug\": true,\n  \"host\": \"a\",\n  \"port\": 1\n}\n");
  });

  test.each([
    ["a.py", "import os\n\n\ndef a():\n    return 1\n", "import sys\n\nLOG = sys.stdout\n", "import os\nimport sys\n\n\nLOG = sys.stdout\n\n\ndef a():\n    return 1\n"],
    ["a.go", "package a\n\nimport \"os\"\n\nfunc a() {\n\tos.Exit(1)\n}\n", "import \"log\"\n\nvar logger = log.Default()\n", "package a\n\nimport \"os\"\nimport \"log\"\n\nvar logger = log.Default()\n\nfunc a() {\n\tos.Exit(1)\n}\n"],
    ["a.ts", "import { a } from './a';\n\nexport function x() {\n  return a;\n}\n", "import { log } from './log';\n\nconst logger = log();\n", "import { a } from './a';\nimport { log } from './log';\n\nconst logger = log();\n\nexport function x() {\n  return a;\n}\n"],
  ])("%s, imports go to the others and code below them", async (path, file, code, now) => {
    expect(await made(path, file, `At the top of \`${path}\`, add:`, code)).toBe(now);
  });

  test.each([["At the top of `Dockerfile`, switch to Node 20:", "FROM node:20\n", "FROM node:20\nWORKDIR /app\nCMD [\"a\"]\n"], ["At the bottom of `Dockerfile`, update the `CMD`:", "CMD [\"b\"]\n", "FROM node:18\nWORKDIR /app\nCMD [\"b\"]\n"]])(
    "a Dockerfile, what changes is not doubled: %s", async (sentence, line, now) => {
      const file = "FROM node:18\nWORKDIR /app\nCMD [\"a\"]\n";
      expect([file, now]).toContain(await made("Dockerfile", file, sentence, line));
    },
  );
});

test.each(["Change the check after the read in `load` in `a.js`:", "Update the check before the log in `load` in `a.js`:", "Fix the check below the read of `load` in `a.js`:"])("%s finds it in the function", async (sentence) => {
  const file = "function load(x) {\n  const r = read(x);\n  if (!r) {\n    throw new Error('no');\n  }\n  log(r);\n  return r;\n}\n";
  const now = await made("a.js", file, sentence, "  if (!r) {\n    warn(x);\n    throw new Error('no');\n  }\n");
  expect(now).toBe(file.replace("  if (!r) {\n", "  if (!r) {\n    warn(x);\n"));
});

test("a lazy file may show two functions the other way round", async () => {
  const [load, save, last] = ["def load(p):\n    return open(p)\n", "def save(p):\n    p.write()\n", "def last():\n    pass\n"];
  const shown = [save.replace("write()", "write(1)"), load.replace("open(p)", "open(p, 'r')")] as const;
  const text = await answered("t.py", [load, save, last].join("\n\n"), `\`t.py\`:\n\n\`\`\`python\n# ... existing code ...\n\n${shown.join("\n\n")}\n# ... existing code ...\n\`\`\`\n`);
  expect(text).toBe([shown[1], shown[0], last].join("\n\n"));
});

test.each(["## Testing", "### Testing"])("a section under another one of Markdown: %s", async (head) => {
  const file = "# A\n\n## Usage\n\nText.\n\n## License\n\nMIT.\n";
  expect(await made("R.md", file, "Under `## Usage` in `R.md`, add:", `${head}\n\nRun tests.\n`)).toBe(file.replace("## License", `${head}\n\nRun tests.\n\n## License`));
});

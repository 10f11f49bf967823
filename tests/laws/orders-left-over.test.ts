/** The law of an order in words beside a block: what no block carries out is named, and nothing else is. */
import { describe, expect, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";

const APP = "import json\n\nDEBUG = True\n\n\ndef load(path):\n    return json.load(open(path))\n\n\ndef main():\n    data = load(\"a.json\")\n    print(data)\n";
const CODE = "```python\ndef load(path):\n    return json.loads(Path(path).read_text())\n```\n";

async function reportOn(answer: string): Promise<string> {
  const loaf = await Loaf.create({ repoPath: createFolder({ "app.py": APP }), config: { relative_paths: true }, approve: () => "once" });
  return fullReport(await loaf.execute(answer), loaf);
}

const PLACES: Readonly<Record<string, (words: string) => string>> = {
  "below": (words) => `In \`app.py\`, update \`load\`:\n\n${CODE}\n${words}\n`,
  "above": (words) => `${words}\n\nIn \`app.py\`, update \`load\`:\n\n${CODE}`,
  "in a list": (words) => `In \`app.py\`, update \`load\`:\n\n${CODE}\n- ${words}\n- Run the tests.\n`,
  "behind a label": (words) => `### app.py\n\n${CODE}\n**Note:** ${words}\n`,
};
const ORDERS = [
  "This needs `from pathlib import Path`.", "At the top, `from pathlib import Path` is required.", "The import `from pathlib import Path` goes at the top of the file.",
  "You'll need to import `Path` from `pathlib`.", "Außerdem musst du `Path` aus `pathlib` importieren.", "Oben muss `from pathlib import Path` stehen.", "别忘了导入 `pathlib` 的 `Path`。", "N'oubliez pas d'importer `Path` depuis `pathlib`.",
  "Do the same in `main`.", "`main` should catch `FileNotFoundError`.", "Don't forget to add type hints to `main`.", "Finally, call `load` with a `Path` in `main`.", "`main` needs the same.", "`main` is no longer needed.", "The `DEBUG` constant can go.",
];
const NONE = [
  "`Path` reads the file in one go.", "`main` stays as it is.", "`main` doesn't need to change.", "`main` should keep working.", "The `json` import is still used.", "Now `load` accepts strings and paths.", "You can now call `main()`.", "`main` calls `load`.", "Should I update `main` too?",
  "If you like, update `main` later.", "I left `main` alone.", "`import json` is still there.", "Run `main` to check it.", "`load` should now be faster.", "Since `main` prints it, you will see the data.",
  "Benenne `main` später um.", "Entferne nichts aus `main`.",
];

describe.each(Object.keys(PLACES))("%s", (place) => {
  test.each(ORDERS)("named: %s", async (words) => {
    expect(await reportOn(PLACES[place]?.(words) ?? "")).toContain("not read: \"");
  });

  test.each(NONE)("not named: %s", async (words) => {
    expect(await reportOn(PLACES[place]?.(words) ?? "")).not.toContain("not read");
  });
});

test("in the sentence of the block", async () => {
  expect(await reportOn(`In \`app.py\`, update \`load\`. Also import \`Path\` from \`pathlib\`.\n\n${CODE}`)).toContain("not read: \"Also import");
});

test.each([
  "In `app.py`, change `main` as follows:\n\n```python\n    data = load(Path(\"a.json\"))\n    print(data)\n```\n",
  "In `app.py`, `main` should pass a path.\n\n**Before**\n\n```python\n    data = load(\"a.json\")\n```\n\n**After**\n\n```python\n    data = load(Path(\"a.json\"))\n```\n",
  "`main` should pass a path. In `app.py`:\n\n```python\ndef main():\n    data = load(Path(\"a.json\"))\n    print(data)\n```\n",
])("carried out by a block: %#", async (answer) => {
  expect(await reportOn(answer)).not.toContain("not read: \"");
});

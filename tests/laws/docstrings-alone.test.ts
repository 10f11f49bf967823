/** The law of a function of Python that is shown with its documentation alone: its body stays. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const NEW = '"""Return x plus one."""';
const LONG = '"""Return x plus one.\n\n    Twice would be two.\n    """';
const fileWith = (...lines: readonly string[]): string =>
  `import os\n\n\ndef more(x):\n${lines.map((line) => `    ${line}\n`).join("")}\n\ndef other():\n    pass\n`;

test.each([NEW, LONG])("it is added, or takes the place of the old one: %s", async (documentation) => {
  for (const sentence of ["In `a.py`, document `more`:", "Add a docstring to `more` in `a.py`:", "Update `more` in `a.py`:"]) {
    const answer = `${sentence}\n\n\`\`\`python\ndef more(x):\n    ${documentation}\n\`\`\`\n`;
    for (const old of [[], ['"""Old words."""'], ["'''Old words.'''"]])
      expect(await answered("a.py", fileWith(...old, "y = x + 1", "return y"), answer), sentence).toBe(fileWith(documentation, "y = x + 1", "return y"));
  }
});

test("above a placeholder, the old one goes", async () => {
  const answer = `Update \`more\` in \`a.py\`:\n\n\`\`\`python\ndef more(x):\n    ${NEW}\n    # ... existing code ...\n\`\`\`\n`;
  expect(await answered("a.py", fileWith('"""Old words."""', "y = x + 1", "return y"), answer)).toBe(fileWith(NEW, "y = x + 1", "return y"));
});

test("what has no body is replaced", async () => {
  expect(await answered("a.py", fileWith("pass"), `In \`a.py\`, document \`more\`:\n\n\`\`\`python\ndef more(x):\n    ${NEW}\n\`\`\`\n`)).toBe(fileWith(NEW));
});

/** The law of what is only mentioned: a sentence that asks, supposes, denies or tells changes nothing, whatever code it has. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const APP = "import os\nimport sys\n\n\ndef main():\n    print(os.getcwd(), sys.argv)\n";
const IMPORTS: readonly string[] = [
  "In `app.py` we need the cwd, unlike `import shutil`, which would be overkill.",
  "In `app.py`, never add `import antigravity`.",
  "In `app.py`, avoid the temptation to add `from os import *` here.",
  "This works in `app.py` without having to add `import re`.",
  "In `app.py`, I didn't want to add `import logging`, so I kept print.",
  "If you add `import typing` to `app.py`, ruff will complain.",
  "Does `app.py` need `import re`? Not really.",
  "In `app.py` nothing changes. Your test file will need `import pytest`.",
  "The old version of `app.py` used to need `import shutil`.",
  "Many people add `import pdb` to `app.py` to debug this.",
  "In `app.py`, Python 3.11 and up include `import tomllib` out of the box, so no package is needed.",
  "In `app.py`, add `import logging` only when you want debug output.",
  "In `app.py` you could add `import logging` later for better output.",
  "If the script grows, `app.py` may need `import argparse`.",
  "`app.py` needs `import json` as soon as you switch to JSON output.",
  "In `app.py`, you don't need `import re`.",
  "In `app.py`, instead of `import re`, use `import regex`.",
];

test.each(IMPORTS)("%s", async (sentence) => {
  expect(await answered("app.py", APP, `${sentence}\n`)).toBe(APP);
});

const CSS = ".card {\n  color: red;\n  margin: 0;\n}\n\n.btn {\n  color: red;\n}\n";
const LINES: readonly string[] = [
  "In `s.css`:\n\nRemove `margin: 0;` from `.btn`.",
  "Remove `margin: 0;` from `.card` in `s.css` once the reset is in place.",
  "In `s.css`:\n\n1. Remove `margin: 0;` from `.card`? No, the reset needs it.",
  "**s.css**\n\nRemove `margin: 0;` from `.card` and the layout breaks, so keep it.",
  "In `s.css` I wouldn't drop `margin: 0;` in favor of `margin: 1px;`.",
  "There is no need to remove `margin: 0;` in favor of `margin: 1px;` in `s.css`.",
  "Rename `s.css` to `t.css`? I'd leave it.",
  "Move `s.css` to `lib/s.css` if you like.",
  "Later you'll want cleanup:\n\n- Delete `s.css`",
  "In `s.css`, remove `color: red;`.",
  "In `s.css`, remove `margin: 0;` from `.cart`.",
  "In `s.css`, remove `margin: 0;` if you like.",
  "In `s.css`, remove `margin: 0;` and everything shifts.",
  "In `s.css`, don't remove `margin: 0;`.",
  "In `s.css`, remove `: 0;`.",
  "In `s.css`, remove `margin: 0;` from `.card` before `.btn` exists.",
];

test.each(LINES)("%s", async (sentence) => {
  expect(await answered("s.css", CSS, `${sentence}\n`)).toBe(CSS);
});

const CODE = "def f():\n    return 1\n";
const FENCES: readonly string[] = [
  "In `c.py` the name is wrong.\n\nSo the broken version looks like this:",
  "Update `c.py`.\n\nSo the generated code looks like this:",
  "`c.py` uses zod. Here's what changed in version 3 of the library:",
  "Let me explain `c.py`.\n\nA simplified version of `f`:",
  "Option A, update `c.py` (I'd take the second over this):\n\n```python\ndef f():\n    return 0\n```\n\nOption B, update `c.py` (this is the one I'd pick):",
];

test.each(FENCES)("%s", async (sentence) => {
  expect(await answered("c.py", CODE, `${sentence}\n\n\`\`\`python\ndef f():\n    return 2\n\`\`\`\n`)).toBe(CODE);
});

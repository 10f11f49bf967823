/** The laws of a place that says what is changed, and of the end of what a sentence names: nothing is added elsewhere. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file, what a sentence calls a line of it, the new line and the old one; undefined where none of the file is meant. */
type Change = readonly [path: string, text: string, thing: string, now: string, old: string | undefined];

const SCRIPT = "const fs = require('fs');\n\nfunction load(path) {\n  const text = fs.readFileSync(path);\n  check(text);\n  return text;\n}\n\nfunction save(path, text) {\n  check(path);\n  fs.writeFileSync(path, text);\n}\n\nload('a');\n";
const DOCKER = "FROM node:18 AS build\nRUN npm ci\n\nFROM node:18\nRUN npm ci\nCMD [\"node\", \"a.js\"]\n";
const SHELL = "#!/bin/bash\nset -e\n\nHOST=a\n\nbuild() {\n  make\n}\n\nbuild\nscp out $HOST:\n";
const CHANGES: readonly Change[] = [
  ["a.js", SCRIPT, "call at the end", "load('b');\n", "load('a');\n"],
  ["a.js", SCRIPT, "import at the top", "const fs = require('node:fs');\n", "const fs = require('fs');\n"],
  ["a.js", SCRIPT, "read before the check", "const text = fs.readFileSync(path, 'utf8');\n", "const text = fs.readFileSync(path);\n"],
  ["a.js", SCRIPT, "check at the top of `save`", "check(path, true);\n", "check(path);\n"],
  ["a.js", SCRIPT, "call at the top", "load('b');\n", undefined],
  ["a.js", SCRIPT, "log at the end", "log('b');\n", undefined],
  ["Dockerfile", DOCKER, "command at the end", 'CMD ["node", "b.js"]\n', 'CMD ["node", "a.js"]\n'],
  ["Dockerfile", DOCKER, "base image at the top", "FROM node:20 AS build\n", "FROM node:18 AS build\n"],
  ["Dockerfile", DOCKER, "base image at the top", "FROM node:20\n", undefined],
  // Too little of these lines is alike.
  ["a.sh", SHELL, "options at the top", "set -euo pipefail\n", undefined],
  ["a.sh", SHELL, "copy at the end", 'scp -r out "$HOST":\n', undefined],
  ["a.md", "# App\n\nAn app.\n\n## Use\n\nRun it.\n\nMIT licensed.\n", "licence line at the end", "Apache licensed.\n", "MIT licensed.\n"],
  ["a.md", "# App\n\nAn app.\n\n## Use\n\nRun it.\n\nMIT licensed.\n", "line at the end", "All rights reserved.\n", undefined],
];
const ORDERS: ReadonlyArray<(thing: string, path: string) => string> = [
  (thing, path) => `In \`${path}\`, change the ${thing}:`,
  (thing, path) => `In \`${path}\`, fix the ${thing}:`,
  (thing, path) => `In \`${path}\`, the ${thing} should be:`,
  (thing, path) => `Now update the ${thing} in \`${path}\`:`,
  (thing, path) => `Adjust the ${thing} in \`${path}\`:`,
  (thing, path) => `Modify the ${thing} in \`${path}\`:`,
  (thing, path) => `In \`${path}\`, correct the ${thing}:`,
];

test.each(CHANGES)("a place that says what is changed is none to add at: %s %#", async (path, text, thing, now, old) => {
  const meant = old === undefined ? text : text.replace(old, () => now);
  let landed = 0;
  for (const order of ORDERS) {
    const result = await answered(path, text, `${order(thing, path)}\n\n\`\`\`${path.endsWith("sh") ? "bash" : ""}\n${now}\`\`\`\n`);
    expect([text, meant], order(thing, path)).toContain(result);
    landed += Number(result === meant);
  }
  expect(landed).toBeGreaterThan(ORDERS.length / 2);
});

test.each(["Ändere den Aufruf am Ende von `a.js`:", "Corrige la llamada al final de `a.js`:", "Modifie l’appel à la fin de `a.js` :"])(
  "the same in other languages: %s",
  async (order) => {
    const result = await answered("a.js", SCRIPT, `${order}\n\n\`\`\`js\nload('b');\n\`\`\`\n`);
    expect([SCRIPT, SCRIPT.replace("load('a')", "load('b')")]).toContain(result);
  },
);

const IN_FUNCTION = [
  "In `save` (`a.js`), add at the end:",
  "In `a.js`, add to `save` at the end:",
  "Add this log at the end, in `save` of `a.js`:",
  "In the `save` function of `a.js`, at the very end:",
];
const UNCLEAR = [
  "Update `save` in `a.js` to log at the end:",
  "In `a.js`, `save` also needs a log at the end:",
  "Make `save` in `a.js` log at the end:",
  "In `a.js`, log from `save`, at the beginning:",
];
const OF_FILE = ["Call `save` at the end of `a.js`:", "In `a.js`, call `save` at the end:"];
const fence = (line: string): string => `\n\n\`\`\`js\n${line}\n\`\`\`\n`;

test.each([...IN_FUNCTION, ...UNCLEAR])("the end is that of the function which a sentence names: %s", async (order) => {
  const result = await answered("a.js", SCRIPT, order + fence("log('done');"));
  const meant = SCRIPT.replace("(path, text);\n}", "(path, text);\n  log('done');\n}");
  expect(UNCLEAR.includes(order) ? [SCRIPT, meant] : [meant]).toContain(result);
});

test.each(OF_FILE)("what is called at the end of a file is no place: %s", async (order) => {
  const result = await answered("a.js", SCRIPT, order + fence("save('a', 'b');"));
  expect([SCRIPT, `${SCRIPT}\nsave('a', 'b');\n`, `${SCRIPT}save('a', 'b');\n`]).toContain(result);
});

/** The law of a file that becomes an ES module: what it required is imported, and nothing else goes without a word. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const OLD = "const a = require('a')\nvar b = require('./b')\nconst { c, d } = require('c')\n\nfunction run (x) {\n  return a(x) + b(x) + c(d)\n}\n\nfunction helper () {\n  const all = []\n  for (const one of d) {\n    if (c(one)) {\n      all.push(one)\n    }\n  }\n  all.sort()\n  all.reverse()\n  return all.slice(1)\n}\n\nmodule.exports = run\nmodule.exports.helper = helper\n";
const IMPORTS = "import a from 'a'\nimport b from './b.js'\nimport { c, d } from 'c'\n\n";
const RUN = "function run (x) {\n  return a(x) + b(x) + c(d)\n}\n";
const HELPER = "function helper () {\n  const all = []\n  for (const one of d) {\n    if (c(one)) {\n      all.push(one)\n    }\n  }\n  all.sort()\n  all.reverse()\n  return all.slice(1)\n}\n";
const land = (text: string): Promise<string> => answered("m.js", OLD, `Here is the whole file as an ES module:\n\n**m.js**\n\n\`\`\`js\n${text}\`\`\`\n`);

test.each([IMPORTS, IMPORTS.replace("{ c, d }", "{\n  c,\n  d\n}")])("kept, %#", async (imports) => {
  for (const exports of ["export { helper }\nexport default run\n", "export default run\nexport { helper }\n"]) {
    const text = `${imports}${RUN}\n${HELPER}\n${exports}`;
    expect(await land(text)).toBe(text);
  }
});

test.each([`${IMPORTS}export default ${RUN}`, `${IMPORTS.replace("import b from './b.js'\n", "")}export default ${RUN}\nexport ${HELPER}`, `${IMPORTS}${RUN}\n${HELPER}`, `${IMPORTS}export default ${RUN}\n${HELPER}`, `${IMPORTS}import helper from './helper.js'\n\nexport default ${RUN}`])("lacks something, %#", async (text) => {
  expect(await land(text)).toBe(OLD);
});

/** The answers in `examples/answers`: one job in each syntax, for the project beside them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FORMATS } from "../../src/syntaxes/index.ts";
import { projectRoot } from "./documents.ts";
import { filesBelow } from "./intake.ts";

const before = filesBelow(join(projectRoot, "examples/project"));

export const examples = FORMATS.map((format) => ({ format, answer: readFileSync(join(projectRoot, `examples/answers/${format}.md`), "utf8") }));

/** The project, in which every syntax may be read. */
export const exampleProject: Readonly<Record<string, string>> = { ...before, "loaf.yml": `${before["loaf.yml"] ?? ""}syntaxes: [${FORMATS.join(", ")}]\n` };

/** Its folder `src` before and after the job. */
export const sources = sourcesOf(before);
export const doneSources: Readonly<Record<string, string>> = {
  ...sources,
  "src/money.js": '/** Cents as people write them: 490 becomes "4.90 EUR". */\nexport function formatMoney(cents) {\n  return `${(cents / 100).toFixed(2)} EUR`;\n}\n',
  "src/order.js": (before["src/order.js"] ?? "")
    .replace("catalogue.js\";\n", 'catalogue.js";\nimport { formatMoney } from "./money.js";\n')
    .replace("${calcTotal(lines) / 100} EUR", "${formatMoney(calcTotal(lines))}"),
};

/** Returns the files below `src`, by path. */
export function sourcesIn(root: string): Readonly<Record<string, string>> {
  return sourcesOf(filesBelow(root));
}

function sourcesOf(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith("src/")));
}

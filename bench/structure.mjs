/** Addresses: what the first one costs, which loads a parser, and what each costs in a large file, against the same edit without one. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import MarkdownIt from "markdown-it";
import ts from "typescript";
import { parseAllDocuments } from "yaml";
import { addresses, find } from "../dist/modules/paths/address.js";
import { loadStructure, partsOf } from "../dist/modules/addresses/structure.js";
import { fastest, growth, longer, medians } from "./measure.mjs";

const MEGABYTE = 1_000_000;

export async function structureRows() {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  try {
    const loading = await loadingOf(folder);
    for (const file of ["a.ts", "a.md", "a.json", "a.yml"]) await loadStructure(file);
    return [
      longer("the first address in TypeScript, in a new process, against bare node", loading, 5),
      longer("parse 1 MB of TypeScript, find an address; against its compiler's parser", await against("a.ts", classes, (text) => ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest)), 5),
      longer("the same in Markdown, against markdown-it", await against("a.md", sections, (text) => new MarkdownIt().parse(text, {})), 1.5),
      longer("the same in JSON, against TypeScript's parser of JSON", await against("a.json", records, (text) => ts.parseJsonText("a.json", text)), 12),
      longer("the same in YAML, against yaml", await against("a.yml", documents, (text) => parseAllDocuments(text)), 1.5),
      growth("parse 0.5, 1, 2 and 4 MB of TypeScript", await growing(), 1.6),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Loading comes with parsing a file of one line. */
function loadingOf(folder) {
  const script = join(folder, "load.mjs");
  const structure = JSON.stringify(resolve(import.meta.dirname, "../dist/modules/addresses/structure.js"));
  writeFileSync(script, `import { loadStructure, partsOf } from ${structure};\nawait loadStructure("a.ts");\npartsOf("a.ts", "class A {}");\n`);
  const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...env } = process.env;
  const node = (...args) => execFileSync(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  return medians({ loaf: () => node(script), peer: () => node("-e", "0") }, 11);
}

/** Both read texts that they have not seen before: the parts of the last one are kept. */
function against(file, write, peer) {
  return medians({ loaf: () => resolveIn(file, write(MEGABYTE, calls++)), peer: () => peer(write(MEGABYTE, calls++)) }, 7);
}

let calls = 0;

async function growing() {
  const durations = [];
  for (const size of [0.5, 1, 2, 4]) durations.push(await fastest(() => resolveIn("a.ts", classes(size * MEGABYTE, calls++)), 3));
  return durations;
}

function resolveIn(file, text) {
  const parts = partsOf(file, text);
  const all = [...addresses(parts)];
  const { address, part } = all[Math.floor(all.length / 2)];
  if (find(parts, address)[0]?.part !== part) throw new Error(`${address} was not found`);
}

const classes = (size, seed) => repeated(size, (index) => `/** Counts. */\nexport class Counter${seed}x${index} {\n  #count = 0;\n\n  add(by: number): void {\n    this.#count += by;\n  }\n}\n`);
const sections = (size, seed) => repeated(size, (index) => `## Section ${seed}.${index}\n\nSome text with \`code\` in it, on a line\nor two.\n\n- a list\n- of two\n\n`);
const records = (size, seed) => `[${repeated(size, (index) => `{"id": "${seed}-${index}", "tags": ["a", "b"], "size": {"width": 1, "height": 2}},\n`)}null]`;
const documents = (size, seed) => repeated(size, (index) => `key-${seed}-${index}:\n  name: a name of some length\n  tags:\n    - one\n    - two\n`);

function repeated(size, write) {
  const pieces = [];
  for (let length = 0, index = 0; length < size; index++) {
    pieces.push(write(index));
    length += pieces[index].length;
  }
  return pieces.join("");
}

/** A small project documented in the XD5 style, without faults. */
import type { ReadableFiles } from "../../../src/xd5/component.ts";

export type Files = Readonly<Record<string, string>>;

const yaml = (...lines: string[]): string => ["```yaml", ...lines, "```"].join("\n");

const sample: Files = {
  "README.md": "# Not a component's\n",
  "comp/store/doc/API.md": `# Store

## Dependencies

${yaml("dependencies:", "  comp/log:", "    functions: [log]", "  node:fs/promises:", "    functions: [readFile, writeFile]", "  external/zod: \"*\"")}

## Exports

${yaml("exports:", "  functions:", "    - load  # [IMPLEMENTED]", "    - save  # [IN-PROGRESS]", "    - watch # [PLANNED]", "  types: [Entry, Key]", "  classes: [Store]", "  errors: [StoreError]")}

### \`load(key: Key): Promise<Entry>\`

Reads an entry. Throws \`StoreError\`.

### \`save(entry: Entry): Promise<void>\`

Writes an entry.

## Types

\`\`\`ts
export interface Entry {
  key: Key;
  level: Level;
}
\`\`\`

\`\`\`ts
export type Key = string;
\`\`\`
`,
  "comp/store/doc/ABSTRACT.md": "Keeps entries.\n",
  "comp/store/doc/ARCH.md": "One file for each entry.\n",
  "comp/store/src/index.ts": `import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import { log } from "../../log/src/index.js";
export * from "./types.js";
export { Store, StoreError } from "./store.js";
export async function load(key: string) { log(key); return z.parse(await readFile(key, "utf8")); }
export async function save(entry: { key: string }) { await writeFile(entry.key, ""); }
`,
  "comp/store/src/types.ts": "import type { Level } from \"../../log/src/index.js\";\nexport interface Entry { key: Key; level: Level }\nexport type Key = string;\n",
  "comp/store/src/store.ts": "export class Store {}\nexport class StoreError extends Error {}\n",
  "comp/store/test/store.test.ts": "import { load } from \"../src/index.js\";\nload(\"a\");\n",
  "comp/store/test-data/one.json": "{\"key\": \"a\"}\n",
  "comp/log/doc/API.md": `# Log

${yaml("exports:", "  functions: [log]", "  types: [Level, Unused]")}

### log(text: string, level?: Level)

Writes a line.

### Level

How loud: \`"low"\` or \`"high"\`.

### Unused

Nobody wants it.
`,
  "comp/log/src/index.ts": "export const log = (text: string, level?: Level) => { console.log(text, level); };\nexport type Level = \"low\" | \"high\";\nexport type Unused = never;\n",
  "comp/app/doc/API.md": `# App

${yaml("dependencies:", "  comp/store:", "    functions: [load]", "    types: [Entry]", "  comp/log:", "    functions: [log]  # [PLANNED]", "  comp/gone:  # [PLANNED]", "    functions: [anything]", "exports: {}")}
`,
  "comp/app/ABSTRACT.md": "What people start.\n",
  "comp/app/src/main.ts": "import { type Entry, load } from \"../../store/src/index.js\";\nexport const started: Promise<Entry> = load(\"a\");\n",
  "comp/app/comp/part/doc/API.md": `# Part\n\n${yaml("dependencies: {}", "exports:", "  functions: [part]")}\n`,
  "comp/app/comp/part/src/part.js": "exports.other = 1;\nexport function part() {}\n",
};

/** Here, the store also uses a type of the log. */
export const whole: Files = { ...sample, "comp/store/doc/API.md": replaced(sample, "comp/store/doc/API.md", "functions: [log]", "functions: [log]\n    types: [Level]") };

export function viewOf(files: Files): ReadableFiles {
  return { files: Object.keys(files).sort(), read: (file) => files[file] };
}

/** Returns a file's text with a part replaced. */
function replaced(files: Files, file: string, old: string, by: string): string {
  const text = files[file] ?? "";
  if (!text.includes(old)) throw new Error(`${file} does not hold ${old}`);
  return text.replace(old, () => by);
}

export function edited(files: Files, ...edits: ReadonlyArray<readonly [file: string, old: string, by: string]>): Files {
  const all: Record<string, string> = { ...files };
  for (const [file, old, by] of edits) all[file] = replaced(all, file, old, by);
  return all;
}

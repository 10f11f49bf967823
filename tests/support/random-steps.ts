/** Random runs, and what a user does in between: for laws that hold whatever was done. */
import { appendFileSync, chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "./folder.ts";

/** No action reaches from one area to the other, so that what is entangled in one leaves the other to the strict law. */
export const areas = ["x", "y"] as const;
const area = fc.constantFrom(...areas);
const file = fc.constantFrom("a", "b", "d/a", "d/b", "d/e/a", "f/a");
const directory = fc.constantFrom("d", "d/e", "f", "g", "g/h");
const path = fc.oneof({ weight: 4, arbitrary: file }, { weight: 1, arbitrary: directory });

const action = fc.record({
  kind: fc.constantFrom("write", "append", "replace", "replace-all", "range", "several", "lines", "delete", "move", "make", "remove"),
  area,
  path,
  other: path,
});
export const edit = fc.record({ kind: fc.constantFrom("write", "append", "chmod", "delete", "make", "rename", "link"), area, path, other: path });
export const step = fc.oneof({ weight: 2, arbitrary: fc.array(action, { minLength: 1, maxLength: 6 }).map((run) => ({ run })) }, { weight: 1, arbitrary: fc.array(edit, { minLength: 1, maxLength: 3 }).map((edits) => ({ edits })) });

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;
/** Makes what is written one of its kind. */
let count = 0;
const text = () => `alpha ${count++}\r\nbeta\ngamma ÿ\n`;

export function newProject(): string {
  const [first, second] = areas.map((one) => ({ [`${one}/a`]: text(), [`${one}/d/a`]: text(), [`${one}/d/e/a`]: `\uFEFF${text()}`, [`${one}/b`]: Buffer.from(`alpha \xff${count++} beta gamma`, "latin1") }));
  const root = createFolder({ ...first, ...second });
  chmodSync(join(root, "x/a"), 0o755);
  chmodSync(join(root, "y/d/a"), 0o600);
  return root;
}

export function blockOf({ kind, area: one, path: name, other }: Action): string {
  const at = { path: `${one}/${name}` };
  switch (kind) {
    case "write":
      return block({ action: "file_write", ...at, content: text() });
    case "append":
      return block({ action: "file_append", ...at, content: text() });
    case "replace":
      return block({ action: "file_replace_text", ...at, old_text: "alpha", new_text: `alpha ${count++}` });
    case "replace-all":
      return block({ action: "file_replace_all_text", ...at, old_text: "a", new_text: `a${count++}` });
    case "range":
      return block({ action: "file_replace_text_range", ...at, old_text_beginning: "beta", old_text_end: "gamma", new_text: `beta ${count++} gamma` });
    case "several":
      return block({ action: "files_replace_all_text", paths: `${one}/${name}\n${one}/${other}`, old_text: "beta", new_text: `beta ${count++}` });
    case "lines":
      return block({ action: "file_replace_lines", ...at, lines: "1", new_content: `alpha ${count++}` });
    case "delete":
      return block({ action: "file_delete", ...at });
    case "move":
      return block({ action: "file_move", old_path: at.path, new_path: `${one}/${other}` });
    case "make":
      return block({ action: "dir_create", ...at });
    case "remove":
      return block({ action: "dir_delete", ...at });
  }
}

function block(properties: Readonly<Record<string, string>>): string {
  return printBlock("abc", properties);
}

/** What a user does to the files. What cannot be done is left. */
export function change(root: string, { kind, area: one, path: name, other }: Edit, content = text()): void {
  const at = join(root, one, name);
  try {
    if (kind === "write") writeFileSync(at, content);
    else if (kind === "append") appendFileSync(at, content);
    else if (kind === "chmod") chmodSync(at, lstatSync(at).isDirectory() ? 0o700 : 0o640);
    else if (kind === "delete") rmSync(at, { recursive: true });
    else if (kind === "link") {
      rmSync(at, { recursive: true, force: true });
      symlinkSync(`nowhere ${content.length}`, at);
    } else if (kind === "make") mkdirSync(at, { recursive: true });
    else renameSync(at, join(root, one, other));
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
  }
}

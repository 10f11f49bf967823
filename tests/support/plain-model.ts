/** A plain model of a project's tree: what an action makes of it, told by nothing but the action. */
import { dirname, join } from "node:path/posix";
import fc from "fast-check";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";

/** Path to `644 content`, `755 directory` or `link to …`. */
export type Tree = Readonly<Record<string, string>>;

const path = fc.constantFrom("x/a", "x/b", "x/d/a", "x/d/e/a", "y/a", "y/d/a", "y/d/b", "x/d", "x/d/e", "y/d", "y/f", "y/f/g");

export const action = fc.record({
  kind: fc.constantFrom("write", "write", "append", "insert", "insert", "insert", "delete", "move", "make", "remove"),
  path,
  other: path,
  syntax: fc.constantFrom("nesl", "csl", "replacer", "patch", "search-replace", "tool-calls"),
});
export type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/** A mark that no other action makes, among lines that every file has, so that edits of one file can be apart. */
export function textWith(mark: string): string {
  return `first\n${mark}\nsecond\nthird\nfourth\nfifth\n`;
}

export function marksIn(tree: Tree): Set<string> {
  return new Set(Object.values(tree).flatMap((entry) => entry.match(/mark-[\w-]+/g) ?? []));
}

/** Writes an action in its syntax, or in NESL where that has no word for it. */
export function blockOf(one: Action, mark: string): string {
  const { kind, path: file, other, syntax } = one;
  const inserted = `fifth\n${mark}`;
  if (kind === "write") {
    const text = textWith(mark);
    if (syntax === "csl") return `<---WRITE file="${file}"--->\n${text}\n<---END--->`;
    if (syntax === "tool-calls") return `\`\`\`json\n${JSON.stringify({ name: "Write", arguments: { file_path: file, content: text } })}\n\`\`\``;
    return block({ action: "file_write", path: file, content: text });
  }
  if (kind === "insert") {
    if (syntax === "csl") return `<---SEARCH file="${file}"--->\nfifth\n<---REPLACE--->\n${inserted}\n<---END--->`;
    if (syntax === "replacer") return `<<<FILE>>>\n${file}\n<<<SEARCH>>>\nfifth\n<<<REPLACE>>>\n${inserted}\n<<<END>>>`;
    if (syntax === "patch") return `*** Begin Patch\n*** Update File: ${file}\n@@\n fourth\n fifth\n+${mark}\n*** End Patch`;
    if (syntax === "search-replace") return `${file}\n<<<<<<< SEARCH\nfifth\n=======\n${inserted}\n>>>>>>> REPLACE`;
    return block({ action: "file_replace_text", path: file, old_text: "fifth", new_text: inserted });
  }
  if (kind === "append") return block({ action: "file_append", path: file, content: `${mark}\n` });
  if (kind === "delete")
    return syntax === "patch" ? `*** Begin Patch\n*** Delete File: ${file}\n*** End Patch` : block({ action: "file_delete", path: file });
  if (kind === "move") return block({ action: "file_move", old_path: file, new_path: other });
  return block({ action: kind === "make" ? "dir_create" : "dir_delete", path: file });
}

function block(properties: Readonly<Record<string, string>>): string {
  return printBlock("abc", properties);
}

/** Returns the tree after an action that succeeded. */
export function applied(tree: Tree, { kind, path, other }: Action, mark: string): Tree {
  const isEdit = kind === "write" || kind === "append" || kind === "insert";
  const file = isEdit ? linkedFrom(tree, path) : path;
  const old = tree[file];
  const [mode, content = ""] = /^(\d+) (.*)$/s.exec(old ?? "")?.slice(1) ?? ["644"];
  const withFile = (text: string): Tree => ({ ...withFolders(tree, dirname(file)), [file]: `${mode} ${text}` });
  switch (kind) {
    case "write":
      return withFile(textWith(mark));
    case "append":
      return withFile(`${content}${mark}\n`);
    case "insert":
      return withFile(content.replace("fifth", `fifth\n${mark}`));
    case "make":
      return withFolders(tree, file);
    case "delete":
    case "remove":
      return without(tree, file);
    case "move": {
      const moved = Object.entries(tree).filter(([name]) => isWithin(name, file));
      const to = moved.map(([name, entry]) => [other + name.slice(file.length), entry] as const);
      return file === other ? tree : { ...withFolders(without(tree, file), dirname(other)), ...Object.fromEntries(to) };
    }
  }
}

/** Returns where a link leads; another path as it is. */
function linkedFrom(tree: Tree, path: string): string {
  const target = /^link to (.*)$/s.exec(tree[path] ?? "")?.[1];
  return target === undefined ? path : join(dirname(path), target);
}

const NEW_FOLDER = "755 directory";

function withFolders(tree: Tree, folder: string): Tree {
  return folder === "." ? tree : { ...withFolders(tree, dirname(folder)), [folder]: tree[folder] ?? NEW_FOLDER };
}

function without(tree: Tree, path: string): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([name]) => !isWithin(name, path)));
}

export function isWithin(name: string, folder: string): boolean {
  return name === folder || name.startsWith(`${folder}/`);
}

export function isFolder(entry: string | undefined): boolean {
  return entry?.endsWith(" directory") === true;
}

/** Returns the paths at which two trees differ. */
export function differences(one: Tree, other: Tree): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => one[name] !== other[name]);
}

/** Random answers in all syntaxes, and what a person would make of each of their edits. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import type { ActionResult } from "../../src/index.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";

type Edit =
  | { readonly kind: "write" | "append"; readonly path: string; readonly text: string }
  | { readonly kind: "replace"; readonly path: string; readonly oldText: string; readonly newText: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string };

const PATHS = ["a.txt", "b.txt", "sub/a.txt"] as const;
const LINES = ["one", "two", "three", "four"] as const;

export const path = fc.constantFrom(...PATHS);
const line = fc.constantFrom(...LINES);
export const text = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.map((one) => `${one}\n`).join(""));
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("write", "append"), path, text }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("replace"), path, oldText: line.map(withEnd), newText: text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete"), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("move"), path, to: path }).filter((one) => one.path !== one.to) },
);

function withEnd(one: string): string {
  return `${one}\n`;
}

/** The syntaxes that can write each kind of edit. Each answer is in one syntax, as far as that can say it. */
const SYNTAXES = ["nesl", "csl", "search-replace", "tool-calls", "replacer", "patch", "unified-diff"] as const;

export function print({ edits, syntax }: Answer): string {
  const printed = edits.map((one, index) => printIn(one, syntax) ?? printNesl(one, `e${index}${index % 7}`));
  const isPure = edits.every((one) => printIn(one, syntax) !== undefined);
  return (isPure ? printed : edits.map((one, index) => printNesl(one, `e${index}${index % 7}`))).join("\n\n");
}

function printNesl(one: Edit, id: string): string {
  switch (one.kind) {
    case "write":
      return printBlock(id, { action: "file_write", path: one.path, content: one.text });
    case "append":
      return printBlock(id, { action: "file_append", path: one.path, content: one.text });
    case "replace":
      return printBlock(id, { action: "file_replace_text", path: one.path, old_text: one.oldText, new_text: one.newText });
    case "delete":
      return printBlock(id, { action: "file_delete", path: one.path });
    case "move":
      return printBlock(id, { action: "file_move", old_path: one.path, new_path: one.to });
  }
}

function printIn(one: Edit, syntax: (typeof SYNTAXES)[number]): string | undefined {
  const { kind, path: file } = one;
  if (syntax === "csl" && (kind === "write" || kind === "append"))
    return `<---WRITE file="${file}"${kind === "append" ? ' append="true"' : ""}--->\n${one.text}\n<---END--->`;
  if (syntax === "csl" && kind === "replace")
    return `<---SEARCH file="${file}"--->\n${one.oldText}\n<---REPLACE--->\n${one.newText}\n<---END--->`;
  if (syntax === "search-replace" && kind === "replace")
    return `${file}\n\`\`\`\n<<<<<<< SEARCH\n${one.oldText}=======\n${one.newText}>>>>>>> REPLACE\n\`\`\``;
  if (syntax === "replacer" && kind === "replace")
    return `<<<FILE>>>\n${file}\n<<<SEARCH>>>\n${one.oldText}<<<REPLACE>>>\n${one.newText}<<<END>>>`;
  if (syntax === "tool-calls" && kind === "write") return call("Write", { file_path: file, content: one.text });
  if (syntax === "tool-calls" && kind === "replace")
    return call("Edit", { file_path: file, old_string: one.oldText, new_string: one.newText });
  if (syntax === "patch" && kind === "replace")
    return `*** Begin Patch\n*** Update File: ${file}\n@@\n${marked("-", one.oldText)}${marked("+", one.newText)}*** End Patch`;
  if (syntax === "unified-diff" && kind === "replace")
    return `--- a/${file}\n+++ b/${file}\n@@ -1,1 +1,${one.newText.split("\n").length - 1} @@\n${marked("-", one.oldText)}${marked("+", one.newText)}`;
  return undefined;
}

function call(name: string, input: Readonly<Record<string, string>>): string {
  return JSON.stringify({ type: "tool_use", id: "t1", name, input });
}

function marked(mark: string, lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, mark);
}

export type Answer = { readonly edits: readonly Edit[]; readonly syntax: (typeof SYNTAXES)[number] };

export const answer: fc.Arbitrary<Answer> = fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 4 }), syntax: fc.constantFrom(...SYNTAXES) });

export type Tree = Map<string, string>;

/** Makes an edit as anybody would by hand. */
function make(tree: Tree, { action, operation, params }: ActionResult, root: string): void {
  const at = (name: string): string => relative(root, resolve(root, String(params[name])));
  const of = at("path");
  const before = tree.get(of);
  switch (action) {
    case "file_write":
    case "file_create":
      return void tree.set(of, String(params["content"]));
    case "file_append":
      return void tree.set(of, (before ?? "") + String(params["content"]));
    case "file_delete":
      return void tree.delete(of);
    case "file_move": {
      const moved = tree.get(at("old_path")) ?? "";
      tree.delete(at("old_path"));
      return void tree.set(at("new_path"), moved);
    }
    case "file_replace_text":
    case "file_edit_lines": {
      const oldText = String(params["old_text"] ?? params["old_lines"]);
      const newText = String(params["new_text"] ?? params["new_lines"]);
      expect(before?.split(oldText), `${operation ?? action} in ${of}`).toHaveLength(2);
      return void tree.set(of, (before ?? "").replace(oldText, () => newText));
    }
    default:
      throw new Error(`no model of ${action}`);
  }
}

/** Returns whether a tree has the effect of an edit that no later one of its answer touches. */
function isThere(tree: Tree, { action, params }: ActionResult, root: string): boolean {
  const at = (name: string): string => relative(root, resolve(root, String(params[name])));
  const now = tree.get(at("path"));
  switch (action) {
    case "file_write":
    case "file_create":
      return now === params["content"];
    case "file_append":
      return now?.endsWith(String(params["content"])) === true;
    case "file_delete":
      return now === undefined;
    case "file_move":
      return !tree.has(at("old_path")) && tree.has(at("new_path"));
    default: {
      const newText = String(params["new_text"] ?? params["new_lines"]);
      const oldText = String(params["old_text"] ?? params["old_lines"]);
      return now?.includes(newText) === true && !now.replace(newText, "\0").includes(oldText);
    }
  }
}

function pathsOf({ params }: ActionResult): unknown[] {
  return [params["path"], params["old_path"], params["new_path"]].filter((one) => one !== undefined);
}

export function treeOf(root: string): Tree {
  return new Map(PATHS.filter((one) => existsSync(join(root, one))).map((one) => [one, readFileSync(join(root, one), "utf8")]));
}

/**
 * Checks the law: the tree is what the successful results, made in order on the tree before them, give; and what was
 * applied before is there.
 */
export function checkLaw(before: Tree, results: readonly ActionResult[], root: string): void {
  for (const [index, result] of results.entries()) {
    if (result.success && result.appliedIn === undefined) make(before, result, root);
    const later = results.slice(index + 1).flatMap(pathsOf);
    if (result.success && !pathsOf(result).some((of) => later.includes(of)))
      expect(isThere(treeOf(root), result, root), `${result.action} ${JSON.stringify(result.params)}`).toBe(true);
  }
  expect(treeOf(root)).toEqual(before);
}

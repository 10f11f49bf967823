/**
 * The tools of other products, and the actions that do what they do. Names are compared without case and without a
 * prefix.
 */

import { type HunkPlace, isBlock, type ReadText } from "../../core/block.ts";
import { readPatch } from "../patch/read.ts";
import { readSearchReplace } from "../search-replace/read.ts";
import { Source } from "../source.ts";
import { Arguments, isObject, WORDS } from "./arguments.ts";
import { patchIn } from "./shell.ts";

/** A call of a tool: its name as written, and its arguments. */
export interface Call {
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** Its arguments where the texts of `given` are not in the file. */
  readonly otherwise?: Readonly<Record<string, string>>;
  /** Whether the JSON of its arguments was repaired. */
  readonly isRepaired: boolean;
}

/** A call in a text with its UTF-16 offsets, or why there is none. It `isOpen` if the text may end in it. */
export type CallInText = { readonly start: number; readonly end: number } & (
  { readonly call: Call } | { readonly problem: string; readonly isOpen: boolean }
);

/** The parameters of an action, or why a call cannot be one. */
export type Translated =
  { readonly given: Readonly<Record<string, string>>; readonly place?: HunkPlace } | { readonly problem: string };

/** The actions of a call, what to warn of, and whether any JSON in it was repaired. */
export interface TranslatedCall {
  readonly actions: readonly Translated[];
  readonly warnings: readonly string[];
  readonly isRepaired: boolean;
}

/** Returns the actions of a call: several for one with a list of edits. A name not in the table may be an action's. */
export function actionsOf({ tool, given, isRepaired }: Call): TranslatedCall {
  const kind = KINDS.get(bareName(tool));
  if (kind === undefined) return { actions: [withStrings({ ...given, action: tool })], warnings: [], isRepaired };
  const all = new Arguments(given);
  const actions = TRANSLATIONS[kind](all);
  return { actions, warnings: all.warnings, isRepaired: isRepaired || all.isRepaired };
}

/** Returns whether the edits of a call run together or not at all. Roo and Cline apply each block by itself. */
export function runsWhole(tool: string): boolean {
  return !["apply_diff", "replace_in_file"].includes(bareName(tool));
}

export function isKnownTool(tool: string): boolean {
  return KINDS.has(bareName(tool));
}

/** Returns the name of the argument with the text that a call replaces by nothing. */
export function deletedText(tool: string, given: Readonly<Record<string, string>>): string | undefined {
  const kind = KINDS.get(bareName(tool));
  const all = new Arguments(given);
  if (!["edit", "editor", "cline"].includes(kind ?? "") || (all.text("new") ?? "") !== "") return undefined;
  const words = WORDS.old.split(" ");
  return Object.keys(given).find((name) => words.includes(name.toLowerCase()));
}

/** Returns whether an argument is a text to replace, or the new one. */
export function isEdited(name: string): boolean {
  return `${WORDS.old} ${WORDS.new}`.split(" ").includes(name.toLowerCase());
}

/** Returns whether an argument is the text of a file. */
export function isContent(name: string): boolean {
  return WORDS.content.split(" ").includes(name.toLowerCase());
}

/** `functions.Edit`, `mcp__filesystem__edit_file` and `default_api:replace` are known by their last part. */
function bareName(tool: string): string {
  // Not by its last part: exec is an action of Loaf.
  if (/(?:^|\.)container\.exec$/i.test(tool)) return "shell";
  return (/[^.:]*$/.exec(tool.replace(/:\d+$/, ""))?.[0] ?? "").replace(/^.*__/, "").replaceAll("-", "_").toLowerCase();
}

type Kind =
  | "edit" | "write" | "append" | "delete" | "move" | "read" | "list"
  | "editor" | "cline" | "insert" | "blocks" | "shell" | "none";

const NAMES: Readonly<Record<Kind, string>> = {
  edit:
    "edit multiedit multi_edit edit_file file_edit file_replace_text str_replace search_replace search_and_replace replace replace_string_in_file " +
    "multi_replace_string_in_file replace_file_content multi_replace_file_content single_find_and_replace strreplace " +
    "strreplacefile " +
    "edit_existing_file insert_edit_into_file update_file",
  write: "write write_file write_to_file create_file new_file create_new_file save_file fswrite file_write change save",
  append: "append_to_file append_file file_append append",
  delete: "delete_file remove_file file_delete",
  move: "move_file rename_file file_move",
  read: "read read_file view_file open_file file_read",
  list: "ls list_files list_directory list_dir",
  editor: "str_replace_based_edit_tool str_replace_editor text_editor",
  cline: "editor",
  insert: "insert_content",
  blocks: "apply_diff replace_in_file apply_patch patch",
  shell: "shell shell_command local_shell exec_command bash run_terminal_cmd run_in_terminal execute_command run_shell_command",
  none:
    "edit_notebook notebookedit attempt_completion ask_followup_question todowrite update_plan " +
    // Loaf's internal actions, which no text may name.
    "run_commands file_create file_edit_lines file_insert_lines file_put",
};

const CHANGING: readonly Kind[] = ["edit", "write", "append", "delete", "move", "editor", "cline", "insert", "blocks"];

/** Names of tools that change files, without those of a single word, which other texts contain too. */
export const CHANGING_TOOLS: readonly string[] = CHANGING.flatMap((kind) => NAMES[kind].split(" ")).filter((name) =>
  /_|multi/.test(name),
);

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as Kind] as const)),
);

const TRANSLATIONS: Readonly<Record<Kind, (given: Arguments) => readonly Translated[]>> = {
  edit: (given) => {
    const edits = given.list("edits");
    if (given.text("dry") === "true")
      return [{ problem: "The call only asks to show the edit (dryRun): call it without" }];
    if (edits === undefined && given.text("old") === undefined) {
      const [lazy, path] = [given.text("lazy"), given.text("path")];
      if (lazy !== undefined) return [complete({ action: "file_put", path, content: lazy })];
      if (given.text("blocks") !== undefined) return blocksOf(given);
    }
    if (edits === undefined) return [editOf(given, given.text("path"))];
    return edits.map((edit: unknown) => {
      if (!isObject(edit)) return { problem: "An entry of the list of edits is not an object" };
      const each = new Arguments(edit);
      return editOf(each, each.text("path") ?? given.text("path"));
    });
  },
  write: (given) => {
    // OpenAI's create_file has a diff of added lines.
    const added = given.has("diff") ? given.text("blocks")?.replace(/^\+/gm, "") : undefined;
    return [complete({ action: "file_write", path: given.text("path"), content: given.text("content") ?? added })];
  },
  append: (given) => [complete({ action: "file_append", path: given.text("path"), content: given.text("content") })],
  delete: (given) => [complete({ action: "file_delete", path: given.text("path") })],
  move: (given) => [
    complete({ action: "file_move", old_path: given.text("from") ?? given.text("path"), new_path: given.text("to") }),
  ],
  read: (given) => [complete({ action: "file_read", path: given.text("path") })],
  list: (given) => [complete({ action: "ls", path: given.text("path") })],
  editor: (given) => {
    const isOther = given.text("command") === "str_replace" && given.get("old") === undefined;
    return isOther ? TRANSLATIONS.edit(given) : [editorOf(given)];
  },
  cline: (given) => [clineEditorOf(given)],
  insert: (given) => [insertionOf(given, given.text("line"), given.text("content"))],
  blocks: (given) => blocksOf(given),
  shell: (given) => patchesOf(given),
  none: () => [NOTHING_DOES],
};

const NOTHING_DOES = { problem: "No action does what this tool does" };

function editorOf(given: Arguments): Translated {
  const [command, path] = [given.text("command"), given.text("path")];
  switch (command) {
    case "view":
      return viewOf(given);
    case "create":
      return complete({ action: "file_write", path, content: given.text("content") });
    case "str_replace":
      if (given.get("new") === undefined) given.warnings.push("the call has no new_str, so old_str was deleted");
      return editOf(given, path, "");
    case "insert":
    case undefined:
      if (command === undefined && given.text("after") === undefined) return editOf(given, path);
      return complete({
        action: "file_insert_lines",
        path,
        new_lines: given.text("inserted"),
        after: given.text("after"),
      });
    default:
      return { problem: `No action does what the command '${command}' does: send the edit itself` };
  }
}

/** Lines from one to another, both included. The last one may be -1 for the end. */
function viewOf(given: Arguments): Translated {
  const [path, range] = [given.text("path"), given.list("range")];
  const [first, last] = range ?? [];
  const isPart = Number.isInteger(first) && Number.isInteger(last) && Number(last) >= Number(first);
  return complete(
    isPart ? { action: "file_read_numbered", path, lines: `${first}-${last}` } : { action: "file_read", path },
  );
}

/** Cline's tool of that name: an edit, a new file, or lines to insert before one. Others take a command. */
function clineEditorOf(given: Arguments): Translated {
  const [path, line, text] = [given.text("path"), given.text("after"), given.text("new") ?? given.text("inserted")];
  if (given.has("command")) return editorOf(given);
  if (line === "0") return { problem: "The call names line 0, and lines are counted from 1" };
  if (line !== undefined) return insertionOf(given, line, text);
  if (given.text("old") !== undefined) return editOf(given, path);
  return complete({ action: "file_create", path, content: text });
}

/** Before a line, counted from 1; Roo's at the end of the file for 0. The call has no lines to check that against. */
function insertionOf(given: Arguments, line = "", lines: string | undefined): Translated {
  if (!/^\d+$/.test(line)) return { problem: "The call has no line number" };
  const after = line === "0" ? {} : { after: String(Number(line) - 1) };
  return complete({ action: "file_insert_lines", path: given.text("path"), new_lines: lines, ...after });
}

/** @param path may be given once for several edits */
function editOf(given: Arguments, path: string | undefined, newTextIfNone?: string): Translated {
  const [oldText, newText, count] = [given.text("old"), given.text("new") ?? newTextIfNone, given.text("count")];
  const all = given.text("all");
  if (all !== undefined && all !== "true" && all !== "false")
    return { problem: "The value that says whether to replace all is neither true nor false" };
  if (["true", "1"].includes(String(given.text("regex"))))
    return { problem: "The text to replace is a regular expression: send the text itself" };
  const isAll = all === "true";
  if (oldText === "") return complete({ action: "file_create", path, content: newText });
  if (!isAll && (count === undefined || count === "1"))
    return complete({ action: "file_replace_text", path, old_text: oldText, new_text: newText });
  return complete({
    action: "file_replace_all_text",
    path,
    old_text: oldText,
    new_text: newText,
    ...(!isAll && { count }),
  });
}

/** Reads the blocks that some tools take as one text. */
function blocksOf(given: Arguments): readonly Translated[] {
  const [text, path] = [given.text("blocks"), given.text("path")];
  if (text === undefined && given.text("old") !== undefined) return [editOf(given, path)];
  if (text === undefined) return [{ problem: "The call does not give the diff" }];
  const isHunks = !/^\s*\*\*\* /m.test(text) && /^@@|^--- /m.test(text);
  const hunks = text.replace(/^(?:---|\+\+\+) .*\n/gm, "").trimEnd();
  const source = new Source(isHunks ? `*** Begin Patch\n*** Update File: ${path}\n${hunks}\n*** End Patch\n` : text);
  const before = path === undefined ? undefined : { properties: { path } };
  const { items } = /^\s*\*\*\* /m.test(source.text) ? readPatch(source) : readSearchReplace(source, before);
  return items.map((item) =>
    isBlock(item) && item.diagnostics.length === 0
      ? { given: item.properties, ...(item.meant?.place && { place: item.meant.place }) }
      : { problem: messageIn(item) },
  );
}

function messageIn(item: ReadText["items"][number]): string {
  return (isBlock(item) ? item.diagnostics[0]?.message : item.message) ?? "";
}

/** Codex calls apply_patch in a shell. Other commands are not run. */
function patchesOf(given: Arguments): readonly Translated[] {
  const words = (given.list("command") ?? [given.text("command")]).filter((word) => typeof word === "string");
  if (words.length === 0) return [NOTHING_DOES];
  const patch = patchIn(words);
  const folder = given.text("folder") ?? "";
  const inFolder = (name: string, value: string): string =>
    folder === "" || !name.endsWith("path") || value.startsWith("/") ? value : `${folder.replace(/\/+$/, "")}/${value}`;
  if ("problem" in patch) return [patch];
  return blocksOf(new Arguments(patch)).map((edit) => {
    if ("problem" in edit) return edit;
    const given = Object.entries(edit.given).map(([name, value]) => [name, inFolder(name, value)] as const);
    return { ...edit, given: Object.fromEntries(given) };
  });
}

/** What the parameters of actions are for. */
const NOUNS: Readonly<Record<string, string>> = {
  path: "the path of its file",
  old_path: "the old path",
  new_path: "the new path",
  old_text: "the text to replace",
  new_text: "the new text",
  new_lines: "the text to insert",
  content: "the text of the file",
  after: "the line to insert at",
};

/** Refuses a call without a parameter that its action needs. */
function complete(properties: Readonly<Record<string, string | undefined>>): Translated {
  const missing = Object.entries(properties).find(([, value]) => value === undefined)?.[0];
  return missing === undefined
    ? { given: properties as Record<string, string> }
    : { problem: `The call does not give ${NOUNS[missing] ?? missing}` };
}

function withStrings(given: Readonly<Record<string, unknown>>): Translated {
  const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  return { given: Object.fromEntries(Object.entries(given).map(([key, value]) => [key, text(value)])) };
}

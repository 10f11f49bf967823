/** The tools of other products, and the actions that do what they do. Names are compared without case and without a prefix. */

/** A call of a tool: its name as written, and its arguments. */
export interface Call {
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/** The parameters of an action, or why a call cannot be one. */
export type Translated = Readonly<Record<string, string>> | { readonly problem: string };

/** Returns the actions of a call: several for one with a list of edits. A name not in the table may be an action's. */
export function actionsOf({ tool, given }: Call): readonly Translated[] {
  const kind = KINDS.get(bareName(tool));
  return kind === undefined ? [withStrings({ ...given, action: tool })] : TRANSLATIONS[kind](new Arguments(given));
}

export function isKnownTool(tool: string): boolean {
  return KINDS.has(bareName(tool));
}

/** `functions.Edit`, `mcp__filesystem__edit_file` and `default_api:replace` are known by their last part. */
function bareName(tool: string): string {
  return (/[^.:]*$/.exec(tool)?.[0] ?? "").replace(/^.*__/, "").toLowerCase();
}

type Kind = "edit" | "write" | "append" | "delete" | "move" | "read" | "list" | "editor" | "blocks" | "none";

const NAMES: Readonly<Record<Kind, string>> = {
  edit: "edit multiedit multi_edit edit_file file_edit file_replace_text str_replace search_replace search_and_replace replace replace_string_in_file",
  write: "write write_file write_to_file create_file new_file file_write",
  append: "append_to_file append_file file_append",
  delete: "delete_file remove_file file_delete",
  move: "move_file rename_file file_move",
  read: "read read_file view_file open_file file_read",
  list: "ls list_files list_directory list_dir",
  editor: "str_replace_based_edit_tool str_replace_editor text_editor editor",
  blocks: "apply_diff replace_in_file apply_patch",
  none: "insert_content edit_notebook notebookedit run_terminal_cmd execute_command run_shell_command bash attempt_completion ask_followup_question todowrite update_plan " +
    // Loaf's internal actions, which no text may name.
    "run_commands file_create file_edit_lines file_put",
};

const KINDS: ReadonlyMap<string, Kind> = new Map(Object.entries(NAMES).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as Kind] as const)));

/** What products call the same parameter. */
const WORDS = {
  path: "path file_path filepath target_file targetfile filename file relative_path absolutepath",
  old: "old_str old_string oldstring old_text oldtext search old",
  new: "new_str new_string newstring new_text newtext replace new",
  content: "content contents file_text filetext text code file_content",
  from: "source old_path from source_path src",
  to: "destination new_path to destination_path dst",
  all: "replace_all replaceall allow_multiple",
  count: "expected_replacements expected_count count",
} as const;

/** The arguments of a call by the words above. */
class Arguments {
  readonly #given: ReadonlyMap<string, unknown>;

  constructor(given: Readonly<Record<string, unknown>>) {
    this.#given = new Map(Object.entries(given).map(([key, value]) => [key.toLowerCase(), value]));
  }

  text(name: keyof typeof WORDS | "command"): string | undefined {
    const words = name === "command" ? ["command"] : WORDS[name].split(" ");
    const value = words.map((word) => this.#given.get(word)).find((one) => one !== undefined && one !== null);
    return typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  }

  get(name: string): unknown {
    return this.#given.get(name);
  }
}

const TRANSLATIONS: Readonly<Record<Kind, (given: Arguments) => readonly Translated[]>> = {
  edit: (given) => {
    const edits = given.get("edits");
    if (!Array.isArray(edits)) return [editOf(given, given.text("path"))];
    return edits.map((edit: unknown) => (isObject(edit) ? editOf(new Arguments(edit), given.text("path")) : { problem: "An entry of 'edits' is no object" }));
  },
  write: (given) => [complete({ action: "file_write", path: given.text("path"), content: given.text("content") })],
  append: (given) => [complete({ action: "file_append", path: given.text("path"), content: given.text("content") })],
  delete: (given) => [complete({ action: "file_delete", path: given.text("path") })],
  move: (given) => [complete({ action: "file_move", old_path: given.text("from") ?? given.text("path"), new_path: given.text("to") })],
  read: (given) => [complete({ action: "file_read", path: given.text("path") })],
  list: (given) => [complete({ action: "ls", path: given.text("path") })],
  editor: (given) => [editorOf(given)],
  blocks: () => [{ problem: "The call holds blocks of another format: send them alone in a text of their own" }],
  none: () => [{ problem: "No action does what this tool does" }],
};

function editorOf(given: Arguments): Translated {
  const [command, path] = [given.text("command"), given.text("path")];
  switch (command) {
    case "view":
      return complete({ action: "file_read", path });
    case "create":
      return complete({ action: "file_write", path, content: given.text("content") });
    case "str_replace":
    case undefined:
      return editOf(given, path);
    default:
      return { problem: `No action does what the command '${command}' does: replace lines instead` };
  }
}

/** @param path may be given once for several edits */
function editOf(given: Arguments, path: string | undefined): Translated {
  const [oldText, newText, count] = [given.text("old"), given.text("new"), given.text("count")];
  if (given.text("all") !== undefined && !["true", "false"].includes(given.text("all") ?? "")) return { problem: "The value that says whether to replace all is neither true nor false" };
  if (["true", "1"].includes(String(given.get("use_regex")))) return { problem: "The text to replace is a regular expression: send the text itself" };
  const isAll = given.text("all") === "true";
  if (oldText === "") return complete({ action: "file_create", path, content: newText });
  if (!isAll && (count === undefined || count === "1")) return complete({ action: "file_replace_text", path, old_text: oldText, new_text: newText });
  return complete({ action: "file_replace_all_text", path, old_text: oldText, new_text: newText, ...(!isAll && { count }) });
}

/** Refuses a call without a parameter that its action needs. */
function complete(properties: Readonly<Record<string, string | undefined>>): Translated {
  const missing = Object.entries(properties).find(([, value]) => value === undefined)?.[0];
  return missing === undefined ? (properties as Record<string, string>) : { problem: `The call has no argument for '${missing}'` };
}

function withStrings(given: Readonly<Record<string, unknown>>): Translated {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, typeof value === "string" ? value : (JSON.stringify(value) ?? "")]));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Other names for actions and parameters, as other products' tools and models write them. A name counts only where it
 * has exactly one meaning. Upper case, underscores and hyphens do not matter.
 */

/** By parameter. Two parameters may share a name, if no action has both. */
const OF_PARAMETERS = {
  path: "file_path file file_name target_file target_path absolute_path relative_path directory dir folder directory_path dir_path",
  paths: "path files file_paths file_names",
  old_path: "source from source_path from_path src old_name",
  new_path: "destination to destination_path to_path dst dest target new_name",
  base_path: "path directory dir folder base_dir",
  old_text: "old_str old_string old search search_text find original original_text",
  new_text: "new_str new_string new replace replacement replacement_text",
  new_content: "content contents new_lines new_text new_str new_string replacement",
  content: "contents file_text file_content file_contents text code body",
  old_text_beginning: "old_text_start beginning start",
  old_text_end: "old_text_ending end",
  pattern: "query text search search_text",
  include: "glob file_pattern include_pattern",
  lines: "line line_range range line_numbers",
  delimiter: "separator",
  count: "expected_replacements expected_count expected_occurrences occurrences",
  code: "command commands script cmd source",
  lang: "language",
  cwd: "work_dir working_dir working_directory directory dir",
  timeout: "timeout_ms time_limit",
  return_output: "show_output",
  levels: "depth max_depth",
};

/** By action. The order of words does not matter either: `write_file` is `file_write`. */
const OF_ACTIONS = {
  file_write: "write write_to_file create_file save_file new_file overwrite_file",
  file_append: "append append_to_file add_to_file",
  file_replace_text:
    "edit edit_file replace replace_text str_replace search_replace search_and_replace replace_in_file replace_string_in_file",
  file_replace_all_text: "replace_all replace_all_text replace_all_in_file",
  file_replace_lines: "replace_lines edit_lines",
  file_read: "read view view_file open_file show_file cat",
  file_read_numbered: "read_numbered read_lines view_lines",
  files_read: "read_many_files read_multiple_files",
  file_outline: "outline",
  file_delete: "remove_file rm_file erase_file",
  file_move: "move rename rename_file mv",
  dir_create: "mkdir make_dir make_directory create_directory create_folder",
  dir_delete: "rmdir remove_dir remove_directory delete_directory delete_folder",
  ls: "list list_dir list_directory list_files list_folder",
  grep: "search_text find_text",
  glob: "find_files glob_files",
  exec: "execute run run_code execute_code run_command run_commands execute_command run_shell_command shell bash",
};

export const otherActionNames: Readonly<Record<string, readonly string[]>> = splitAll(OF_ACTIONS);
export const otherParameterNames: Readonly<Record<string, readonly string[]>> = splitAll(OF_PARAMETERS);

function splitAll(table: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(table).map(([name, others]) => [name, others.split(" ")]));
}

/** Returns a name in the form in which names are compared: `filePath` is `file_path`. */
function bareName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

/** Returns whether a name means a parameter, or is only another spelling of its name. */
export function meansParameter(written: string, parameter: string): boolean {
  const bare = bareName(written);
  return (
    bare === bareName(parameter) ||
    (Object.hasOwn(otherParameterNames, parameter) &&
      otherParameterNames[parameter]?.some((other) => bareName(other) === bare) === true)
  );
}

/** Returns the action that a name means, or undefined if it means none, or several. */
export function actionMeant(written: string, names: readonly string[]): string | undefined {
  const words = wordsOf(written);
  const meant = names.filter((name) => namesOf(name).some((known) => wordsOf(known) === words));
  return meant.length === 1 ? meant[0] : undefined;
}

function namesOf(action: string): readonly string[] {
  return [action, ...(otherActionNames[action] ?? [])];
}

/** `write_file`, `WriteFile` and `write-file` are `file_write`. */
function wordsOf(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z]+/).toSorted().join(" ");
}

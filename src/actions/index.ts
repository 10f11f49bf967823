import type { AnyAction } from "./define.ts";
import { contextAdd } from "./context-add.ts";
import { contextClear } from "./context-clear.ts";
import { contextList } from "./context-list.ts";
import { contextPrune } from "./context-prune.ts";
import { contextRemove } from "./context-remove.ts";
import { dirCreate } from "./dir-create.ts";
import { dirDelete } from "./dir-delete.ts";
import { exec } from "./exec.ts";
import { fileAppend } from "./file-append.ts";
import { fileCreate } from "./file-create.ts";
import { fileDelete } from "./file-delete.ts";
import { fileEditLines } from "./file-edit-lines.ts";
import { fileMove } from "./file-move.ts";
import { fileOutline } from "./file-outline.ts";
import { fileInsertLines } from "./file-insert-lines.ts";
import { filePut } from "./file-put.ts";
import { fileRead } from "./file-read.ts";
import { fileReadNumbered } from "./file-read-numbered.ts";
import { fileReplaceAllText } from "./file-replace-all-text.ts";
import { fileReplaceLines } from "./file-replace-lines.ts";
import { fileReplaceText } from "./file-replace-text.ts";
import { fileReplaceTextRange } from "./file-replace-text-range.ts";
import { fileWrite } from "./file-write.ts";
import { filesRead } from "./files-read.ts";
import { filesReplaceAllText } from "./files-replace-all-text.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { ls } from "./ls.ts";
import { runCommands } from "./run-commands.ts";

/** All actions that a text can name, in the order of the documents. */
export const actions: readonly AnyAction[] = [
  fileWrite,
  fileAppend,
  fileReplaceText,
  fileReplaceAllText,
  fileReplaceTextRange,
  filesReplaceAllText,
  fileReplaceLines,
  fileRead,
  fileReadNumbered,
  filesRead,
  fileOutline,
  fileDelete,
  fileMove,
  dirCreate,
  dirDelete,
  ls,
  grep,
  glob,
  exec,
  contextAdd,
  contextRemove,
  contextList,
  contextPrune,
  contextClear,
];

/** Actions that only blocks translated from another syntax can use. */
const internalActions: readonly AnyAction[] = [fileCreate, fileEditLines, fileInsertLines, filePut, runCommands];

export const actionByName: ReadonlyMap<string, AnyAction> = new Map(
  [...actions, ...internalActions].map((action) => [action.name, action]),
);

/** Operations reserved for the user: commands, but no blocks. */
const USER_ONLY: ReadonlyMap<string, string> = new Map([
  ["git_squash", "loaf squash"],
  ["undo", "loaf undo"],
  ["git_step_back", "loaf back"],
  ["git_step_forward", "loaf forward"],
]);

export const isForUserOnly = (name: string): boolean => USER_ONLY.has(name);

/** Returns the command for an operation that no block can name. */
export const commandForUser = (name: string): string | undefined => USER_ONLY.get(name);

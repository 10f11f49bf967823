/** Reads the headings with which Code Web Chat has models delete and rename files. */
import type { ReadBlock } from "../core/block.ts";
import { isFilePath } from "./path-label.ts";

/** How to write them. */
export const HEADINGS =
  "### Deleted file: `PATH`, or ### Renamed file: `OLD` (old) `NEW` (new), alone on its line outside code fences";

/** Returns the properties of the action that a heading asks for. Undefined for other lines. */
export function actionInHeading(line: string): Readonly<Record<string, string>> | undefined {
  if (!line.startsWith("#")) return undefined;
  const path = DELETED.exec(line)?.[1];
  if (path !== undefined) return { action: "file_delete", path };
  const [, old_path, new_path] = RENAMED.exec(line) ?? [];
  return old_path === undefined || new_path === undefined ? undefined : { action: "file_move", old_path, new_path };
}

/** Returns whether a block of a text is such a heading. */
export function isHeading(text: string, { span: { start, end } }: ReadBlock): boolean {
  return actionInHeading(text.slice(start, end)) !== undefined;
}

/** Returns the file that a heading says is deleted or renamed, in whatever form. */
export function fileGoneIn(line: string): string | undefined {
  const path = line.length > MAX_LENGTH ? undefined : GONE.exec(line.trim())?.slice(1).find(Boolean);
  return path !== undefined && isFilePath(path) ? path : undefined;
}

/** In UTF-16 units. */
const MAX_LENGTH = 500;
const GONE = /^#{1,6} (?:deleted?|removed?|renamed?|moved?)(?: the)?(?: file)?:? (?:`([^`]+)`|(\S+)$)/i;
const DELETED = /^#{1,6} Deleted file: `([^`]+)`\s*$/;
const RENAMED = /^#{1,6} Renamed file: `([^`]+)` \(old\) `([^`]+)` \(new\)\s*$/;

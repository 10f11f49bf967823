/** The marker lines of Codex's patches. White space may stand around those of a whole patch. */

export const BEGIN = /^\s*\*\*\* Begin Patch\s*$/;
export const END = /^\s*\*\*\* End Patch\s*$/;
export const END_OF_FILE = /^\s*\*\*\* End of File\s*$/;
export const MOVE = /^\*\*\* Move to:\s*(\S.*?)\s*$/;

/** Returns what the head of a file in a patch says. Undefined for other lines. */
export function fileMarker(line: string): { readonly kind: "Add" | "Delete" | "Update"; readonly path: string } | undefined {
  const match = FILE.exec(line);
  return match === null ? undefined : { kind: match[1] as "Add" | "Delete" | "Update", path: match[2] ?? "" };
}

const FILE = /^\*\*\* (Add|Delete|Update) File:\s*(\S.*?)?\s*$/;

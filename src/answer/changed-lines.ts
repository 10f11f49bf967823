/** Finds the lines of a file that some code has, and what stands beside them in another form. */

/** Returns the row of a file that is some code, if that is one, and more than a name. -1 otherwise. */
export function rowIn(text: string, code: string): number {
  const line = code.trim();
  if ((line.match(/\w{2,}/g) ?? []).length < 2 || text.split(line).length !== 2) return -1;
  return text.split(/\r?\n/).findIndex((row) => row.trim() === line);
}

/** Returns whether code shows a line of a file, and beside it the new form of the one that stands beside that. */
export function hasNewForm(text: string, content: string): boolean {
  const [rows, lines] = [text, content].map((one) => one.split(/\r?\n/).filter((row) => row.trim() !== ""));
  const there = (rows ?? []).map((row) => row.trim());
  return (lines ?? []).some((line, at) => {
    const row = IMPORT.test(line.trim()) || rowIn(text, line) === -1 ? -1 : there.indexOf(line.trim());
    return row !== -1 && [-1, 1].some((step) => isNewForm(there[row + step], lines?.[at + step]?.trim()));
  });
}

/** Returns whether two lines differ, and begin alike for more than half of the shorter one. */
function isNewForm(old = "", now = ""): boolean {
  let shared = 0;
  while (shared < old.length && old[shared] === now[shared]) shared += 1;
  return old !== now && shared >= MIN_ALIKE && shared * 2 > Math.min(old.length, now.length);
}

/** Characters. */
const MIN_ALIKE = 8;

/** Returns the lines of some code that have a word, trimmed. */
export function wordyLines(content: string): readonly string[] {
  return content.split("\n").flatMap((line) => (/\w{3}/.test(line) ? [line.trim()] : []));
}

export const IMPORT = /^(?:import|from|use|using|require|#include)\b/;

/** The marker lines of SEARCH/REPLACE blocks, as aider, Roo, Cline and Code Web Chat have their models write them. */

/** Returns whether a line begins a block. */
export function isHead(line: string): boolean {
  return HEAD.test(line);
}

/** Returns whether a line is meant to begin a block: `<<<<<<< SEARCH>>`. */
export function isNearHead(line: string): boolean {
  return NEAR_HEAD.test(line) && !HEAD.test(line);
}

/** Returns whether a line begins a conflict with any label. Such blocks count only in a code fence with a path. */
export function isConflictHead(line: string): boolean {
  return CONFLICT_HEAD.test(line);
}

/** @param isShort whether the block has kopipasta's marks of four characters */
export function isDivider(line: string, isShort: boolean): boolean {
  return isShort ? line === "====" : DIVIDER.test(line);
}

/** @param isConflict whether the block begins with any label, and so ends with any */
export function isEnd(line: string, isConflict: boolean, isShort = false): boolean {
  if (isShort) return line === ">>>>";
  return END.test(line) || (isConflict && CONFLICT_END.test(line));
}

const HEAD = /^\s*[<-]{3,9} (?:SEARCH|ORIGINAL)>?\s*$/;
const NEAR_HEAD = /^\s*[<-]{5,9} ?SEARCH\b(?:[^\p{L}\p{N}]*|[ :(]+`?[\w./@+-]+\.\w+`?\)?)$/u;
const CONFLICT_HEAD = /^(?:<{7}(?: .*)?|<{4})$/;
const DIVIDER = /^\s*={5,9}\s*$/;
const END = /^\s*[>+]{3,9} (?:REPLACE|UPDATED)>?\s*$/;
const CONFLICT_END = /^>{7}(?: .*)?$/;

/** Prints a block as NESL, so that `parse` gives the properties back. */
import { NESL } from "./header.ts";

/**
 * @param id used unless a line of a heredoc would end with it; then another one is chosen
 * @param properties must have valid keys
 */
export function printBlock(id: string, properties: Readonly<Record<string, string>>): string {
  const entries = Object.entries(properties);
  const heredocs = entries.filter(([, value]) => belongsInHeredoc(value)).map(([, value]) => value);
  const freeId = firstFreeId(id, heredocs);
  const lines = entries.map(
    ([key, value]) => `${key} = ${belongsInHeredoc(value) ? heredoc(freeId, value) : JSON.stringify(value)}`,
  );
  return [`${NESL.header}[@three-char-SHA-256: ${freeId}]`, ...lines, `${NESL.end}${freeId}`].join("\n");
}

/** Values that need escapes when quoted go into heredocs, unless a heredoc would alter them. */
function belongsInHeredoc(value: string): boolean {
  return JSON.stringify(value) !== `"${value}"` && !LOST_IN_HEREDOC.test(value);
}

/** A CR before a line's end would be read as part of the ending. A lone surrogate cannot be written to a file. */
const LOST_IN_HEREDOC = /[\r\p{Surrogate}]/u;

function firstFreeId(id: string, heredocs: readonly string[]): string {
  const isFree = (candidate: string): boolean => !heredocs.some((value) => value.includes(NESL.heredoc + candidate));
  let free = id;
  for (let number = 0; !isFree(free); number++) free = number.toString(36).padStart(3, "0");
  return free;
}

function heredoc(id: string, value: string): string {
  const terminator = NESL.heredoc + id;
  return `<<'${terminator}'\n${value}\n${terminator}`;
}

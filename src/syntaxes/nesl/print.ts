/** A block as NESL text, such that `parse` gives the properties back. */
import { NESL } from "./spelling.ts";

/**
 * @param id used as it is, unless a line of a heredoc would end it: then another one is chosen
 * @param properties their names must be valid keys
 */
export function printBlock(id: string, properties: Readonly<Record<string, string>>): string {
  const entries = Object.entries(properties);
  const heredocs = entries.filter(([, value]) => belongsInHeredoc(value)).map(([, value]) => value);
  const freeId = firstFreeId(id, heredocs);
  const lines = entries.map(([key, value]) => `${key} = ${belongsInHeredoc(value) ? heredoc(freeId, value) : JSON.stringify(value)}`);
  return [`${NESL.header}[@three-char-SHA-256: ${freeId}]`, ...lines, `${NESL.end}${freeId}`].join("\n");
}

/** What a quoted value would have to escape, unless a heredoc cannot carry it either. */
function belongsInHeredoc(value: string): boolean {
  return JSON.stringify(value) !== `"${value}"` && !LOST_IN_HEREDOC.test(value);
}

/** A CR before a line's end is read as part of it; half a surrogate pair cannot be written to a file. */
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

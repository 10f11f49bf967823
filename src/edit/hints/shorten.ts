/** Shortens a line for a hint. */
export function shorten(line: string, longest = 120): string {
  return line.length <= longest ? line : `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…`;
}

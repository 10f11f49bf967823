/** A line as a hint quotes it: never long. */
export function shorten(line: string, longest = 120): string {
  return line.length <= longest ? line : `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…`;
}

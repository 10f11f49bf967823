/** Options of many commands, and how their examples look. */

export const ROOT_OPTION = [
  "--root <dir>",
  "the project's root; by default the nearest parent folder with loaf.yml or .git",
] as const;

export const JSON_OPTION = ["--json", "print only JSON"] as const;

/** Returns the end of a command's help. */
export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}

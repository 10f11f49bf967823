/** Placeholders in `git.message`. */
import { didYouMean } from "./closest.ts";

const PLACEHOLDERS = [
  "operation_summary",
  "success",
  "executedActions",
  "totalBlocks",
  "modifiedFiles",
  "operations",
  "errors",
  "errorCount",
] as const;

export type MessageFacts = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g;

export function commitMessage(template: string, facts: MessageFacts): string {
  return template.replaceAll(PLACEHOLDER, (written, name: string) => facts[name as keyof MessageFacts] ?? written);
}

/** Returns what is wrong with a message, as the end of a sentence. Undefined if nothing is. */
export function problemWithMessage(template: string): string | undefined {
  const names: readonly string[] = PLACEHOLDERS;
  const [, unknown] = [...template.matchAll(PLACEHOLDER)].find(([, name = ""]) => !names.includes(name)) ?? [];
  if (unknown === undefined) return undefined;
  const known = PLACEHOLDERS.map((name) => `{${name}}`).join(", ");
  return `has '{${unknown}}', which stands for nothing${didYouMean(unknown, names)}: it can have ${known}`;
}

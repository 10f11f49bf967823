/** Notices about changes of a command that stay out of the project. */
import { namedFew } from "../../core/named-few.ts";
import type { RefusedChange, RefusalReason } from "./read-view.ts";

const MAX_NAMED = 10;

/** Returns one sentence for each reason. */
export function noticesOn(refused: readonly RefusedChange[]): string[] {
  const pathsFor = new Map<string, string[]>();
  for (const { path, reason, rule, kept } of refused) {
    const words = rule ?? (kept === undefined ? WORDS[reason] : `${WORDS[reason]}; the command's version is in ${kept}`);
    pathsFor.set(words, [...(pathsFor.get(words) ?? []), path]);
  }
  return [...pathsFor].map(([words, paths]) => `left out of the project: ${namedFew(paths, MAX_NAMED)} (${words})`);
}

/** Above this duration, a notice explains the delay. */
const LONG_LANDING_MS = 10_000;

/** Adds a notice if landing takes long, with a faster alternative. */
export async function withLandingNotice<Value>(land: () => Promise<Value>, files: number, tell: (notice: string) => void): Promise<Value> {
  const began = performance.now();
  const landed = await land();
  const duration = performance.now() - began;
  if (duration < LONG_LANDING_MS) return landed;
  const what = files === 1 ? "1 file" : `${files} files`;
  tell(`What a command changed, ${what}, took ${Math.round(duration / 1_000)} s to reach the project, because each file is kept for undo: install and remove whole trees such as node_modules in your own terminal`);
  return landed;
}

const WORDS: Readonly<Record<RefusalReason, string>> = {
  rule: "a rule forbids it",
  name: "the name is not UTF-8, so no action could address it",
  special: "only files, links and folders are accepted",
  "set-id": "setuid and setgid files are not accepted",
  "link-target": "the link's target is not UTF-8",
  closed: "commands cannot see what is there, so they cannot replace it",
  changed: "somebody else changed it while the command ran",
  mode: "permissions of existing folders are not changed",
  unreadable: "it is unreadable, so undo could not restore it",
  long: "the path is too long for the system",
  sparse: "it is a sparse file larger than limits.max_file_size",
  moved: "it stays where it was, because its new place is refused",
  repository: "commands cannot move or make repositories",
};

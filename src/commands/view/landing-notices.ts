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
  tell(`What a command changed, ${what}, took ${Math.round(duration / 1_000)} s to reach the project, since each file is kept for undo: whole trees such as node_modules are installed and removed quicker in a terminal of your own`);
  return landed;
}

const WORDS: Readonly<Record<RefusalReason, string>> = {
  rule: "a rule refuses it",
  name: "the name is not UTF-8, so that no action could address it",
  special: "only files, links and folders are taken over",
  "set-id": "a file that runs with its owner's or group's rights is not taken over",
  "link-target": "the link's target is not UTF-8",
  closed: "commands do not see what is there, so they do not replace it",
  changed: "somebody else changed it while the command ran",
  mode: "the permissions of a folder that was there stay as they are",
  unreadable: "it cannot be read, so that nothing could bring it back",
  long: "the path is longer than the system takes",
  sparse: "it is larger than limits.max_file_size, and next to nothing of it is written",
  moved: "it stays where it was, since its new place is refused",
  repository: "commands neither move nor make repositories",
};

import { relative } from "node:path";
import { namedFew } from "../core/named-few.ts";
import type { Execution, Source } from "./git.ts";

/** Returns a notice for each kind of untrusted source that a commit was made without, with the files and the remedy. */
export function sentencesOnTrust({ untrusted: { hooks, configuration } }: Execution, root: string): string[] {
  return [
    ...(hooks.length === 0 ? [] : [`Committed without hooks: they would run ${namedFiles(hooks, root)}, which ${areNot(hooks)} trusted. ${REMEDY}`]),
    ...(configuration.length === 0 ? [] : [`Committed without the git configuration in ${namedFiles(configuration, root)}, which ${areNot(configuration)} trusted. ${REMEDY}`]),
  ];
}

/** Returns a notice about files that stay uncommitted, if there are any. */
export function sentenceOnFilter({ filter, sources, paths }: { readonly filter: string; readonly sources: readonly Source[]; readonly paths: readonly string[] }, root: string): string[] {
  if (paths.length === 0) return [];
  return [`${namedFew(paths, MAX_NAMED)} ${paths.length === 1 ? "stays" : "stay"} uncommitted: git would run the filter '${filter}' with ${namedFiles(sources, root)}, which ${areNot(sources)} trusted. ${REMEDY}`];
}

export const MAX_NAMED = 3;

const REMEDY = "loaf trust shows it and lets it run";

function namedFiles(sources: readonly Source[], root: string): string {
  return namedFew(sources.map(({ path }) => relative(root, path) || path), MAX_NAMED);
}

function areNot(sources: readonly Source[]): string {
  return sources.length === 1 ? "is not" : "are not";
}

import { relative, resolve } from "node:path";
import { actionByName } from "../actions/index.ts";
import type { ChangeSet, TakenBack } from "../core/change-set.ts";
import { type ActionResult, isUnchanged } from "../core/outcome.ts";
import { isOfFile } from "../journal/change-set.ts";

/**
 * Summarizes a run for a log and a commit's subject: `write 3 files, edit src/app.ts`. Skips failed actions and what
 * hooks took back. For commands, gives only the number of files.
 *
 * @param changes net changes of the run
 */
export function operationSummary(
  results: readonly ActionResult[],
  root: string,
  changes: ChangeSet,
  { takenBack = new Map(), isLeftOut = () => false }: Uncounted = {},
): string {
  const groups = new Map<string, Group>();
  for (const { seq, success, appliedIn, action, params, data } of results) {
    const definition = actionByName.get(action);
    if (!success || appliedIn !== undefined || definition?.effect === undefined || isUnchanged(data)) continue;
    const changed = data === undefined ? undefined : definition.changed?.(data as never);
    const paths = changed?.map(withoutAddress) ?? pathsOf(definition.needs, params);
    const isGone = (path: string): boolean => takenBack.get(seq)?.has(path) === true || isLeftOut(path);
    const subjects = paths.filter((path) => !isGone(resolve(root, path)));
    if (subjects.length === 0) continue;
    const { verb, of } = definition.effect;
    const key = `${verb} ${of}`;
    const group = groups.get(key) ?? { verb, of, subjects: new Set() };
    groups.set(key, group);
    for (const path of subjects) group.subjects.add(path);
  }
  if (groups.size > 0)
    return [...groups.values()].map(({ verb, of, subjects }) => `${verb} ${named([...subjects], of, root)}`).join(", ");
  const count = changes.filter((change) => isOfFile(change) && !isLeftOut(change.path)).length;
  return count === 1 ? "change 1 file" : `change ${count} files`;
}

interface Uncounted {
  readonly takenBack?: TakenBack;
  /** Whether an absolute path does not count. */
  readonly isLeftOut?: ((path: string) => boolean) | undefined;
}

interface Group {
  readonly verb: string;
  readonly of: "file" | "directory";
  readonly subjects: Set<string>;
}

/** Returns files that an action could not change because somebody else had changed them. Relative to the root. */
export function refusedAsChanged(results: readonly ActionResult[], root: string): string[] {
  const refused = results.filter(({ code }) => code === "file/changed");
  const paths = refused.flatMap(({ action, params }) => pathsOf(actionByName.get(action)?.needs ?? {}, params));
  return paths.map((path) => relative(root, resolve(root, path)));
}

/** Returns the paths of the first parameter that needs write access, as the block wrote them: the source of a move. */
function pathsOf(
  needs: Readonly<Record<string, readonly string[] | undefined>>,
  params: Readonly<Record<string, unknown>>,
): string[] {
  const parameter = Object.keys(needs).find((name) => needs[name]?.includes("write")) ?? "";
  const value = params[parameter];
  return (Array.isArray(value) ? value : [value]).map(String).map(withoutAddress);
}

/** Parts of one file count as one file. */
function withoutAddress(path: string): string {
  return path.replace(/@@.*/s, "");
}

function named(subjects: readonly string[], of: "file" | "directory", root: string): string {
  const [only = ""] = subjects;
  if (subjects.length === 1) return relative(root, resolve(root, only));
  return `${subjects.length} ${of === "file" ? "files" : "directories"}`;
}

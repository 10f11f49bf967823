/**
 * Entries that get another spelling of their name on a file system that folds names: `readme.md` becomes `README.md`.
 * There both paths lead to one entry, and a rename between them may do nothing.
 */
import { basename, dirname } from "node:path";
import type { Planned } from "../disk/planned.ts";
import { look } from "../disk/look.ts";
import { temporaryName } from "../disk/place-file.ts";
import { isSpelledOtherwise } from "../disk/spelling.ts";
import { foldName } from "../paths/fold-name.ts";
import { isWithin, joinPath } from "../paths/path-segments.ts";

/** An entry that only changes its spelling. */
interface Respelled {
  readonly from: string;
  readonly to: string;
  /** Where the entry is meanwhile. */
  readonly between: string;
}

/**
 * Splits a plan so that no path is made while its entry has another spelling. What is renamed goes to a temporary path
 * first. Returns the plan itself if there is nothing of the kind.
 */
export function splitRespelled<One extends Planned>(planned: readonly One[]): One[][] {
  const all = respelledIn(planned);
  if (all.length === 0) return [[...planned]];
  const [first, second]: [One[], One[]] = [[], []];
  for (const change of planned) {
    const entry = all.find(({ to }) => isWithin(change.path, to));
    const origin = originOf(change);
    if (entry === undefined || change.after === null) first.push(change);
    else if (origin === undefined || !isWithin(origin, entry.from)) second.push({ ...change, basis: null });
    else {
      const { path, after, authors } = change;
      const between = entry.between + path.slice(entry.to.length);
      const state = look(origin)?.state;
      const basis = state === undefined || state.kind === "other" ? null : state;
      first.push({
        ...change,
        path: between,
        from: origin,
        after: after.kind === "directory" ? after : { kind: "moved", origin },
      });
      const arrived = after.kind === "moved" ? { ...after, origin: between } : { ...after, like: between };
      second.push(
        { ...change, from: between, after: arrived },
        { ...change, path: between, basis, after: null, authors },
      );
    }
  }
  return [first, second];
}

/** Returns the path of the entry that is renamed, or whose attributes are kept. */
function originOf({ after, from }: Planned): string | undefined {
  if (after?.kind === "moved") return after.origin;
  return after?.kind === "directory" ? from : after?.kind === "file" ? after.like : undefined;
}

/** Returns the topmost entries that only change their spelling. */
function respelledIn(planned: readonly Planned[]): Respelled[] {
  const gone = new Map(planned.flatMap(({ path, after }) => (after === null ? [[foldName(path), path] as const] : [])));
  if (gone.size === 0) return [];
  return planned.flatMap(({ path, after }) => {
    const from = after === null ? undefined : gone.get(foldName(path));
    if (from === undefined || dirname(from) !== dirname(path) || !isSpelledOtherwise(path)) return [];
    // With the name, a file system that has spellings of its own shows there what it makes of it.
    const name = [...basename(path)].slice(-MAX_LETTERS).join("");
    return [{ from, to: path, between: joinPath(dirname(path), `${temporaryName()}${name}`) }];
  });
}

/** Of a name, so that the temporary one is not too long in any encoding. */
const MAX_LETTERS = 50;

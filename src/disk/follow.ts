import { dirname } from "node:path";
import { append } from "../core/lists.ts";
import { joinPath, splitPath } from "../paths/path-segments.ts";
import { isSystemError, systemError } from "./system-error.ts";
import type { Volume } from "./volume.ts";

/** Where a path leads: an existing entry, the path that would be created, or an error. */
export interface Followed {
  /** All links resolved, as far as possible; the rest of the path is appended. */
  readonly path: string;
  /** Nothing is there. */
  readonly isMissing: boolean;
  /** Nothing is there because of a dangling link. */
  readonly isDangling: boolean;
  /** Why the path cannot be followed: `ELOOP`, `ENOTDIR`, `EACCES`, or `ENOENT` for `..` after a missing entry. */
  readonly errno?: string;
  /** Every link that was followed, with earlier links resolved. A change of one of them changes the result. */
  readonly links: readonly string[];
  /** The path as it was named at each of these links. Omits one that a `..` leaves again. */
  readonly aliases: readonly string[];
  /** Directories that a `..` of the path itself leaves. Following one reveals that it exists. */
  readonly left: readonly string[];
}

/** As in Linux. */
const MAX_LINKS = 40;

/** Without `spelled`, names stay as they are written. */
type Followable = Pick<Volume, "entry" | "readLink"> & Partial<Pick<Volume, "spelled">>;

/**
 * Follows a path link by link as the kernel does, on any volume. `realpath` fails for a path that does not exist yet,
 * but such a path must be judged too.
 *
 * @param path absolute
 * @param last whether to follow a link in the last segment
 */
export function follow(volume: Followable, path: string, last: "follow" | "keep"): Followed {
  const { root, segments } = splitPath(path);
  const pending = segments.toReversed();
  let at = root;
  const [links, aliases]: [string[], string[]] = [[], []];
  const left: string[] = [];
  let [ofLink, isMissing, isDangling] = [0, false, false];
  /** The first `ofLink` names in `pending` come from links. */
  const isOwn = (index: number): boolean => index >= ofLink && index !== -1;
  const stopped = (errno: string): Followed => {
    const remaining = pending.toReversed();
    const up = remaining.indexOf("..");
    const unreached = [at, ...remaining.slice(0, up === -1 ? remaining.length : up)].reduce(joinPath);
    const allLeft = isOwn(up) ? [...left, unreached] : left;
    return { path: unreached, isMissing, isDangling, errno, links, aliases, left: allLeft };
  };
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const isOfLink = ofLink > 0;
    if (isOfLink) ofLink -= 1;
    if (name === "..") {
      if (!isOfLink) left.push(at);
      if (isMissing) return stopped("ENOENT");
      at = dirname(at);
      continue;
    }
    const parent = at;
    at = joinPath(parent, name);
    if (isMissing) continue;
    let step = stepTo(volume, at);
    const spelled = step.kind === "error" ? at : (volume.spelled?.(at, step.kind !== "missing") ?? at);
    if (spelled !== at) [at, step] = [spelled, stepTo(volume, spelled)];
    if (step.kind === "error") return stopped(step.errno);
    if (step.kind === "missing") [isMissing, isDangling] = [true, isOfLink];
    else if (step.kind === "link" && (last === "follow" || pending.length > 0)) {
      links.push(at);
      if (!pending.includes("..")) aliases.push(pending.toReversed().reduce(joinPath, at));
      if (links.length > MAX_LINKS) return stopped("ELOOP");
      const target = splitPath(volume.readLink(at));
      append(pending, target.segments.toReversed());
      ofLink += target.segments.length;
      at = target.root === "" ? parent : target.root;
    } else if (step.kind !== "directory" && pending.length > 0) return stopped("ENOTDIR");
  }
  return { path: at, isMissing, isDangling, links, aliases, left };
}

/** Implements `Volume.realpath` for volumes without one of their own. */
export function realpathByFollowing(volume: Followable, path: string): string {
  const { path: real, isMissing, errno } = follow(volume, path, "follow");
  const failed = errno ?? (isMissing ? "ENOENT" : undefined);
  if (failed !== undefined) throw systemError(failed, "realpath", path);
  return real;
}

type Step =
  | { readonly kind: "file" | "directory" | "link" | "other" | "missing" }
  | { readonly kind: "error"; readonly errno: string };

function stepTo(volume: Pick<Volume, "entry">, path: string): Step {
  try {
    return volume.entry(path) ?? { kind: "missing" };
  } catch (thrown) {
    if (isSystemError(thrown)) return { kind: "error", errno: thrown.code };
    throw thrown;
  }
}

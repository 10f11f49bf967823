import { dirname } from "node:path";
import { joinPath, splitPath } from "../paths/path-segments.ts";
import { isSystemError, systemError } from "./system-error.ts";
import type { Volume } from "./volume.ts";

/** Where a path leads: what is there, or the path that would be made, or why nothing can be. */
export interface Followed {
  /** With all links resolved, as far as they could be; what comes after is appended. */
  readonly path: string;
  /** Nothing is there. */
  readonly isMissing: boolean;
  /** Nothing is there, and a link on the way is to blame. */
  readonly isDangling: boolean;
  /** Why one cannot get there: `ELOOP`, `ENOTDIR`, `EACCES`, or `ENOENT` for `..` behind what does not exist. */
  readonly errno?: string;
  /** Every link on the way that was followed, each with those before it resolved: who can change one of them changes where it leads. */
  readonly links: readonly string[];
  /** The directories that a `..` of the path itself goes up from: to have got through one tells that it exists. */
  readonly left: readonly string[];
}

/** As in Linux. */
const MOST_LINKS = 40;

/**
 * Follows a path link by link as the kernel does, on any volume and also where nothing exists yet: `realpath` fails there, and
 * a path whose end is missing must be judged all the same.
 *
 * @param path absolute
 * @param last whether a link in the last segment is followed too
 */
export function follow(volume: Pick<Volume, "entry" | "readLink">, path: string, last: "follow" | "keep"): Followed {
  const { root, segments } = splitPath(path);
  const pending = segments.toReversed();
  let at = root;
  const links: string[] = [];
  const left: string[] = [];
  let [ofLink, isMissing, isDangling] = [0, false, false];
  /** Of what is pending, the first `ofLink` names come from links. */
  const isOwn = (index: number): boolean => index >= ofLink && index !== -1;
  const stopped = (errno: string): Followed => {
    const rest = pending.toReversed();
    const up = rest.indexOf("..");
    const unreached = [at, ...rest.slice(0, up === -1 ? rest.length : up)].reduce(joinPath);
    return { path: unreached, isMissing, isDangling, errno, links, left: isOwn(up) ? [...left, unreached] : left };
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
    const step = stepTo(volume, at);
    if (step.kind === "error") return stopped(step.errno);
    if (step.kind === "missing") [isMissing, isDangling] = [true, isOfLink];
    else if (step.kind === "link" && (last === "follow" || pending.length > 0)) {
      links.push(at);
      if (links.length > MOST_LINKS) return stopped("ELOOP");
      const target = splitPath(volume.readLink(at));
      pending.push(...target.segments.toReversed());
      ofLink += target.segments.length;
      at = target.root === "" ? parent : target.root;
    } else if (step.kind !== "directory" && pending.length > 0) return stopped("ENOTDIR");
  }
  return { path: at, isMissing, isDangling, links, left };
}

/** As `Volume.realpath`, for volumes that have to find out for themselves. */
export function realpathByFollowing(volume: Pick<Volume, "entry" | "readLink">, path: string): string {
  const { path: real, isMissing, errno } = follow(volume, path, "follow");
  const failed = errno ?? (isMissing ? "ENOENT" : undefined);
  if (failed !== undefined) throw systemError(failed, "realpath", path);
  return real;
}

type Step = { readonly kind: "file" | "directory" | "link" | "other" | "missing" } | { readonly kind: "error"; readonly errno: string };

function stepTo(volume: Pick<Volume, "entry">, path: string): Step {
  try {
    return volume.entry(path) ?? { kind: "missing" };
  } catch (thrown) {
    if (isSystemError(thrown)) return { kind: "error", errno: thrown.code };
    throw thrown;
  }
}

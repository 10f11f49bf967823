import { basename, dirname, isAbsolute, normalize } from "node:path";
import { type Access, Failed } from "../core/failure.ts";
import { follow, type Followed } from "../disk/follow.ts";
import { isWithin, joinPath, segmentsOf } from "../paths/path-segments.ts";
import { problemWithText } from "../paths/path-text.ts";
import { createPolicy, type Policy, type PolicyOptions } from "./policy.ts";
import { asFailure, isSystemError, systemFailure } from "../disk/system-error.ts";
import type { Entry, Volume } from "../disk/volume.ts";

/**
 * Decides which paths may be touched, and resolves them. Every path that an action names must pass `admit` before use.
 */
export interface Guard {
  /**
   * Resolves a path and decides about it. Throws `Failed` with `guard/denied`, or with `file/*` if access is allowed.
   *
   * So a refused path never discloses whether it exists. Neither does a path that leads back by `..` from an unreadable
   * directory.
   */
  admit(request: Request): Place;
  /** Returns why a canonical path may not be accessed, or undefined. */
  readonly refusal: Policy;
  /** The project's root, canonical. */
  readonly root: string;
}

export interface Request {
  /** As the block wrote it. Relative paths start at the root. */
  readonly path: string;
  readonly access: readonly Access[];
  /** `target` follows a link in the last segment, `itself` does not. */
  readonly of: "target" | "itself";
  readonly names: "file" | "directory";
  /** The system call to name in errors. */
  readonly syscall: string;
}

export interface Place {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** Undefined if missing. Never of kind `other`. */
  readonly entry: Entry | undefined;
}

export type GuardOptions = PolicyOptions & { readonly volume: Volume; readonly makePolicy?: typeof createPolicy | undefined };

/** Throws a system error if the root does not exist. */
export function createGuard(options: GuardOptions): Guard {
  const { volume, platform, makePolicy = createPolicy } = options;
  const root = volume.realpath(options.root);
  const policy = makePolicy(volume, { ...options, root });

  const admit = ({ path, access, of, names, syscall }: Request): Place => {
    const [first = "read"] = access;
    const full = isAbsolute(path) ? path : joinPath(root, path);
    const problem = problemWithText(path, names, platform);
    if (problem !== undefined) throw "refusal" in problem ? denied(path, first, problem.refusal) : systemFailure(problem.errno, syscall, path);
    const found = asFailure(syscall, path, () => locate(volume, full, of));
    for (const directory of found.left) {
      const rule = isWithin(root, directory) || isWithin(directory, root) ? undefined : policy(directory, "read");
      if (rule !== undefined) throw denied(path, first, rule);
    }
    for (const one of access) {
      const rule = policy(found.path, one, of);
      if (rule !== undefined) throw denied(path, one, rule, isWithin(normalize(full), root) ? undefined : `the project's root is ${root}`);
    }
    if (found.errno !== undefined) throw systemFailure(found.errno, syscall, path);
    if (found.isDangling) throw denied(path, first, "the link leads nowhere");
    if (found.entry?.kind === "other") throw denied(path, first, NOT_REGULAR);
    return { path: found.path, entry: found.entry };
  };

  return { admit, refusal: policy, root };
}

export function denied(path: string, access: Access, rule: string, hint?: string): Failed {
  return new Failed({ code: "guard/denied", access, path, rule }, hint);
}

/** Opening a FIFO blocks, and opening a device may do anything. */
export const NOT_REGULAR = "not a regular file";

/** The result of following a path. Must be judged before any of it is disclosed. */
interface Located extends Place, Pick<Followed, "left"> {
  readonly errno?: string;
  readonly isDangling?: boolean;
}

/**
 * Uses the system's `realpath` if it can. Follows the path link by link if it has a `..`, or anything in it is missing
 * or no directory.
 */
function locate(volume: Volume, path: string, of: Request["of"]): Located {
  try {
    if (!segmentsOf(path).includes("..")) return { ...locateAtOnce(volume, path, of), left: [] };
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
  }
  const { path: real, isMissing, ...rest } = follow(volume, path, of === "target" ? "follow" : "keep");
  return { path: real, entry: isMissing || rest.errno !== undefined ? undefined : volume.entry(real), ...rest };
}

function locateAtOnce(volume: Volume, path: string, of: Request["of"]): Place {
  const name = basename(path);
  const isWhole = name === "" || name === ".";
  const real = isWhole ? volume.realpath(path) : joinPath(volume.realpath(dirname(path)), name);
  const entry = volume.entry(real);
  if (entry?.kind !== "link" || of === "itself") return { path: real, entry };
  const target = volume.realpath(real);
  return { path: target, entry: volume.entry(target) };
}

import { basename, dirname, isAbsolute, normalize } from "node:path";
import { type Access, Failed, type Failure } from "../core/failure.ts";
import { once } from "../core/once.ts";
import { follow, type Followed } from "../disk/follow.ts";
import { asFailure, isSystemError, systemFailure, unlessSystemError } from "../disk/system-error.ts";
import type { Entry, Volume } from "../disk/volume.ts";
import { isWithin, joinPath, segmentsOf, splitPath } from "../paths/path-segments.ts";
import { nestedHooksRule } from "./placement.ts";
import { createPolicy, NO_ALLOW_RULE, type Policy, type PolicyOptions } from "./policy.ts";

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
  admit(request: AccessRequest): JudgedPlace;
  /**
   * Returns a path below the root with each name as its folder spells it. Leaves a path alone whose spelling nobody may
   * know, and any if the root's folder does not fold names.
   */
  spelled(path: string): string;
  /** Returns why a canonical path may not be accessed, or undefined. */
  readonly refusal: Policy;
  /** The project's root, canonical. */
  readonly root: string;
}

export interface AccessRequest {
  /** As the block wrote it. Relative paths start at the root. */
  readonly path: string;
  readonly access: readonly Access[];
  /** `target` follows a link in the last segment, `itself` does not. */
  readonly of: "target" | "itself";
  readonly names: "file" | "directory";
  /** The system call to name in errors. */
  readonly syscall: string;
}

export interface JudgedPlace {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** Undefined if missing. Never of kind `other`. */
  readonly entry: Entry | undefined;
}

export type GuardOptions = PolicyOptions & {
  readonly volume: Volume;
  /** Made of the volume and the rules if there is none yet. */
  readonly policy?: Policy | undefined;
};

/** Throws a system error if the root does not exist. */
export function createGuard(options: GuardOptions): Guard {
  const { volume, platform } = options;
  const root = volume.realpath(options.root);
  const policy = options.policy ?? createPolicy(volume, { ...options, root });

  const admit = ({ path, access, of, names, syscall }: AccessRequest): JudgedPlace => {
    const [first = "read"] = access;
    const full = isAbsolute(path) ? path : joinPath(root, path);
    const problem = problemWithText(path, names, platform);
    if (problem !== undefined)
      throw "refusal" in problem ? denied(path, first, problem.refusal) : systemFailure(problem.errno, syscall, path);
    const located = asFailure(syscall, path, () => locate(volume, full, of));
    for (const directory of located.left) {
      const rule = isWithin(root, directory) || isWithin(directory, root) ? undefined : policy(directory, "read");
      if (rule !== undefined) throw denied(path, first, rule);
    }
    for (const kind of access) {
      const rule = policy(located.path, kind, of) ?? aliasRule(located, kind) ?? nestedRule(located.path, kind);
      // The root depends only on the text of the path, or it would disclose the target of a link.
      if (rule !== undefined) throw denied(path, kind, rule, isWithin(normalize(full), root) ? {} : { root });
    }
    if (located.errno !== undefined) throw systemFailure(located.errno, syscall, path);
    if (located.isDangling) throw denied(path, first, "the link leads nowhere");
    if (located.entry?.kind === "other") throw denied(path, first, NOT_REGULAR);
    return { path: located.path, entry: located.entry };
  };

  /** A refusal holds for each name of a path: `.env -> config/dev` does not show a file. */
  function aliasRule({ path, aliases }: Located, access: Access): string | undefined {
    const counted = aliases.filter((alias) => isWithin(alias, root) || !isWithin(path, root));
    return counted.map((alias) => policy(alias, access)).find((rule) => rule !== undefined && rule !== NO_ALLOW_RULE);
  }

  function nestedRule(path: string, access: Access): string | undefined {
    return access === "write" ? nestedHooksRule(volume, root, path) : undefined;
  }

  const foldsNames = once(() => volume.folds(root));
  const spelled = (path: string): string => {
    if (!foldsNames()) return path;
    let at = root;
    for (const name of segmentsOf(path)) {
      const written = joinPath(at, name);
      at = volume.spelled(written, unlessSystemError(() => volume.entry(written), undefined) !== undefined);
      if (at !== written && policy(at, "read") !== undefined) return path;
    }
    return at.slice(joinPath(root, "").length);
  };

  return { admit, spelled, refusal: policy, root };
}

export function denied(path: string, access: Access, rule: string, more?: { readonly root?: string }): Failed {
  return new Failed({ code: "guard/denied", access, path, rule, ...more });
}

/** @param shown the path to name in a refusal */
export function checkAccess({ refusal }: Guard, path: string, access: Access, shown: string): void {
  const rule = refusal(path, access);
  if (rule !== undefined) throw denied(shown, access, rule);
}

/** Opening a FIFO blocks, and opening a device may do anything. */
const NOT_REGULAR = "not a regular file";

/** The result of following a path. Must be judged before any of it is disclosed. */
interface Located extends JudgedPlace, Pick<Followed, "left" | "aliases"> {
  readonly errno?: string;
  readonly isDangling?: boolean;
}

/**
 * Uses the system's `realpath` if it can. Follows the path link by link if it has a `..`, or anything in it is missing
 * or no directory.
 */
function locate(volume: Volume, path: string, of: AccessRequest["of"]): Located {
  try {
    if (!segmentsOf(path).includes("..")) return locateAtOnce(volume, path, of);
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
  }
  const { path: real, isMissing, ...facts } = follow(volume, path, of === "target" ? "follow" : "keep");
  return { path: real, entry: isMissing || facts.errno !== undefined ? undefined : volume.entry(real), ...facts };
}

function locateAtOnce(volume: Volume, path: string, of: AccessRequest["of"]): Located {
  const name = basename(path);
  const isWhole = name === "" || name === ".";
  const named = isWhole ? volume.realpath(path) : joinPath(volume.realpath(dirname(path)), name);
  const atPath = volume.entry(named);
  const real = volume.spelled(named, atPath !== undefined);
  const entry = real === named ? atPath : volume.entry(real);
  const aliases = (place: string): readonly string[] =>
    place === normalize(path) ? [] : follow(volume, path, of === "target" ? "follow" : "keep").aliases;
  if (entry?.kind !== "link" || of === "itself") return { path: real, entry, aliases: aliases(real), left: [] };
  const target = volume.realpath(real);
  return { path: target, entry: volume.entry(target), aliases: aliases(target), left: [] };
}

/** Maximum attempts before a path that keeps changing is refused. */
const MAX_TRIES = 8;

/**
 * Retries an action that judges and uses a path, if the path led elsewhere when it was used.
 *
 * @param path to name in the refusal
 */
export function settlePath<Value>(path: string, access: Access, act: () => Value): Value {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return act();
    } catch (thrown) {
      if (!(thrown instanceof Failed) || !isStale(thrown.failure)) throw thrown;
    }
  }
  throw denied(path, access, "what it leads to keeps changing");
}

function isStale(failure: Failure): boolean {
  return failure.code === "file/system" && failure.errno === "ESTALE";
}

export interface Move {
  /** Already admitted by the guard, like `target`. */
  readonly source: JudgedPlace;
  readonly target: JudgedPlace;
  /** As the block wrote it, like `to`. */
  readonly from: string;
  readonly to: string;
}

/**
 * Asks the guard about everything that moves with a path: entries of a directory, and targets of links. Throws
 * `Failed`.
 */
export function admitMove(volume: Volume, guard: Guard, { source, target, from, to }: Move): void {
  if (source.entry?.kind === "directory") admitTree();
  else if (source.entry?.kind === "link") admitLink(source.path, target.path);

  function refuseNested(path: string): void {
    const rule = nestedHooksRule(volume, guard.root, path);
    if (rule !== undefined) throw denied(to, "write", rule);
  }

  /** Each entry needs the same access as the directory, at its old and at its new path. */
  function admitTree(): void {
    const pending = [source.path];
    let count = 0;
    for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      const at = directory;
      for (const { name, kind } of asFailure("scandir", from, () => volume.readDirectory(at))) {
        count += 1;
        if (count > MAX_MOVED) throw denied(from, "write", `more than ${MAX_MOVED} entries in it`);
        if (kind === "other") throw denied(from, "read", NOT_REGULAR);
        const path = joinPath(at, name);
        const newPath = target.path + path.slice(source.path.length);
        checkAccess(guard, path, "read", from);
        checkAccess(guard, path, "write", from);
        checkAccess(guard, newPath, "write", to);
        refuseNested(newPath);
        if (kind === "directory") pending.push(path);
        else if (kind === "link") admitLink(path, newPath);
      }
    }
  }

  /**
   * Moves a link only if its target may be read and written. An allow rule may begin at the link's new path, and would
   * then open the target in the next run.
   */
  function admitLink(link: string, newPath: string): void {
    const below = guard.refusal.below(newPath);
    if (below !== undefined) throw denied(to, "write", below);
    const { root, segments } = splitPath(asFailure("readlink", from, () => volume.readLink(link)));
    const down = segments.findIndex((name) => name !== "..");
    const up = down === -1 ? segments.length : down;
    // The new parents may not exist yet, but will not be links.
    let at = root === "" ? dirname(newPath) : root;
    for (let level = 0; level < up; level++) at = dirname(at);
    const { path, errno } = follow(volume, segments.slice(up).reduce(joinPath, at), "follow");
    if (errno !== undefined) throw denied(from, "read", "the link leads nowhere");
    checkAccess(guard, path, "read", from);
    checkAccess(guard, path, "write", from);
  }
}

/** Maximum entries of a moved directory, since the guard judges each. */
const MAX_MOVED = 10_000;

/** Why a path is rejected by its text alone, without asking the file system. */
export type TextProblem = { readonly refusal: string } | { readonly errno: string };

/** @param names `directory` if the path may end in `/`, `/.` or `/..` */
function problemWithText(
  path: string,
  names: "file" | "directory",
  platform: NodeJS.Platform,
): TextProblem | undefined {
  if (path === "") return { errno: "ENOENT" };
  const isOrdinary = ORDINARY.test(path);
  if (!isOrdinary && path.includes("\0")) return { errno: "EINVAL" };
  if (!isOrdinary && /\p{Surrogate}/u.test(path)) return { errno: "EILSEQ" };
  const kernel = /^\/+(proc|sys|dev)(?:\/|$)/.exec(path)?.[1];
  if (kernel !== undefined) return { refusal: `deny /${kernel}/**` };
  if (!isOrdinary && isTooLong(path)) return { errno: "ENAMETOOLONG" };
  if (names === "file" && /(?:^|\/)\.{0,2}$/.test(path)) return { refusal: "a file's path cannot end in /, /. or /.." };
  return platform === "win32" && isWindowsTrick(path) ? { refusal: "not a plain Windows path" } : undefined;
}

/** Paths that need none of the slower checks. */
const ORDINARY = /^[\x20-\x7e]{1,255}$/;

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

function isTooLong(path: string): boolean {
  return (
    Buffer.byteLength(path) > MAX_PATH_BYTES || path.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)
  );
}

/**
 * Matches streams (`a:b`), drive-relative and device paths, shares, device names, and names that Windows alters or
 * abbreviates.
 */
function isWindowsTrick(path: string): boolean {
  if (/^[\\/]{2}/.test(path)) return true;
  const names = path.replace(/^[a-z]:(?=[\\/])/i, "").split(/[\\/]/);
  return names.some(
    (name) => /:|~\d/.test(name) || DEVICE.test(name) || (/[. ]$/.test(name) && !/^\.{1,2}$/.test(name)),
  );
}

const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

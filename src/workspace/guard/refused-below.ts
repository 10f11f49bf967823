/** What of a project the policy refuses, found on the disk: for programs, which no guard watches. */
import { type Dirent, readdirSync, realpathSync } from "node:fs";
import type { AccessRules, GuardRules } from "../../config/guard-rules.ts";
import type { Access } from "../../core/failure.ts";
import { compileSegment, type GlobSegment, matchSegment } from "../../core/glob.ts";
import { joinPath, segmentsOf, splitPath } from "../volume/path-segments.ts";
import { DEFAULT_DENY, HOME_DENY } from "./default-rules.ts";
import { namedBy } from "./pattern.ts";
import type { Policy } from "./policy.ts";

export interface RefusedPlace {
  readonly path: string;
  readonly kind: "file" | "directory";
}

export interface RefusedBelow {
  /** May not be read. A directory of which nothing may be read stands for all in it. */
  readonly hidden: RefusedPlace[];
  /** May be read and not written; a directory stands for all in it but for what is `writable`. */
  readonly readOnly: string[];
  readonly writable: string[];
  /** Directories on the way to one of these that have to keep their names: under another one, what is in them would not be refused any more. */
  readonly pinned: string[];
  /** All that may not be written, links too, by the names that they have; each stands for all in it. */
  readonly unwritable: string[];
}

/** What is told of each directory. */
type Places = Omit<RefusedBelow, "unwritable">;

/**
 * Walks through a project once. Links are passed over but for their own names, since the policy judges what they lead to; sockets are refused whatever it says.
 *
 * @param root canonical
 * @param rules those of which the policy was made: by their names most entries are seen to be none of their business
 * @param executed the paths that the policy refuses besides, since git would run them
 * @param home what `~` stands for in them
 */
export function refusedBelow(root: string, policy: Policy, rules: readonly GuardRules[], home: string, executed: readonly string[] = []): RefusedBelow {
  const mayRefuse = nameFilter(rules, executed, { root, home });
  const names = segmentsOf(root);
  const unwritable: string[] = [];
  const depends = dependsOnNames(policy, root, rules);
  const all: RefusedBelow = { hidden: [], readOnly: policy.ofNames(names, "write") === undefined ? [] : [root], writable: [], pinned: [], unwritable: [] };
  const { found, isOpen } = visit(root, names, { isHidden: policy.ofNames(names, "read") !== undefined, isReadOnly: all.readOnly.length > 0 });
  if (!isOpen) return { ...all, unwritable, hidden: [{ path: root, kind: "directory" }] };
  // What is read-only cannot be renamed, and must not become writable.
  const pinned = [...new Set(found.pinned)].filter((path) => policy(path, "write") === undefined);
  return { hidden: found.hidden, readOnly: [...all.readOnly, ...found.readOnly], writable: found.writable, pinned, unwritable };

  /** @returns whether anything in it may be read, and what is refused of it */
  function visit(directory: string, names: readonly string[], state: State): { readonly found: Places; readonly isOpen: boolean } {
    const found: Places = { hidden: [], readOnly: [], writable: [], pinned: [] };
    let isOpen = !state.isHidden;
    const entries = entriesOf(directory);
    if (entries === undefined) return { found, isOpen: false };
    for (const entry of entries) {
      const { name } = entry;
      const path = joinPath(directory, name);
      if (entry.isSymbolicLink()) {
        if (!state.isReadOnly && mayRefuse(name) && stateOf([...names, name]).isReadOnly) unwritable.push(path);
        continue;
      }
      const isDirectory = entry.isDirectory();
      const asks = state.isHidden || state.isReadOnly || mayRefuse(name);
      const own: State = asks ? stateOf([...names, name]) : state;
      if (own.isReadOnly !== state.isReadOnly) (own.isReadOnly ? found.readOnly : found.writable).push(path);
      if (own.isReadOnly && !state.isReadOnly) unwritable.push(path);
      if (own.isHidden && !state.isHidden) found.pinned.push(...depends([...names, name], "read"));
      if (own.isReadOnly && !state.isReadOnly) found.pinned.push(...depends([...names, name], "write"));
      if (isDirectory && name !== ".git") {
        const below = visit(path, [...names, name], own);
        if (below.isOpen) for (const kind of KINDS) (found[kind] as unknown[]).push(...below.found[kind]);
        else found.hidden.push({ path, kind: "directory" });
        isOpen ||= below.isOpen;
      } else if (own.isHidden || entry.isSocket()) found.hidden.push({ path, kind: isDirectory ? "directory" : "file" });
      else isOpen = true;
    }
    return { found, isOpen };
  }

  function stateOf(path: readonly string[]): State {
    return { isHidden: policy.ofNames(path, "read") !== undefined, isReadOnly: policy.ofNames(path, "write") !== undefined };
  }
}

interface State {
  readonly isHidden: boolean;
  readonly isReadOnly: boolean;
}

const KINDS = ["hidden", "readOnly", "writable", "pinned"] as const;

/** Undefined for one that cannot be listed: a program may know a name in it, or give itself the right. */
function entriesOf(directory: string): Dirent[] | undefined {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
  }
}

/** Tells the directories on the way to a refused path by whose names it is refused: moved elsewhere with them, it might not be. */
function dependsOnNames(policy: Policy, directory: string, rules: readonly GuardRules[]): (path: readonly string[], access: Access) => string[] {
  const { root: top, segments: root } = splitPath(directory);
  return (path, access) => {
    const hasPlaces = rules.some((one) => one[access].allow !== undefined);
    const isRefused = (names: readonly string[]): boolean => policy.ofNames(names, access) !== undefined;
    if (!hasPlaces && isRefused([...root, ...ELSEWHERE, ...path.slice(-1)])) return [];
    const directories: string[] = [];
    for (let length = root.length + 1; length < path.length; length++) {
      const rest = path.slice(length);
      const places = [[...root, ELSE, ...rest], [...path.slice(0, length - 1), ELSE, ...rest], [...root, ...ELSEWHERE, ...rest]];
      if (hasPlaces || !places.every(isRefused)) directories.push(path.slice(0, length).reduce(joinPath, top));
    }
    return directories;
  };
}

/** A name that no rule has. */
const ELSE = "\u0001";
const ELSEWHERE = [ELSE, ELSE, ELSE];


/** Whether an entry of this name may be refused in a directory that is not. Where something else than the usual is allowed, any may. */
function nameFilter(rules: readonly GuardRules[], executed: readonly string[], at: { readonly root: string; readonly home: string }): (name: string) => boolean {
  const all = rules.flatMap(({ read, write }): AccessRules[] => [read, write]);
  if (all.some(({ allow }) => allow !== undefined)) return () => true;
  const patterns = [...DEFAULT_DENY.read, ...DEFAULT_DENY.write, ...HOME_DENY.read, ...HOME_DENY.write, ...executed, ...all.flatMap(({ deny = [] }) => deny)].map(telling);
  // Where a link leads to, the same is refused by another name.
  const real = [...CONTROL, ...executed, ...all.flatMap(({ deny = [] }) => deny)].map((pattern) => realName(namedBy("deny", pattern, at).start));
  const literals = new Set([...CONTROL, ...real, ...patterns.flatMap((one) => (one !== "**" && "literal" in one ? [one.literal.toLowerCase()] : []))]);
  const others = patterns.filter((one) => one === "**" || !("literal" in one));
  // Names that case-blind and normalising file systems take for another one are asked about always.
  return (name) => /[^\w.-]|[A-Z]|[. ]$|~\d/.test(name) || literals.has(name) || others.some((one) => matchSegment(one, name));
}

function realName(path: string): string {
  try {
    return (segmentsOf(realpathSync(path)).at(-1) ?? "").toLowerCase();
  } catch {
    return "";
  }
}

/** Built-in refusals in a project. */
const CONTROL = [".git", ".loaf", "loaf.yml"];

/** The last segment that has to fit for a pattern to match: of `private/**` the directory's. */
function telling(pattern: string): GlobSegment {
  return compileSegment(segmentsOf(pattern).findLast((segment) => segment !== "**") ?? "**");
}

import { dirname, resolve } from "node:path";
import type { Access } from "../core/failure.ts";
import type { Edit } from "../edit/splice.ts";

/**
 * The project's files as an action's handler sees them. Paths are absolute, as the block wrote them.
 *
 * Every call asks the guard at the moment it acts. It throws `Failed` with a `guard/*`, `file/*`, `text/*` or
 * `address/*` failure, and changes nothing then.
 *
 * Reads and edits accept addresses: they see only that part of the file, and can change nothing else.
 */
export interface Workspace extends Files {
  /** Returns the 1-based line of the file on which the addressed part begins. Undefined for a whole file. */
  firstLine(path: string): number | undefined;
}

/** The part of a workspace that takes whole files only. */
export interface Files {
  /** Returns the text of a file without its byte order mark. */
  read(path: string): string;
  /**
   * Reads without throwing or warning, for searches. Returns undefined if the file is too large, not text or refused.
   */
  peek(path: string): string | undefined;
  /**
   * Changes parts of a file. Byte order mark, mode and every byte outside the splices stay. Does not touch the file if
   * there are no splices. Returns the result of `change`.
   *
   * @param change receives the bytes after the byte order mark, which it must not modify, and the file's path without
   *   address; its splices count from the first of these bytes
   */
  edit<E extends Edit>(path: string, change: (bytes: Buffer, file: string) => E): E;
  /**
   * Creates or overwrites a file, and creates its parents. Leaves a file alone that has this content.
   *
   * @param revise receives the text to be overwritten: null if it is unreadable or refused, undefined if there is no
   *   file; and whether that begins with a byte order mark; may return other content, or throw
   */
  write(
    path: string,
    content: string,
    revise?: (before: string | null | undefined, hasMark: boolean) => string | undefined | void,
  ): WriteResult;
  /** Appends to a file. Creates it and its parents if missing. Returns the number of bytes added. */
  append(path: string, content: string): number;
  /** Removes a file or a link, not a directory. */
  remove(path: string): void;
  /** Moves a file, a link or a directory, also to another file system, and creates parents. */
  move(from: string, to: string): { readonly overwrote: boolean };
  /** Creates a directory and its parents. Returns false if it exists. */
  createDirectory(path: string): boolean;
  /** Removes an empty directory. */
  removeDirectory(path: string): void;
  /** Returns the readable entries of a directory, sorted by name. */
  list(path: string): DirectoryEntry[];
}

export interface WriteResult {
  readonly bytesWritten: number;
  /** Set if the file had this content before. */
  readonly unchanged?: true;
}

/** The access that each method needs to the paths that it takes, in their order. */
export const NEEDED_ACCESS: { readonly [Method in keyof Workspace]: ReadonlyArray<readonly Access[]> } = {
  read: [["read"]],
  peek: [["read"]],
  list: [["read"]],
  firstLine: [["read"]],
  edit: [["read", "write"]],
  write: [["write"]],
  append: [["write"]],
  remove: [["write"]],
  createDirectory: [["write"]],
  removeDirectory: [["write"]],
  move: [["read", "write"], ["write"]],
};

/** A part of a file. Lines are those of the file, 1-based and inclusive. */
export interface OutlineEntry {
  /** `@@Server@@start` */
  readonly address: string;
  /** `class`, `function`, `section`, … */
  readonly kind: string;
  readonly first_line: number;
  readonly last_line: number;
  /** Set if a syntax error makes its end uncertain: it can be read, but not edited. */
  readonly broken?: true;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "link";
  /** Bytes. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified: string;
}

/** Access that an action's definition declares for one path and, if that is a directory, for everything in it. */
export interface Grant {
  readonly path: string;
  readonly access: readonly Access[];
}

/**
 * Restricts a workspace to the grants of one action. Any other access throws, since it is a bug in the action's
 * definition. So the declared `needs` and the handler cannot drift apart.
 */
export function narrow(workspace: Workspace, grants: readonly Grant[]): Workspace {
  const check = checkOf(grants);
  const checked = ([method, needed]: [string, ReadonlyArray<readonly Access[]>]) => [
    method,
    (...args: readonly unknown[]) => {
      for (const [index, access] of needed.entries()) check(args[index] as string, ...access);
      return Reflect.apply(workspace[method as keyof Workspace], workspace, args) as unknown;
    },
  ] as const;
  return Object.fromEntries(Object.entries(NEEDED_ACCESS).map(checked)) as unknown as Workspace;
}

/** Returns a function that throws if an access to a path was not granted. */
export function checkOf(grants: readonly Grant[]): (path: string, ...needed: readonly Access[]) => void {
  const isGranted = { read: coverOf(grants, "read"), write: coverOf(grants, "write") };
  return (path, ...needed) => {
    const missing = needed.find((access) => !isGranted[access](path));
    if (missing !== undefined) throw new Error(`the action did not declare that it needs to ${missing} '${path}'`);
  };
}

/** Returns a test whether a path is a granted one or lies in one. Compares text only: the guard judges the target. */
function coverOf(grants: readonly Grant[], access: Access): (path: string) => boolean {
  const granted = new Set(grants.filter((grant) => grant.access.includes(access)).map(({ path }) => path));
  let resolved: ReadonlySet<string> | undefined;
  return (path) => {
    if (granted.has(path)) return true;
    resolved ??= new Set([...granted].map((name) => resolve(name)));
    return liesIn(resolved, resolve(path));
  };
}

function liesIn(places: ReadonlySet<string>, path: string): boolean {
  return places.has(path) || (dirname(path) !== path && liesIn(places, dirname(path)));
}

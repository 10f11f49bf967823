/** Hints on failures that come without one: what is meant, or what to do. */
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { CommandData } from "../core/command.ts";
import { type Failure, nextStep } from "../core/failure.ts";
import { isWithin, segmentsOf } from "../paths/path-segments.ts";
import type { Done } from "./perform.ts";
import type { KnownFiles } from "../answer/known-files.ts";
import { resultInTime } from "./limits.ts";

/** Maximum number of paths of a list to give hints on. */
const MAX_LISTED = 3;

export class FailureHints {
  readonly #files: KnownFiles;
  readonly #root: string;
  /** Files and directories, relative to the root. */
  #known: readonly string[] | undefined;
  /** What the blocks of the answer have done to paths that are gone, by absolute path: a clause. */
  readonly #gone = new Map<string, string>();

  /** @param root canonical */
  constructor(files: KnownFiles, root: string) {
    [this.#files, this.#root] = [files, root];
  }

  /** Notes the paths that an action has deleted or moved. */
  after({ action: { block, definition, params }, failure, data }: Done): void {
    const note = (path: unknown, deed: string): void =>
      void this.#gone.set(resolve(this.#root, String(path)), `block ${block.id} of this answer has ${deed}`);
    if (definition.runs !== undefined) {
      for (const { path, change } of (data as CommandData | undefined)?.changed ?? [])
        if (change === "deleted") note(path, DELETED);
    } else if (failure === undefined) {
      const { verb } = definition.effect ?? {};
      if (verb === "delete" || verb === "remove") note(params["path"], DELETED);
      const { old_path: from, new_path: to } = params;
      if (verb === "move") note(from, `moved '${String(from)}' to '${String(to)}': use the new path`);
    }
  }

  hintOn(failure: Failure): string | undefined {
    switch (failure.code) {
      case "file/not-found":
      case "file/source-not-found":
      case "exec/cwd":
      case "context/no-files":
        return this.#goneBy(failure.path) ?? this.#nearTo(failure.path);
      case "guard/denied":
        return this.#wayToAllow(failure);
      case "paths/unread":
      case "paths/unchanged": {
        const hints = failure.failures.slice(0, MAX_LISTED).flatMap(({ path, failure: cause }) => {
          const hint = this.hintOn(cause) ?? nextStep(cause);
          return hint === undefined ? [] : [`${path}: ${hint}`];
        });
        return hints.length === 0 ? undefined : hints.join("\n");
      }
      default:
        return undefined;
    }
  }

  /** A path may be gone with a directory above it. */
  #goneBy(written: string): string | undefined {
    if (this.#gone.size === 0) return undefined;
    for (let path = resolve(this.#root, written); isWithin(path, this.#root); path = dirname(path)) {
      const deed = this.#gone.get(path);
      if (deed !== undefined || path === this.#root) return deed;
    }
    return undefined;
  }

  /** Undefined for rules that are not Loaf's defaults: the user has written them, or nothing overrides them. */
  #wayToAllow({ access, path }: Extract<Failure, { readonly code: "guard/denied" }>): string | undefined {
    const full = resolve(this.#root, path);
    if (!isWithin(full, this.#root) || !this.#files.guard.refusal.isOpenable(full, access)) return undefined;
    const name = relative(this.#root, full);
    return `only the user can allow this: list './**' and '${name}' under fs-guard.${access}.allow in loaf.yml, then run loaf trust`;
  }

  /**
   * Suggests existing paths for one that does not exist: with one typing error, in other case, or with one directory
   * more, less or different. Suggests only what may be read and is not ignored, so that no hint reveals a refused path.
   * Undefined if there are none, or too many.
   */
  #nearTo(written: string): string | undefined {
    const path = isAbsolute(written) ? relative(this.#root, written) : join(written);
    if (path === "" || segmentsOf(path).includes("..")) return undefined;
    this.#known ??= resultInTime(() => this.#walk(), MAX_WALK_MS) ?? [];
    const near = this.#known
      .filter((known) => isNear(path, known) && this.#files.has(known))
      .map((known) => `'${isAbsolute(written) ? join(this.#root, known) : known}'`);
    if (near.length === 0 || near.length > MAX_SUGGESTED) return undefined;
    return `did you mean ${near.length === 1 ? near.join() : `${near.slice(0, -1).join(", ")} or ${near.at(-1)}`}?`;
  }

  #walk(): string[] {
    const files = this.#files.all();
    const directories = new Set<string>();
    for (const file of files)
      for (let at = dirname(file); at !== "." && !directories.has(at); at = dirname(at)) directories.add(at);
    return [...directories, ...files];
  }
}

const DELETED = "deleted it: if it is still needed, write it anew";

/** Maximum number of paths to suggest. With more, the name alone says nothing. */
const MAX_SUGGESTED = 3;
/** Maximum time to list the project, in milliseconds. A hint is not worth more. */
const MAX_WALK_MS = 500;

function isNear(written: string, known: string): boolean {
  if (written === known) return false;
  return (
    written.toLowerCase() === known.toLowerCase() || isOneEditOff(written, known) || isOneDirectoryOff(written, known)
  );
}

/** Shorter names, and numbers, differ by one character without a typing error: `a.txt`, `part1.txt`. */
const MIN_LENGTH = 4;
/** Of a name in which two characters are swapped: `scr`. */
const MIN_SWAPPED_LENGTH = 3;

/** Returns whether one character is missing, added or different, or two are swapped. */
function isOneEditOff(written: string, actual: string): boolean {
  if (Math.abs(written.length - actual.length) > 1) return false;
  let start = 0;
  while (start < written.length && written[start] === actual[start]) start += 1;
  let end = 0;
  const most = Math.min(written.length, actual.length) - start;
  while (end < most && written.at(-1 - end) === actual.at(-1 - end)) end += 1;
  const [left, right] = [written.slice(start, written.length - end), actual.slice(start, actual.length - end)];
  const isSwap = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
  if ((left.length > 1 || right.length > 1) && !isSwap) return false;
  const name = actual.slice(actual.lastIndexOf("/", start) + 1).split("/", 1)[0] ?? "";
  return name.length >= (isSwap ? MIN_SWAPPED_LENGTH : MIN_LENGTH) && !/[0-9/]/.test(left + right);
}

function isOneDirectoryOff(path: string, other: string): boolean {
  if (basename(path).toLowerCase() !== basename(other).toLowerCase()) return false;
  const [left, right] = [segmentsOf(dirname(path)), segmentsOf(dirname(other))];
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left];
  if (longer.length - shorter.length > 1) return false;
  const start = longer.findIndex((name, index) => name !== shorter[index]);
  return (
    longer.slice(start + 1).join("/") === shorter.slice(longer.length === shorter.length ? start + 1 : start).join("/")
  );
}

/**
 * Finds out what hooks change. They are the user's own programs and work on the files themselves: files that the run has touched and what git calls changed are
 * compared with how they stood before. What HEAD or Loaf itself had can be given back; the rest is named.
 */
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { join, relative } from "node:path";
import { type Base, differences, fromTop, baseAtHead, withCheckout } from "../../git/compare.ts";
import { type Git, GitFailed } from "../../git/git.ts";
import { existedBefore } from "../../journal/born-since.ts";
import type { Suspect } from "../../journal/record-done.ts";
import { sizeAndVersion, type Snapshot, takeSnapshot, withCurrentPermissions } from "../../journal/snapshot.ts";
import { readableName } from "../../disk/scan.ts";
import { isWithin } from "../../paths/path-segments.ts";

export interface WatchOptions {
  /** Canonical. */
  readonly root: string;
  /** Canonical paths of what the run has changed so far. */
  readonly touched: readonly string[];
  /** Of the repository that the project is in; undefined where there is none. */
  readonly git: Git | undefined;
}

export interface HookChanges {
  readonly suspects: readonly Suspect[];
  /** Changed, and nobody has what they held before: paths. */
  readonly lost: readonly string[];
  /** When the hook began, by the clock of the file system, in nanoseconds. */
  readonly since: bigint;
}

/** Bytes of files that are held while a hook runs. */
const MOST_HELD = 64 * 2 ** 20;
/** The file system's clock is behind by at most so many milliseconds. */
const CLOCK_MS = 20;

interface Noted {
  /** Undefined where nothing stood there. */
  readonly version: string | undefined;
  /** Undefined where nothing stood there, or it was too large to be held. */
  readonly stood: Snapshot | undefined;
}

export class HookWatch {
  readonly #root: string;
  readonly #base: Base | undefined;
  readonly #noted: ReadonlyMap<string, Noted>;
  readonly #since: bigint;

  private constructor(root: string, base: Base | undefined, noted: ReadonlyMap<string, Noted>) {
    [this.#root, this.#base, this.#noted] = [root, base, noted];
    this.#since = BigInt(Date.now() - CLOCK_MS) * 1_000_000n;
  }

  /** Before a hook is started. Where git cannot tell, only what the run has touched is watched. */
  static async begin({ root, touched, git }: WatchOptions): Promise<HookWatch> {
    const base = git && (await unlessFailed(baseAtHead(git, fromTop(relative(git.top, root)))));
    const changed = base && (await unlessFailed(differences(base)));
    const paths = [...touched, ...[...(changed?.keys() ?? [])].flatMap((path) => textOf(base, path) ?? [])];
    let left = MOST_HELD;
    const noted = new Map<string, Noted>();
    for (const path of new Set(paths)) {
      const { size = 0, version } = sizeAndVersion(path);
      const stood = size > left ? undefined : takeSnapshot(path);
      left -= stood?.kind === "file" ? size : 0;
      noted.set(path, { version, stood });
    }
    return new HookWatch(root, changed && base, noted);
  }

  /** After it has ended. */
  async end(): Promise<HookChanges> {
    const suspects: Suspect[] = [];
    const lost: string[] = [];
    for (const [path, { version, stood }] of this.#noted) {
      if (sizeAndVersion(path).version === version) continue;
      if (version !== undefined && stood === undefined) lost.push(path);
      else suspects.push({ path, before: stood });
    }
    const base = this.#base;
    const changed = base && (await unlessFailed(differences(base)));
    if (base !== undefined && changed !== undefined) await this.#addClean(base, changed, suspects, lost);
    return { suspects, lost: lost.toSorted(), since: this.#since };
  }

  /** What was as in the commit, or not there, when the hook began. */
  async #addClean(base: Base, changed: ReadonlyMap<string, string | undefined>, suspects: Suspect[], lost: string[]): Promise<void> {
    const news: string[] = [];
    const committed: string[] = [];
    for (const [bytes, id] of changed) {
      const path = textOf(base, bytes);
      if (path === undefined) lost.push(join(base.git.top, readableName(Buffer.from(bytes, "latin1"))));
      else if (this.#noted.has(path) || !isWithin(path, this.#root)) continue;
      else if (id === undefined) news.push(path);
      else committed.push(bytes);
    }
    let left = MOST_HELD;
    const known = await unlessFailed(
      withCheckout(base, committed, (folder) => committed.map((bytes) => {
        const copy = join(folder, Buffer.from(bytes, "latin1").toString());
        left -= sizeAndVersion(copy).size ?? 0;
        return left < 0 ? undefined : takeSnapshot(copy);
      })),
    );
    for (const [index, bytes] of committed.entries()) {
      const path = textOf(base, bytes) ?? "";
      const before = known?.[index];
      if (before === undefined) lost.push(path);
      else suspects.push({ path, before: withCurrentPermissions(path, before) });
    }
    // What has been there for longer was ignored before, or came from where it was: it may hold the only bytes.
    const gone = new Set(suspects.filter(({ path }) => sizeAndVersion(path).version === undefined).map(({ before }) => digestOf(before)));
    for (const path of news) {
      if (existedBefore(path, this.#since) && !gone.has(digestOf(takeSnapshot(path)))) lost.push(path);
      else suspects.push({ path, before: undefined });
    }
  }
}

async function unlessFailed<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof GitFailed) return undefined;
    throw thrown;
  }
}

/** A canonical path; undefined for a name that is not UTF-8. */
function textOf(base: Base | undefined, bytes: string): string | undefined {
  const path = Buffer.from(bytes, "latin1");
  return base !== undefined && isUtf8(path) ? join(base.git.top, path.toString()) : undefined;
}

function digestOf(stood: Snapshot | undefined): string {
  return stood?.kind === "file" ? hash("sha256", stood.bytes, "hex") : "";
}

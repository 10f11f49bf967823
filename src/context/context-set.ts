import { createHash } from "node:crypto";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { Failed } from "../core/failure.ts";
import { UndoLog } from "../core/undo-log.ts";
import { STEP } from "../paths/address.ts";
import { estimateTokens } from "../edit/tokens.ts";
import { type Entry, type Kept, readContext, writeContext } from "./context-file.ts";

/** The project's files, as far as they may be read. Paths are absolute. */
export interface ContextView {
  /** The files that a path stands for: itself, all in a folder, those that match a glob, or the address. Sorted; none where nothing is there. Throws `Failed` where it may not be read. */
  filesOf(path: string): Promise<readonly string[]>;
  /** The text of a file, or of the part that an address names; undefined where there is none to be read. */
  read(file: string): Promise<string | undefined>;
  /** Tells whether what a path stands for is named with another one: it is the same, or the other lies in it or matches it. */
  coverageOf(path: string): (named: string) => boolean;
}

export interface ListedEntry {
  readonly path: string;
  /** Bytes of UTF-8. */
  readonly size: number;
  /** About so many for a model. */
  readonly tokens: number;
  readonly files: number;
}

/** One file, or part of one, of the set. */
export interface ContextFile {
  readonly path: string;
  readonly text: string;
}

/** When changes are written: in a dry run never, else at once or, while a run holds them back, with its files. */
export type Keeping = "at once" | "never";

/**
 * The paths that are kept in view for a project, with what they stand for now. Everything is told by the path from the root on, so that it
 * is the same on every machine.
 */
export class ContextSet {
  readonly #root: string;
  readonly #view: ContextView;
  /** Whose changes those from now on are: a position in the order of actions. */
  author = 0;
  readonly #authors = new Set<number>();
  readonly #undo: UndoLog;
  /** By the path of an entry: every action of a run asks all of them. */
  readonly #coverage = new Map<string, (named: string) => boolean>();
  readonly #keeping: Keeping;
  #isHeld = false;
  #kept: Kept;
  #isChanged = false;

  constructor(root: string, view: ContextView, keeping: Keeping, undo = new UndoLog()) {
    this.#undo = undo;
    this.#root = root;
    this.#view = view;
    this.#keeping = keeping;
    this.#kept = readContext(root);
  }

  /** Holds changes back from now on: a run of thousands of actions would write all of them again for each. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Writes what was held back, and from now on everything at once. Throws `file/*` where that cannot be written. */
  settle(): void {
    if (this.#isChanged && this.#keeping === "at once") writeContext(this.#root, this.#kept);
    this.#release();
  }

  /** Forgets what was held back, and tells who changed anything. */
  takeBack(): number[] {
    const authors = [...this.#authors];
    if (this.#isChanged) this.#kept = readContext(this.#root);
    this.#release();
    return authors;
  }

  #release(): void {
    this.#isHeld = false;
    this.#isChanged = false;
    this.#authors.clear();
  }

  /** False where it was there already. Throws `context/no-files` where it stands for nothing, and what the guard throws. */
  async add(path: string): Promise<boolean> {
    const files = await this.#view.filesOf(this.#absolute(path));
    if (files.length === 0) throw new Failed({ code: "context/no-files", path });
    const own = this.#own(path);
    if (this.#kept.entries.some((entry) => entry.path === own)) return false;
    this.#change({ entries: [...this.#kept.entries, { path: own, isNamed: false, isNew: true } as const].sort(byPath) });
    return true;
  }

  /** False where it was not there. */
  remove(path: string): boolean {
    const own = this.#own(path);
    const entries = this.#kept.entries.filter((entry) => entry.path !== own);
    if (entries.length === this.#kept.entries.length) return false;
    this.#change({ entries });
    return true;
  }

  async list(): Promise<ListedEntry[]> {
    const listed: ListedEntry[] = [];
    for (const { path } of this.#kept.entries) {
      const files = await this.#filesOf({ path });
      let [size, tokens] = [0, 0];
      for (const file of files) {
        const text = (await this.#view.read(file)) ?? "";
        size += Buffer.byteLength(text);
        tokens += estimateTokens(text);
      }
      listed.push({ path, size, tokens, files: files.length });
    }
    return listed;
  }

  /** Drops what is gone, and what no action has named since it was added, if any has run since. Returns the paths. */
  async prune(): Promise<string[]> {
    const kept: Entry[] = [];
    for (const entry of this.#kept.entries) if ((entry.isNamed || entry.isNew === true) && (await this.#filesOf(entry)).length > 0) kept.push(entry);
    const removed = this.#kept.entries.filter((entry) => !kept.includes(entry)).map(({ path }) => path);
    if (removed.length > 0) this.#change({ entries: kept });
    return removed;
  }

  /** Returns the paths that were in it. */
  clear(): string[] {
    const removed = this.#kept.entries.map(({ path }) => path);
    this.#change({ entries: [], shown: {} });
    return removed;
  }

  /** Remembers that an action has run, and named these paths. No action fails because that cannot be remembered. */
  noteNamed(paths: readonly string[]): void {
    if (this.#kept.entries.every(({ isNamed, isNew }) => isNamed && isNew === undefined)) return;
    const named = paths.map((path) => this.#absolute(path));
    const isNamed = ({ path }: Entry) => named.some(this.#coverageOf(path));
    const entries = this.#kept.entries.map((entry) => ({ path: entry.path, isNamed: entry.isNamed || isNamed(entry) }));
    if (entries.every((entry, index) => entry.isNamed === this.#kept.entries[index]?.isNamed && this.#kept.entries[index].isNew === undefined)) return;
    try {
      this.#keep({ entries });
    } catch (thrown) {
      if (!(thrown instanceof Failed)) throw thrown;
    }
  }

  /** Every file of the set once, sorted by path; a part of a file that is there as a whole is left out, and so is what is no text. */
  async files(): Promise<ContextFile[]> {
    const found = new Set<string>();
    for (const entry of this.#kept.entries) for (const file of await this.#filesOf(entry)) found.add(file);
    const contents: ContextFile[] = [];
    for (const file of found) {
      const text = isPartOf(found, file) ? undefined : await this.#view.read(file);
      if (text !== undefined) contents.push({ path: this.#own(file), text });
    }
    return contents.sort(byPath);
  }

  /** What of the set is not as it was last shown: the files that are new or different, and the paths of those that are not in it any more. */
  async changes(): Promise<{ readonly changed: ContextFile[]; readonly gone: string[] }> {
    const files = await this.files();
    const { shown } = this.#kept;
    const isThere = new Set(files.map(({ path }) => path));
    return {
      changed: files.filter(({ path, text }) => shown[path] !== hash(text)),
      gone: Object.keys(shown).filter((path) => !isThere.has(path)),
    };
  }

  /** Remembers what a reader has seen. @param gone what that reader was told is gone */
  noteShown(files: readonly ContextFile[], gone: readonly string[] = []): void {
    const others = Object.entries(this.#kept.shown).filter(([path]) => !gone.includes(path));
    this.#keep({ shown: Object.fromEntries([...others, ...files.map(({ path, text }) => [path, hash(text)] as const)]) });
  }

  #coverageOf(path: string): (named: string) => boolean {
    const covers = this.#coverage.get(path) ?? this.#view.coverageOf(this.#absolute(path));
    this.#coverage.set(path, covers);
    return covers;
  }

  async #filesOf({ path }: Pick<Entry, "path">): Promise<readonly string[]> {
    try {
      return await this.#view.filesOf(this.#absolute(path));
    } catch (thrown) {
      if (thrown instanceof Failed) return [];
      throw thrown;
    }
  }

  #change(changes: Partial<Kept>): void {
    if (this.#isHeld) this.#authors.add(this.author);
    this.#keep(changes);
  }

  #keep(changes: Partial<Kept>): void {
    const before = this.#kept;
    this.#undo.note(() => this.#put(before));
    this.#put({ ...before, ...changes });
  }

  #put(kept: Kept): void {
    this.#kept = kept;
    if (this.#isHeld) this.#isChanged = true;
    else if (this.#keeping === "at once") writeContext(this.#root, this.#kept);
  }

  #absolute(path: string): string {
    return isAbsolute(path) ? path : resolve(this.#root, path);
  }

  #own(path: string): string {
    const own = relative(this.#root, this.#absolute(path)).split(sep).join("/");
    if (own === "") return ".";
    return own === ".." || own.startsWith("../") || isAbsolute(own) ? resolve(this.#absolute(path)) : own;
  }
}

/** Whether an address names a part of a file, or of a part, that is there itself. */
function isPartOf(files: ReadonlySet<string>, file: string): boolean {
  for (let at = file.indexOf(STEP); at !== -1; at = file.indexOf(STEP, at + 1)) if (files.has(file.slice(0, at))) return true;
  return false;
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

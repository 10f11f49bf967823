import { hash } from "node:crypto";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { Failed, unlessFailed } from "../core/failure.ts";
import { tryOr } from "../core/errors.ts";
import { AttemptRollback } from "../core/attempt-rollback.ts";
import { estimateTokens } from "../edit/tokens.ts";
import { STEP } from "../paths/address.ts";
import { readStateFile, writeStateFile } from "../state/state-file.ts";
import { type ShownFile, ShownFiles } from "./shown-files.ts";

/** Access to the project's files, as far as the guard allows reading. Paths are absolute. */
export interface ContextView {
  /**
   * Returns the files that a path refers to, sorted: the file itself, all files in a folder, the matches of a glob, or
   * the address. Returns none if nothing is there. Throws `Failed` if reading is not allowed.
   */
  filesOf(path: string): Promise<readonly string[]>;
  /** Returns the text of a file or of an addressed part; undefined if there is no readable text. */
  read(file: string): Promise<string | undefined>;
  /**
   * Returns whether naming another path also names this one: they are equal, or the other one lies in it or matches it.
   */
  coverageOf(path: string): (named: string) => boolean;
}

export interface ContextSize {
  /** Bytes of UTF-8. */
  readonly size: number;
  /** Estimated tokens for a model. */
  readonly tokens: number;
  readonly files: number;
}

export interface ListedEntry extends ContextSize {
  readonly path: string;
}

export interface ContextFile {
  readonly path: string;
  readonly text: string;
}

/** When to write changes: never in a dry run, else at once. While a run holds changes, `flush` writes them. */
export type SaveMode = "at once" | "never";

/**
 * The files that a project keeps in view. Stores paths relative to the root, so that they are the same on every
 * machine.
 */
export class ContextSet {
  readonly #root: string;
  readonly #view: ContextView;
  /** Position of the current action, to which later changes are attributed. */
  author = 0;
  readonly #authors = new Set<number>();
  readonly #undo: AttemptRollback;
  /** Cached by entry path, because every action of a run checks all entries. */
  readonly #coverage = new Map<string, (named: string) => boolean>();
  readonly #saveMode: SaveMode;
  #isHeld = false;
  #stored: StoredContext;
  #isChanged = false;

  constructor(root: string, view: ContextView, saveMode: SaveMode, undo = new AttemptRollback()) {
    this.#undo = undo;
    this.#root = root;
    this.#view = view;
    this.#saveMode = saveMode;
    this.#stored = readContext(root);
  }

  /**
   * Holds changes until `flush` or `discard`. Otherwise a run of thousands of actions would rewrite the file for each.
   */
  hold(): void {
    this.#isHeld = true;
  }

  /** Writes the held changes and stops holding. Throws `file/*` if they cannot be written. */
  flush(): void {
    if (this.#isChanged && this.#saveMode === "at once") writeContext(this.#root, this.#stored);
    this.#release();
  }

  /** Drops the held changes and stops holding. Returns the authors of the changes. */
  discard(): number[] {
    const authors = [...this.#authors];
    if (this.#isChanged) this.#stored = readContext(this.#root);
    this.#release();
    return authors;
  }

  #release(): void {
    this.#isHeld = false;
    this.#isChanged = false;
    this.#authors.clear();
  }

  /**
   * Returns false if the path was already added. Throws `context/no-files` if it refers to no file, and any error of
   * the guard.
   */
  async add(path: string): Promise<boolean> {
    const files = await this.#view.filesOf(this.#absolute(path));
    if (files.length === 0) throw new Failed({ code: "context/no-files", path });
    const name = this.#own(path);
    if (this.#stored.entries.some((entry) => entry.path === name)) return false;
    const entry = { path: name, isNamed: false, isNew: true } as const;
    this.#change({ entries: [...this.#stored.entries, entry].sort(byPath) });
    return true;
  }

  /** Returns false if the path was not in the set. */
  remove(path: string): boolean {
    const name = this.#own(path);
    const entries = this.#stored.entries.filter((entry) => entry.path !== name);
    if (entries.length === this.#stored.entries.length) return false;
    this.#change({ entries });
    return true;
  }

  async list(): Promise<ListedEntry[]> {
    return (await this.listWithTotal()).entries;
  }

  /** Returns the entries, and the size of all files in them. The total counts a file once that is in several. */
  async listWithTotal(): Promise<{ readonly entries: ListedEntry[]; readonly total: ContextSize }> {
    const all = new Map<string, { readonly size: number; readonly tokens: number }>();
    const entries: ListedEntry[] = [];
    for (const { path } of this.#stored.entries) {
      const files = await this.#filesOf({ path });
      for (const file of files) {
        if (all.has(file)) continue;
        const text = (await this.#view.read(file)) ?? "";
        all.set(file, { size: Buffer.byteLength(text), tokens: estimateTokens(text) });
      }
      entries.push({ path, ...sizeOf(files.flatMap((file) => all.get(file) ?? [])) });
    }
    const paths = new Set(all.keys());
    return { entries, total: sizeOf([...all].flatMap(([path, size]) => (isPartOf(paths, path) ? [] : [size]))) };
  }

  /**
   * Drops entries that are gone. Also drops those that no action has named, if any action has run since they were
   * added. Returns the removed paths.
   */
  async prune(): Promise<string[]> {
    const kept: ContextEntry[] = [];
    for (const entry of this.#stored.entries) {
      const isWanted = entry.isNamed || entry.isNew === true;
      if (isWanted && (await this.#filesOf(entry)).length > 0) kept.push(entry);
    }
    const removed = this.#stored.entries.filter((entry) => !kept.includes(entry)).map(({ path }) => path);
    if (removed.length > 0) this.#change({ entries: kept });
    return removed;
  }

  /** Returns the removed paths. */
  clear(): string[] {
    const removed = this.#stored.entries.map(({ path }) => path);
    this.#change({ entries: [], shown: {} });
    return removed;
  }

  /**
   * Records that an action has run and named these paths. Ignores write failures, because no action should fail for
   * that.
   */
  noteNamed(paths: readonly string[]): void {
    if (this.#stored.entries.every(({ isNamed, isNew }) => isNamed && isNew === undefined)) return;
    const named = paths.map((path) => this.#absolute(path));
    const isNamed = ({ path }: ContextEntry) => named.some(this.#coverageOf(path));
    const entries = this.#stored.entries.map((entry) => ({
      path: entry.path,
      isNamed: entry.isNamed || isNamed(entry),
    }));
    const isUnchanged = ({ isNamed }: Pick<ContextEntry, "isNamed">, before: ContextEntry | undefined) =>
      isNamed === before?.isNamed && before.isNew === undefined;
    if (entries.every((entry, index) => isUnchanged(entry, this.#stored.entries[index]))) return;
    unlessFailed(() => this.#update({ entries }), undefined);
  }

  /**
   * Returns every file of the set once, sorted by path. Skips parts of files that are included whole, and files that
   * are not text.
   */
  async files(): Promise<ContextFile[]> {
    const paths = new Set<string>();
    for (const entry of this.#stored.entries) for (const file of await this.#filesOf(entry)) paths.add(file);
    const contents: ContextFile[] = [];
    for (const file of paths) {
      const text = isPartOf(paths, file) ? undefined : await this.#view.read(file);
      if (text !== undefined) contents.push({ path: this.#own(file), text });
    }
    return contents.sort(byPath);
  }

  /** Compares the set with what was last shown. Returns new and modified files, and the paths no longer in it. */
  async changes(): Promise<{ readonly changed: ContextFile[]; readonly gone: string[] }> {
    const files = await this.files();
    const { shown } = this.#stored;
    const isThere = new Set(files.map(({ path }) => path));
    return {
      changed: files.filter(({ path, text }) => shown[path] !== digestOf(text)),
      gone: Object.keys(shown).filter((path) => !isThere.has(path)),
    };
  }

  /**
   * Records what a reader has seen, with the whole files for later comparison.
   *
   * @param gone paths already reported to the reader as gone
   */
  noteShown(
    files: ReadonlyArray<ContextFile & { readonly whole?: ShownFile | undefined }>,
    gone: readonly string[] = [],
  ): void {
    const others = Object.entries(this.#stored.shown).filter(([path]) => !gone.includes(path));
    const seen = files.map(({ path, text }) => [path, digestOf(text)] as const);
    this.#update({ shown: Object.fromEntries([...others, ...seen]) });
    const wholes = files.flatMap(({ whole }) => whole ?? []);
    // What was shown matters more than what it is compared with later.
    if (this.#saveMode === "at once") tryOr(() => new ShownFiles(this.#root).remember(wholes), undefined);
  }

  #coverageOf(path: string): (named: string) => boolean {
    const covers = this.#coverage.get(path) ?? this.#view.coverageOf(this.#absolute(path));
    this.#coverage.set(path, covers);
    return covers;
  }

  async #filesOf({ path }: Pick<ContextEntry, "path">): Promise<readonly string[]> {
    try {
      return await this.#view.filesOf(this.#absolute(path));
    } catch (thrown) {
      if (thrown instanceof Failed) return [];
      throw thrown;
    }
  }

  #change(changes: Partial<StoredContext>): void {
    if (this.#isHeld) this.#authors.add(this.author);
    this.#update(changes);
  }

  #update(changes: Partial<StoredContext>): void {
    const before = this.#stored;
    this.#undo.note(() => this.#store(before));
    this.#store({ ...before, ...changes });
  }

  #store(stored: StoredContext): void {
    this.#stored = stored;
    if (this.#isHeld) this.#isChanged = true;
    else if (this.#saveMode === "at once") writeContext(this.#root, this.#stored);
  }

  #absolute(path: string): string {
    return isAbsolute(path) ? path : resolve(this.#root, path);
  }

  #own(path: string): string {
    const name = relative(this.#root, this.#absolute(path)).split(sep).join("/");
    if (name === "") return ".";
    return name === ".." || name.startsWith("../") || isAbsolute(name) ? resolve(this.#absolute(path)) : name;
  }
}

/** Returns whether an address names part of a file, or of a larger part, that is itself included. */
function isPartOf(files: ReadonlySet<string>, file: string): boolean {
  for (let at = file.indexOf(STEP); at !== -1; at = file.indexOf(STEP, at + 1))
    if (files.has(file.slice(0, at))) return true;
  return false;
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}

/** A file, a folder, a glob or an address. */
export interface ContextEntry {
  /** Relative to the root. Absolute for anything outside. */
  readonly path: string;
  /** Whether an action has named it, or anything in it, since it was added. */
  readonly isNamed: boolean;
  /** Whether no action has run since it was added, except those of the set itself. */
  readonly isNew?: true;
}

/** A project's context set, as it is in the state folder. */
export interface StoredContext {
  /** Sorted by path. */
  readonly entries: readonly ContextEntry[];
  /** Hash of each file's content when last shown, by path. */
  readonly shown: Readonly<Record<string, string>>;
}

const FILE = "context.json";
const VERSION = 1;
const EMPTY: StoredContext = { entries: [], shown: {} };

/** Returns an empty set if the file is missing or unreadable, or another version wrote it in a different format. */
function readContext(root: string): StoredContext {
  return tryOr(() => {
    const { version, entries, shown } = JSON.parse(readStateFile(root, FILE) ?? "{}") as StoredContext & {
      version: unknown;
    };
    return version === VERSION ? { entries, shown } : EMPTY;
  }, EMPTY);
}

/** Throws `file/*` if the state folder cannot be written. */
function writeContext(root: string, { entries, shown }: StoredContext): void {
  try {
    writeStateFile(root, FILE, `${JSON.stringify({ version: VERSION, entries, shown }, undefined, 1)}\n`);
  } catch (thrown) {
    const { code: errno = "EIO", syscall = "write", path = FILE, message } = thrown as NodeJS.ErrnoException;
    const code = errno === "EACCES" || errno === "EPERM" ? "file/permission" : "file/system";
    throw new Failed({ code, errno, text: /: ([^,]*)/.exec(message)?.[1] ?? message, syscall, path });
  }
}

function sizeOf(files: ReadonlyArray<Omit<ContextSize, "files">>): ContextSize {
  const sum = (of: "size" | "tokens"): number => files.reduce((total, file) => total + file[of], 0);
  return { size: sum("size"), tokens: sum("tokens"), files: files.length };
}

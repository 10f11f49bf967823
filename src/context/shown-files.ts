/** Remembers what Loaf has shown of a project's files, to say later what has changed since. */
import { hash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import { tryOr } from "../core/errors.ts";
import { maskSecretsInLines } from "../core/mask-secrets.ts";
import { linesChangedSince } from "../edit/changed-lines.ts";
import { countLineFeeds } from "../edit/lines.ts";
import { findWith } from "../edit/passes.ts";
import { STEP } from "../paths/address.ts";
import { fillStateFolder, readStateFile, writeStateFile } from "../state/state-file.ts";

/** A whole file, as reports show it. */
export interface ShownFile {
  /** Relative to the root. */
  readonly path: string;
  /** With its secrets masked. Its lines have the numbers of the file's. */
  readonly text: string;
  /** Of the masked text, so that it does not help to guess a secret. */
  readonly hash: string;
  /** The tag: 4 small letters and digits. */
  readonly base: string;
}

/** @param path relative to the root */
export function shownFile(path: string, text: string): ShownFile {
  const masked = maskSecretsInLines(text);
  const hash = hashOf(masked);
  return { path, text: masked, hash, base: baseOf(hash) };
}

/**
 * Returns the whole file of a file or of an addressed part, because a tag belongs to a file. Undefined if it cannot be
 * read.
 */
export function wholeShownFile(
  { path, text }: Pick<ShownFile, "path" | "text">,
  read: (file: string) => string | undefined,
): ShownFile | undefined {
  const [file = path] = path.split(STEP);
  const whole = file === path ? text : read(file);
  return whole === undefined ? undefined : shownFile(file, whole);
}

function hashOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

function baseOf(hash: string): string {
  return (parseInt(hash.slice(0, 12), 16) % 36 ** 4).toString(36).padStart(4, "0");
}

/** UTF-16 units of one text, and of all texts of a project; and the number of versions. The oldest are dropped. */
const MAX_LENGTH = 1_000_000;
const MAX_TOTAL = 16_000_000;
const MAX_VERSIONS = 500;

/** A text is stored under its hash in the folder. */
const [FOLDER, INDEX] = ["shown", "shown.json"];

/** Oldest first. A version that is shown again is the newest. */
const Index = z.array(
  z.object({
    path: z.string(),
    hash: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    length: z.number(),
    /** When it was shown last, in milliseconds since 1970. */
    at: z.number(),
  }),
);
type Index = ReadonlyArray<z.output<typeof Index>[number]>;

/** The versions of a project's files that were shown. */
export class ShownFiles {
  readonly #root: string;
  #index: Index | undefined;
  /** The version read last: thousands of edits may miss in one file. */
  #read: ShownFile | undefined;
  /** Of the last comparison. */
  #compared: { readonly shown: ShownFile; readonly now: ShownFile; readonly lines: string } | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** Stores files as shown, except for very long ones. Throws if the state folder is not writable. */
  remember(files: readonly ShownFile[]): void {
    const shown = new Map(files.filter(({ text }) => text.length <= MAX_LENGTH).map((file) => [keyOf(file), file]));
    if (shown.size === 0) return;
    // Another process may have shown something since.
    const before = readIndex(this.#root).filter((version) => !shown.has(keyOf(version)));
    const at = Date.now();
    const added = [...shown.values()].map(({ path, hash, text: { length } }) => ({ path, hash, length, at }));
    this.#index = newest([...before, ...added]);
    const texts = new Map([...shown.values()].map(({ hash, text }) => [hash, text]));
    store(this.#root, this.#index, texts);
  }

  /**
   * Says what has changed in a file since it was shown, for an edit that found no place in it. Compares what was shown,
   * what the edit quotes and what the file holds now. Undefined if nothing has changed, or nothing was shown.
   *
   * @param path relative to the root
   * @param edit the edit's parameters: its `base`, if any, and the text that it quotes
   * @param read returns the file as it is now; called only if it is needed
   */
  changesSince(
    path: string,
    edit: Readonly<Record<string, unknown>>,
    read: () => ShownFile | undefined,
  ): string | undefined {
    const base = typeof edit["base"] === "string" ? edit["base"] : undefined;
    const shown = this.version(path, base);
    const now = shown === undefined && base === undefined ? undefined : read();
    if (now === undefined || now.base === base || now.hash === shown?.hash) return undefined;
    if (shown === undefined) return `${path} is not the version ${base}, which is not kept: read the file again`;
    return `${path} has changed since it was shown (${shown.base}): ${this.#linesChanged(shown, now)}${placeIn(shown, edit)}`;
  }

  /** Returns the version with a tag, or else the one shown last. Undefined if its text is not kept, or damaged. */
  version(path: string, base: string | undefined): ShownFile | undefined {
    this.#index ??= readIndex(this.#root);
    const last = (isThis: (version: Index[number]) => boolean): Index[number] | undefined =>
      this.#index?.findLast(isThis);
    const withBase = ({ hash }: Index[number]): boolean => base === undefined || baseOf(hash) === base;
    // The file may have been moved, or was shown under the name of a link.
    const entry =
      last((version) => version.path === path && withBase(version)) ??
      (base === undefined ? undefined : last(withBase));
    if (entry === undefined) return undefined;
    const { hash } = entry;
    if (this.#read?.hash === hash && this.#read.path === path) return this.#read;
    const text = tryOr(() => readStateFile(this.#root, join(FOLDER, hash)), undefined);
    if (text === undefined || hashOf(text) !== hash) return undefined;
    return (this.#read = { path, text, hash, base: baseOf(hash) });
  }

  #linesChanged(shown: ShownFile, now: ShownFile): string {
    if (this.#compared?.shown.hash !== shown.hash || this.#compared.now.hash !== now.hash) {
      this.#compared = { shown, now, lines: linesChangedSince(shown.text, now.text) };
    }
    const { lines } = this.#compared;
    return `${/^\d+$/.test(lines) ? "line" : "lines"} ${lines}`;
  }
}

/**
 * Deletes versions that were shown last before a number of days. Never throws: the run that was just done matters more.
 */
export function pruneShownFiles(root: string, days: number): void {
  tryOr(() => {
    const all = readIndex(root);
    const oldest = Date.now() - days * MILLISECONDS_OF_DAY;
    const kept = all.filter(({ at }) => at >= oldest);
    if (kept.length < all.length) store(root, kept);
  }, undefined);
}

const MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000;

/** @param texts new ones, by hash */
function store(root: string, index: Index, texts: ReadonlyMap<string, string> = new Map()): void {
  fillStateFolder(root, FOLDER, new Map(index.map(({ hash }) => [hash, texts.get(hash)])));
  writeStateFile(root, INDEX, JSON.stringify(index));
}

function keyOf({ path, hash }: Pick<ShownFile, "path" | "hash">): string {
  return `${hash} ${path}`;
}

/** Returns nothing for a damaged index. */
function readIndex(root: string): Index {
  return tryOr(() => Index.parse(JSON.parse(readStateFile(root, INDEX) ?? "[]")), []);
}

function newest(versions: Index): Index {
  let left = MAX_TOTAL;
  const isWithin = ({ length }: Index[number]): boolean => (left -= length) >= 0;
  return versions.slice(-MAX_VERSIONS).toReversed().filter(isWithin).toReversed();
}

/** Says where the text that an edit quotes was in the shown version. */
function placeIn(shown: ShownFile, edit: Readonly<Record<string, unknown>>): string {
  const [, quoted] = Object.entries(edit).find(([name]) => name.startsWith("old_")) ?? [];
  if (typeof quoted !== "string" || quoted === "") return "";
  const bytes = Buffer.from(shown.text);
  const { places, count, gaveUp } = findWith("tolerant", bytes, maskSecretsInLines(quoted));
  const [place] = places;
  if (gaveUp) return "";
  if (place === undefined) return "; the old text was not in it then either";
  if (count > 1) return `; the old text was in it ${count} times then`;
  return `; the old text was on line ${countLineFeeds(bytes, 0, place.start) + 1} then: write it as the lines are now`;
}

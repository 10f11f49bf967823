import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import { tryOr } from "../core/errors.ts";
import { type Access, Failed, unlessFailed } from "../core/failure.ts";
import { type Addressed, addresses, find, STEP } from "../paths/address.ts";
import { lostDeclarations } from "../addresses/lost.ts";
import type { Part } from "../addresses/part.ts";
import { languageOf } from "../addresses/languages.ts";
import { loadStructure, nearest, partsOf, several } from "../addresses/structure.ts";
import { restoreParsers } from "../addresses/parser.ts";
import type { Block } from "../edit/blocks.ts";
import { ascendingLines, countLines, type FitEnding, fitLineEndings, lineAt, numberFrom } from "../edit/lines.ts";
import type { ExcerptSource } from "../excerpts/merge.ts";
import { kindOf } from "../excerpts/parts.ts";
import type { Edit, Splice, Splices } from "../edit/splice.ts";
import type { Guard } from "../guard/guard.ts";
import { ProjectFiles, type ProjectFilesOptions } from "./project-files.ts";
import type { OutlineEntry, Workspace } from "./workspace.ts";

interface SplitPath {
  readonly file: string;
  /** `@@Server@@start`, or empty. */
  readonly address: string;
}

/** Returns the addressable parts of a text, as of a file with this name. None if it cannot be parsed. */
export async function outlineOfText(file: string, text: string): Promise<OutlineEntry[]> {
  await loadStructure(file).catch(ignoreFailed);
  return entriesOf(text, addresses(unlessFailed(() => partsOf(file, text), [])));
}

function entriesOf(text: string, addressed: Iterable<Addressed>): OutlineEntry[] {
  const lineOf = ascendingLines(text);
  return Array.from(addressed, ({ address, part }) => {
    const first_line = lineOf(part.start);
    const last_line = first_line + countLines(text.slice(part.start, part.end)) - 1;
    return { address, kind: part.kind, first_line, last_line, ...(part.isUncertain && { broken: true as const }) };
  });
}

/**
 * Adds addresses to files: `/p/app.ts@@Server@@start` reads and edits only that part of `/p/app.ts`. A refusal of the
 * file applies to its parts too. `prepare` loads the parsers before an action runs.
 */
export class AddressedFiles extends ProjectFiles implements Workspace {
  readonly #guard: Guard;

  constructor(options: ProjectFilesOptions) {
    super(options);
    this.#guard = options.guard;
  }

  /** Loads the parsers for the addresses among these paths, and for a file whose blocks are wanted. */
  async prepare(paths: readonly string[], parsed?: string): Promise<void> {
    // Without the grammar no block is found.
    if (parsed !== undefined) await loadStructure(this.split(parsed).file).catch(ignoreFailed);
    for (const path of paths) {
      const { file, address } = this.split(path);
      if (address !== "") await loadStructure(file);
    }
  }

  /** Reloads parsers, which may be in a broken state after an action was interrupted. */
  async restore(): Promise<void> {
    await restoreParsers();
  }

  /** Returns whether the text of a path may contain an address. */
  mayBeAddress(path: string): boolean {
    return path.includes(STEP);
  }

  /**
   * Splits a path into file and address. An existing file with the whole name has no address. Otherwise the file is the
   * longest existing prefix, or else ends at the first `@@` in the missing part.
   */
  split(path: string): SplitPath {
    const missing = this.#missingIn(path);
    if (!missing.includes(STEP)) return { file: path, address: "" };
    const first = path.length - missing.length + missing.indexOf(STEP);
    for (let at = path.lastIndexOf(STEP, MAX_PATH_LENGTH); at > first; at = path.lastIndexOf(STEP, at - 1)) {
      if (this.#exists(path.slice(0, at))) return { file: path.slice(0, at), address: path.slice(at) };
    }
    return { file: path.slice(0, first), address: path.slice(first) };
  }

  /** Returns the canonical path of the file that a path or an address names. Throws `Failed` if it may not be read. */
  realFile(path: string): string {
    const request = { access: ["read"], of: "target", names: "file", syscall: "open" } as const;
    return this.#guard.admit({ ...request, path: this.split(path).file }).path;
  }

  /** Throws `address/not-taken` if a path can only be an address. */
  refuseAddress(path: string, access: readonly Access[]): void {
    if (this.#missingIn(path, access).includes(STEP)) throw new Failed({ code: "address/not-taken", path });
  }

  override read(path: string): string {
    const { file, address } = this.split(path);
    const text = super.read(file);
    if (address === "") return text;
    const { part } = locate(file, text, address);
    return text.slice(part.start, part.end);
  }

  override peek(path: string): string | undefined {
    const { file, address } = this.split(path);
    const text = super.peek(file);
    if (text === undefined || address === "") return text;
    const part = unlessFailed(() => locate(file, text, address).part, undefined);
    return part && text.slice(part.start, part.end);
  }

  firstLine(path: string): number | undefined {
    const { file, address } = this.split(path);
    if (address === "") return undefined;
    const text = this.#quietly(file);
    return lineAt(text, locate(file, text, address).part.start);
  }

  /** Loads the parser for `outline`. */
  async prepareOutline(path: string): Promise<void> {
    await loadStructure(this.split(path).file);
  }

  /** Returns the addressable parts of a file, or of an addressed part, in the order of the file. */
  outline(path: string, levels: number): OutlineEntry[] {
    const { file, address } = this.split(path);
    const text = super.read(file);
    const within = address === "" ? { address, part: { children: partsOf(file, text) } } : locate(file, text, address);
    return entriesOf(text, addresses(within.part.children, levels, within.address));
  }

  /** Returns what the grammar tells of versions of a file. `prepare` loads its parser. */
  source(path: string): ExcerptSource {
    const { file } = this.split(path);
    const parts = (text: string): readonly Part[] => unlessFailed(() => partsOf(file, text), []);
    const language = languageOf(file);
    const valid = new Map<string, boolean | undefined>();
    const isValid = (text: string): boolean | undefined => {
      if (!valid.has(text))
        valid.set(
          text,
          tryOr(() => language && language.syntax(text).faults.length === 0, undefined),
        );
      return valid.get(text);
    };
    return {
      parts,
      isValid,
      blocksIn: (text) => Array.from(blocksOf(parts(text), text)),
      lostIn: (before, after, ...flags) =>
        lostDeclarations({ text: before, parts: parts(before) }, { text: after, parts: parts(after) }, ...flags),
    };
  }

  override edit<E extends Edit>(path: string, change: (bytes: Buffer, file: string) => E): E {
    const { file, address } = this.split(path);
    if (address === "") return super.edit(file, change);
    const { own: inPart } = super.edit(file, (bytes) => {
      // latin1 maps each byte to a character, so that positions in other encodings are exact too.
      const encoding = isUtf8(bytes) ? "utf8" : "latin1";
      const text = bytes.toString(encoding);
      const { part } = locate(file, text, address);
      if (part.isUncertain) throw new Failed({ code: "address/uncertain", path: file, address });
      const start = Buffer.byteLength(text.slice(0, part.start), encoding);
      const inner = bytes.subarray(start, start + Buffer.byteLength(text.slice(part.start, part.end), encoding));
      numberFrom(inner, () => lineAt(text, part.start));
      const inPart = within(address, () => change(inner, file));
      // A single-line part does not show the line ending of its file.
      return { own: inPart, splices: movedTo(start, inPart.splices, inner.includes("\n") ? undefined : bytes) };
    });
    return inPart;
  }

  /** Reads without repeating warnings that the read itself gives. */
  #quietly(file: string): string {
    return super.peek(file) ?? super.read(file);
  }

  /** Returns the missing end of a path. Empty if all of it exists. Refused paths count as missing. */
  #missingIn(path: string, access: readonly Access[] = ["read"]): string {
    if (!path.includes(STEP) || this.#exists(path, access)) return "";
    let above = path.slice(0, MAX_PATH_LENGTH);
    do {
      const parent = dirname(above);
      if (parent === above) return path;
      above = parent;
    } while (!this.#exists(above));
    return above === "." ? path : path.slice(above.length);
  }

  #exists(path: string, access: readonly Access[] = ["read"]): boolean {
    const request = { path, access, of: "target", names: "directory", syscall: "open" } as const;
    return unlessFailed(() => this.#guard.admit(request).entry, undefined) !== undefined;
  }
}

function ignoreFailed(thrown: unknown): void {
  if (!(thrown instanceof Failed)) throw thrown;
}

/** Maximum bytes of a path, and so its maximum characters. */
const MAX_PATH_LENGTH = 4096;

/** Returns the part that an address names. Throws `address/*`. */
function locate(file: string, text: string, address: string): Addressed {
  const parts = partsOf(file, text);
  const [match, second, ...more] = find(parts, address);
  if (match === undefined)
    throw new Failed({ code: "address/not-found", path: file, address, ...nearest(parts, address) });
  if (second === undefined) return match;
  throw new Failed({
    code: "address/ambiguous",
    path: file,
    address,
    ...several([match, second, ...more], ({ start }) => lineAt(text, start)),
  });
}

/** Adds the address to the failure for a text that is not in the part. */
function within<Value>(address: string, act: () => Value): Value {
  try {
    return act();
  } catch (thrown) {
    if (!(thrown instanceof Failed) || thrown.failure.code !== "text/not-found") throw thrown;
    throw new Failed({ ...thrown.failure, part: address }, thrown.alignment);
  }
}

/**
 * Shifts the splices of a part to positions in its file.
 *
 * @param file if given, new texts get its line endings
 */
function movedTo(offset: number, splices: Splices, file: Buffer | undefined): Splices {
  const moved = function* (): Generator<Splice> {
    let fit: { readonly text: string; readonly at: FitEnding } | undefined;
    for (const { start, end, text } of splices) {
      // Texts are mostly all the same, so the file is scanned once.
      if (file !== undefined && fit?.text !== text) fit = { text, at: fitLineEndings(file, "", text) };
      yield { start: offset + start, end: offset + end, text: fit?.at(text, offset + start) ?? text };
    }
  };
  return { length: splices.length, [Symbol.iterator]: moved };
}

/** Yields blocks, inner ones before outer ones, so that their ends ascend. */
function* blocksOf(
  parts: readonly Part[],
  text: string,
  lineOf = ascendingLines(text),
  above = ["", ""],
): Generator<Block> {
  for (const { name: ownName, kind, start, end, isUncertain, children } of parts) {
    const [name = "", family = ""] = [kind, kindOf(kind)].map((word, at) => `${above[at]}${STEP}${word} ${ownName}`);
    yield* blocksOf(children, text, lineOf, [name, family]);
    const partText = text.slice(start, end).trimEnd();
    const stop = start + partText.length;
    const [tail = ""] = text.slice(stop).split("\n", 1);
    const last = lineOf(stop) - 1;
    const isClear = text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trim() === "";
    const first = isClear ? last - (partText.split("\n").length - 1) : undefined;
    if (!isUncertain) yield { name, family, ownFamily: `${kindOf(kind)} ${ownName}`, first, last, rest: tail.trim() };
  }
}

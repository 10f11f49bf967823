import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import { type Access, Failed } from "../core/failure.ts";
import { type Addressed, addresses, find, STEP } from "../paths/address.ts";
import { nearest, several } from "../addresses/candidates.ts";
import { restoreParsers } from "../addresses/parser.ts";
import { loadStructure, partsOf } from "../addresses/structure.ts";
import { type FitEnding, fitLineEndings } from "../edit/line-ending.ts";
import { ascendingLines, countLines, lineAt } from "../edit/lines.ts";
import type { Edit, Splice, Splices } from "../edit/splice.ts";
import type { Guard } from "../guard/guard.ts";
import type { Files, OutlineEntry, Workspace } from "./workspace.ts";

/** A path as it was meant. */
interface Named {
  readonly file: string;
  /** `@@Server@@start`, or empty. */
  readonly address: string;
}

/**
 * The workspace with addresses: reading and editing `/p/app.ts@@Server@@start` reads and edits that part of `/p/app.ts` and nothing
 * else. Whatever is refused for the file is refused for its parts. What reads a language is loaded by `prepare`, before an action runs.
 */
export class AddressedFiles implements Workspace {
  readonly #files: Files;
  readonly #guard: Guard;

  constructor(files: Files, guard: Guard) {
    this.#files = files;
    this.#guard = guard;
  }

  /** Loads what the addresses among these paths need. */
  async prepare(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const { file, address } = this.split(path);
      if (address !== "") await loadStructure(file);
    }
  }

  /** Loads anew what cannot be relied on after it was ended half-way. */
  async restore(): Promise<void> {
    await restoreParsers();
  }

  /** Whether a path may be meant as an address, by its text. */
  mayBeAddress(path: string): boolean {
    return path.includes(STEP);
  }

  /** A file that really has the name wins. Else the longest beginning that is a file, or, where there is none, what stands before the first `@@` of what is missing. */
  split(path: string): Named {
    const missing = this.#missingIn(path);
    if (!missing.includes(STEP)) return { file: path, address: "" };
    const first = path.length - missing.length + missing.indexOf(STEP);
    for (let at = path.lastIndexOf(STEP, LONGEST_PATH); at > first; at = path.lastIndexOf(STEP, at - 1)) {
      if (this.#exists(path.slice(0, at))) return { file: path.slice(0, at), address: path.slice(at) };
    }
    return { file: path.slice(0, first), address: path.slice(first) };
  }

  /** Throws `address/not-taken` where a path can only be meant as an address. */
  refuseAddress(path: string, access: readonly Access[]): void {
    if (this.#missingIn(path, access).includes(STEP)) throw new Failed({ code: "address/not-taken", path });
  }

  read(path: string): string {
    const { file, address } = this.split(path);
    const text = this.#files.read(file);
    if (address === "") return text;
    const { part } = locate(file, text, address);
    return text.slice(part.start, part.end);
  }

  peek(path: string): string | undefined {
    const { file, address } = this.split(path);
    const text = this.#files.peek(file);
    if (text === undefined || address === "") return text;
    try {
      const { part } = locate(file, text, address);
      return text.slice(part.start, part.end);
    } catch (thrown) {
      if (thrown instanceof Failed) return undefined;
      throw thrown;
    }
  }

  firstLine(path: string): number | undefined {
    const { file, address } = this.split(path);
    if (address === "") return undefined;
    const text = this.#quietly(file);
    return lineAt(text, locate(file, text, address).part.start);
  }

  /** Loads what `outline` needs. */
  async prepareOutline(path: string): Promise<void> {
    await loadStructure(this.split(path).file);
  }

  /** What has an address in a file, or in the part that an address names, in the order of the file. */
  outline(path: string, levels: number): OutlineEntry[] {
    const { file, address } = this.split(path);
    const text = this.#files.read(file);
    const within = address === "" ? { address, part: { children: partsOf(file, text) } } : locate(file, text, address);
    const lineOf = ascendingLines(text);
    return Array.from(addresses(within.part.children, levels, within.address), ({ address, part }) => {
      const first_line = lineOf(part.start);
      const last_line = first_line + countLines(text.slice(part.start, part.end)) - 1;
      return { address, kind: part.kind, first_line, last_line, ...(part.isUncertain && { broken: true as const }) };
    });
  }

  edit<E extends Edit>(path: string, change: (bytes: Buffer, file: string) => E): E {
    const { file, address } = this.split(path);
    if (address === "") return this.#files.edit(file, change);
    const { own } = this.#files.edit(file, (bytes) => {
      // In what is not UTF-8 text, each byte is taken for a character.
      const encoding = isUtf8(bytes) ? "utf8" : "latin1";
      const text = bytes.toString(encoding);
      const { part } = locate(file, text, address);
      if (part.isUncertain) throw new Failed({ code: "address/uncertain", path: file, address });
      const start = Buffer.byteLength(text.slice(0, part.start), encoding);
      const inner = bytes.subarray(start, start + Buffer.byteLength(text.slice(part.start, part.end), encoding));
      const own = within({ address, firstLine: () => lineAt(text, part.start) }, () => change(inner, file));
      // A part on one line does not show how lines end in its file.
      return { own, splices: movedTo(start, own.splices, inner.includes("\n") ? undefined : bytes) };
    });
    return own;
  }

  write: Files["write"] = (path, content, revise) => this.#files.write(path, content, revise);
  append: Files["append"] = (path, content) => this.#files.append(path, content);
  remove: Files["remove"] = (path) => this.#files.remove(path);
  move: Files["move"] = (from, to) => this.#files.move(from, to);
  createDirectory: Files["createDirectory"] = (path) => this.#files.createDirectory(path);
  removeDirectory: Files["removeDirectory"] = (path) => this.#files.removeDirectory(path);
  list: Files["list"] = (path) => this.#files.list(path);

  /** Read without the warnings that whoever asked to read is given. */
  #quietly(file: string): string {
    return this.#files.peek(file) ?? this.#files.read(file);
  }

  /** The end of a path that names nothing: empty where all of it is there. Only what may be accessed is seen. */
  #missingIn(path: string, access: readonly Access[] = ["read"]): string {
    if (!path.includes(STEP) || this.#exists(path, access)) return "";
    let above = path.slice(0, LONGEST_PATH);
    do {
      const parent = dirname(above);
      if (parent === above) return path;
      above = parent;
    } while (!this.#exists(above));
    return above === "." ? path : path.slice(above.length);
  }

  #exists(path: string, access: readonly Access[] = ["read"]): boolean {
    try {
      return this.#guard.admit({ path, access, of: "target", names: "directory", syscall: "open" }).entry !== undefined;
    } catch (thrown) {
      if (thrown instanceof Failed) return false;
      throw thrown;
    }
  }
}

/** Bytes that a path can have, and so the most characters. */
const LONGEST_PATH = 4096;

/** The one part that an address names. Throws `address/*`. */
function locate(file: string, text: string, address: string): Addressed {
  const parts = partsOf(file, text);
  const [found, second, ...more] = find(parts, address);
  if (found === undefined) throw new Failed({ code: "address/not-found", path: file, address, ...nearest(parts, address) });
  if (second === undefined) return found;
  throw new Failed({ code: "address/ambiguous", path: file, address, ...several([found, second, ...more], ({ start }) => lineAt(text, start)) });
}

/** Says of what is refused for a part that it is about only that. */
function within<Value>({ address, firstLine }: { readonly address: string; firstLine(): number }, act: () => Value): Value {
  try {
    return act();
  } catch (thrown) {
    if (!(thrown instanceof Failed)) throw thrown;
    const { failure, hint } = thrown;
    const isByLine = hint !== undefined && /\blines? \d/.test(hint) && firstLine() !== 1;
    const told = isByLine ? `${hint} (line 1 is the first of '${address}': line ${firstLine()} of the file)` : hint;
    throw new Failed(failure.code === "text/not-found" ? { ...failure, part: address } : failure, told);
  }
}

/**
 * The splices of a part as those of its file.
 *
 * @param file given where the lines of new texts are to end as there
 */
function movedTo(offset: number, splices: Splices, file: Buffer | undefined): Splices {
  const moved = function* (): Generator<Splice> {
    let fit: { readonly text: string; readonly at: FitEnding } | undefined;
    for (const { start, end, text } of splices) {
      // Mostly all texts are the same, and the file is looked through once.
      if (file !== undefined && fit?.text !== text) fit = { text, at: fitLineEndings(file, "", text) };
      yield { start: offset + start, end: offset + end, text: fit?.at(text, offset + start) ?? text };
    }
  };
  return { length: splices.length, [Symbol.iterator]: moved };
}

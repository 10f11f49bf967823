import type { HardLinks } from "../config/guard-rules.ts";
import { type Access, Failed } from "../core/failure.ts";
import { decode, withoutMark } from "../edit/codec.ts";
import { denied, type Guard, type Place, settled } from "../guard/guard.ts";
import { asFailure, systemFailure } from "../disk/system-error.ts";
import type { FileContent, Volume } from "../disk/volume.ts";

export interface ReaderOptions {
  readonly volume: Volume;
  /** Must be over the same volume. */
  readonly guard: Guard;
  /** Largest file to read or write, in bytes. */
  readonly maxFileSize: number;
  /**
   * Whether to read files with several names (hard links) and report that, or refuse them. The guard may refuse another
   * of the names.
   */
  readonly hardLinks?: HardLinks | undefined;
}

export interface Opened {
  /** Canonical. */
  readonly path: string;
  readonly content: FileContent;
}

/** Reads files that the guard allows. Takes paths as the block wrote them. Throws `Failed`. */
export class Reader {
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  text(path: string): { readonly text: string; readonly names: number; readonly hasMark: boolean } {
    const { content } = settled(path, "read", () => this.open(path, ["read"]));
    const { text, problem } = decode(content.bytes);
    if (problem !== undefined) throw new Failed({ code: "file/not-text", path, reason: problem });
    return { text, names: content.names, hasMark: withoutMark(content.bytes).length < content.bytes.length };
  }

  open(path: string, access: readonly Access[]): Opened {
    return this.openAt(path, this.admit(path, access));
  }

  /** Resolves the path of a file, which need not exist yet. */
  admit(path: string, access: readonly Access[]): Place {
    const place = this.#options.guard.admit({ path, access, of: "target", names: "file", syscall: "open" });
    if (place.entry?.kind === "directory") throw systemFailure("EISDIR", "open", path);
    return place;
  }

  openAt(path: string, { path: real, entry }: Place): Opened {
    if (entry === undefined) throw systemFailure("ENOENT", "open", path);
    this.checkSize(path, entry.size);
    const { volume, maxFileSize, hardLinks } = this.#options;
    const content = asFailure("open", path, () => volume.readFile(real, maxFileSize));
    if (hardLinks === "deny") refuseHardLinks(path, content.names);
    return { path: real, content };
  }

  checkSize(path: string, size: number): void {
    const limit = this.#options.maxFileSize;
    if (size > limit) throw new Failed({ code: "file/too-large", path, size, limit });
  }
}

/** Another name of the file may be one that the guard refuses. */
export function refuseHardLinks(path: string, names: number): void {
  if (names > 1) throw denied(path, "read", `it has ${names} names, and hard_links is deny`);
}

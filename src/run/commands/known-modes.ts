import { join } from "node:path";
import type { ShadowFolder } from "../../host/shadow-folder.ts";
import { folderMode } from "../../workspace/arrival.ts";

/**
 * The permissions of the shadow's files, and of the folders above them. Of those git knows only whether a file may be executed: what is not as usual is
 * kept beside its index. Paths are from the root on, a character for each byte; a folder's ends in a slash.
 */
export class KnownModes {
  readonly #folder: ShadowFolder;
  readonly #kept: Kept;
  readonly #modes: Map<string, number>;
  #hasChanged = false;

  /** Of a folder that has been prepared. */
  constructor(folder: ShadowFolder) {
    this.#folder = folder;
    this.#kept = read(folder);
    this.#modes = new Map(this.#kept.modes);
  }

  /** @param isExecutable what git knows of a file */
  of(path: string, isExecutable: boolean): number {
    return this.#modes.get(path) ?? this.#usual(path, isExecutable);
  }

  /** @param mode undefined where neither a file nor a folder stands there */
  note(path: string, mode: number | undefined): void {
    const wanted = mode === undefined || mode === this.#usual(path, (mode & 0o100) !== 0) ? undefined : mode;
    if (this.#modes.get(path) === wanted) return;
    if (wanted === undefined) this.#modes.delete(path);
    else this.#modes.set(path, wanted);
    this.#hasChanged = true;
  }

  /** As they are now. @param root of the project */
  noteFolders(folders: Iterable<string>, root: string): void {
    const top = Buffer.from(join(root, "/"));
    for (const folder of folders) this.note(folder, folderMode(Buffer.concat([top, Buffer.from(folder, "latin1")])));
  }

  save(): void {
    if (this.#hasChanged) this.#folder.writeModes(JSON.stringify({ ...this.#kept, modes: [...this.#modes] }));
    this.#hasChanged = false;
  }

  #usual(path: string, isExecutable: boolean): number {
    return (isExecutable || path.endsWith("/") ? 0o777 : 0o666) & ~this.#kept.umask;
  }
}

interface Kept {
  /** As it was when the shadow was begun: what is usual by it is not kept, whatever is usual later. */
  readonly umask: number;
  readonly modes: ReadonlyArray<readonly [path: string, mode: number]>;
}

function read(folder: ShadowFolder): Kept {
  try {
    return JSON.parse(folder.readModes()) as Kept;
  } catch {
    return { umask: process.umask(), modes: [] };
  }
}

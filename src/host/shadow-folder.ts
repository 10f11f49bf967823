/**
 * The git directory of Loaf's own in a project's state folder, in which the files are kept as they were before a command. It belongs to nobody's
 * repository: it has its own index and objects, and settings under which git runs no program and changes no byte.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "./make-folders.ts";
import { projectStateFolder } from "./project-state-folder.ts";

export class ShadowFolder {
  readonly path: string;

  constructor(root: string) {
    this.path = join(projectStateFolder(root), "shadow");
  }

  /**
   * Makes it, or mends what a crash has left. Whoever calls has the turn, so a lock of the index is nobody's. Throws where the state folder cannot be written.
   *
   * @param ignored lines of an ignore file in the root, weaker than those that are there
   */
  prepare(ignored: string): void {
    makeFolders(this.path);
    for (const folder of ["objects", "refs", "info"]) mkdirSync(join(this.path, folder), { recursive: true });
    rmSync(join(this.path, "index.lock"), { force: true });
    // Without them nobody knows what the index leaves out.
    if (!this.readModes().endsWith("}")) {
      rmSync(join(this.path, "index"), { force: true });
      this.writeModes(JSON.stringify({ umask: process.umask(), modes: [] }));
    }
    this.#keep("HEAD", "ref: refs/heads/none\n");
    this.#keep("config", CONFIG);
    this.#keep("info/attributes", ATTRIBUTES);
    this.#keep("info/exclude", `${ignored}\n/.loaf/\n`);
  }

  /** The next `prepare` begins anew. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /** Sets the mark from which on what happens is the command's, and tells its time by the clock of the file system, in nanoseconds. */
  mark(): bigint {
    writeFileSync(join(this.path, MARK), "1", { mode: 0o600 });
    return this.markedAt() as bigint;
  }

  /** Undefined where no mark is. */
  markedAt(): bigint | undefined {
    return this.#modified(MARK);
  }

  /** Tells a later one who finds the command interrupted how long Loaf was there to see it. */
  noteAlive(): void {
    writeFileSync(join(this.path, ALIVE), "1", { mode: 0o600 });
  }

  /** When that was told last, in nanoseconds. */
  lastAlive(): bigint | undefined {
    return this.#modified(ALIVE);
  }

  /** Empty where there is none. */
  readIndex(): Buffer {
    return this.#read("index") ?? Buffer.alloc(0);
  }

  /** Which permissions the files have. Empty where that is not known. */
  readModes(): string {
    return this.#read(MODES)?.toString() ?? "";
  }

  /** All old or all new, whoever kills us, and after a power cut. Throws where the state folder cannot be written. */
  writeModes(text: string): void {
    const file = join(this.path, MODES);
    writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }

  /** Adds to the bytes that were stored since what is not needed was dropped, which `undefined` says of this moment. */
  noteGrowth(bytes: number | undefined): void {
    if (bytes !== 0) writeFileSync(join(this.path, GROWTH), String(bytes === undefined ? 0 : this.growth() + bytes), { mode: 0o600 });
  }

  growth(): number {
    return Number(this.#read(GROWTH)?.toString() ?? 0) || 0;
  }

  #keep(name: string, text: string): void {
    if (this.#read(name)?.toString() !== text) writeFileSync(join(this.path, name), text, { mode: 0o600 });
  }

  #read(name: string): Buffer | undefined {
    try {
      return readFileSync(join(this.path, name));
    } catch {
      return undefined;
    }
  }

  #modified(name: string): bigint | undefined {
    return statSync(join(this.path, name), { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  }
}

const MARK = "mark";
const ALIVE = "alive";
const GROWTH = "growth";
const MODES = "modes";

/** It goes before every `.gitattributes`: bytes are kept as they are. */
const ATTRIBUTES = "* -text -filter -ident -working-tree-encoding\n";

const isBlindToCase = process.platform === "darwin" || process.platform === "win32";

/** A file of settings with nothing to include. Names that git keeps out for the sake of other systems are files here like any other. */
const CONFIG = `[core]
	repositoryformatversion = 0
	bare = false
	filemode = ${process.platform !== "win32"}
	ignorecase = ${isBlindToCase}
	trustctime = true
	autocrlf = false
	safecrlf = false
	fsmonitor = false
	untrackedCache = false
	preloadIndex = true
	hooksPath = ${process.platform === "win32" ? "nul" : "/dev/null"}
	excludesFile =
	protectHFS = false
	protectNTFS = ${process.platform === "win32"}
	compression = 1
	fsync = loose-object,pack,pack-metadata,index
	fsyncMethod = batch
[index]
	version = 2
[gc]
	auto = 0
`;

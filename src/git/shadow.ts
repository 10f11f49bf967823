import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../exec/run-program.ts";
import { behindLoops } from "./behind-loops.ts";
import { BlobReader, type BlobSink } from "./blob-reader.ts";
import { changedWithinSecond } from "./changed-within-second.ts";
import { type Modified, parseRawDiff, splitAtNul } from "./raw-diff.ts";

export interface ShadowOptions {
  /** The path of git. */
  readonly git: string;
  /** The git directory, which is there. */
  readonly folder: string;
  /** The project's root. */
  readonly root: string;
}

/** How the files differ from what the index says; what git ignores is left out. Paths are from the root on. */
export interface Differences {
  readonly modified: readonly Modified[];
  /** Files and links that the index does not have; one that ends in a slash is a repository of its own. */
  readonly unknown: readonly Buffer[];
}

/** Git has refused, in its own words. */
export class GitError extends Error {
  constructor(complaint: string) {
    super(complaint);
    this.name = "GitError";
  }
}

/**
 * What a project's files held at some time, kept by git in a directory of Loaf's own. The user's repository, if there is one, is neither read nor
 * changed, and nothing of its settings counts: no filter, hook or file system monitor runs.
 */
export class Shadow {
  readonly #options: ShadowOptions;

  constructor(options: ShadowOptions) {
    this.#options = options;
  }

  /** What differs now. Changes nothing. Two processes that share the work: one looks at known files, one for unknown ones. */
  async differences(): Promise<Differences> {
    const asked = Promise.all([this.#ask(["diff-files", "-z", "--raw", "--no-renames"]), this.#git(["ls-files", "-z", "--others", "--exclude-standard"])]);
    const recent = this.#changedWithinSecond();
    const [known, unknown] = await asked;
    const modified = parseRawDiff(known.output);
    const seen = new Set(modified.map(({ path }) => path.toString("latin1")));
    const behind = known.complaint === "" ? [] : behindLoops(readFileSync(this.#index), this.#options.root);
    return { modified: [...modified, ...recent.filter(({ path }) => !seen.has(path.toString("latin1"))), ...behind], unknown: splitAtNul(unknown) };
  }

  #changedWithinSecond(): Modified[] {
    const stats = statSync(this.#index, { throwIfNoEntry: false });
    return stats === undefined ? [] : changedWithinSecond(readFileSync(this.#index), stats.mtimeMs / 1_000, this.#options.root);
  }

  get #index(): string {
    return join(this.#options.folder, "index");
  }

  /** What git ignores; a directory of which it ignores all stands for what is in it, and ends in a slash. */
  async ignored(): Promise<Buffer[]> {
    return splitAtNul(await this.#git(["ls-files", "-z", "--others", "--ignored", "--directory", "--exclude-standard"]));
  }

  /** Takes over what stands at these paths. Throws `GitError` where one of them cannot be read or is no file or link by now. */
  async add(paths: readonly Buffer[]): Promise<void> {
    if (paths.length === 0) return;
    const settings = paths.length <= FEW ? EACH_BY_ITSELF : paths.length > MANY && (await this.#packsAtOnce()) ? AS_ONE_PACK : [];
    await this.#git([...settings, "update-index", "--add", "--remove", "--replace", "-z", "--stdin"], joined(paths, ""));
  }

  /** Notes that nothing stands at these paths. */
  async remove(paths: readonly Buffer[]): Promise<void> {
    if (paths.length > 0) await this.#git(["update-index", "-z", "--index-info"], joined(paths, `0 ${"0".repeat(40)}\t`));
  }

  /** Hands on the bytes of objects; one that is missing is passed over. */
  async readBlobs(ids: readonly string[], sink: BlobSink): Promise<void> {
    if (ids.length === 0) return;
    const reader = new BlobReader(sink);
    await this.#git(["cat-file", "--batch"], Buffer.from(`${ids.join("\n")}\n`), (piece) => reader.take(piece));
  }

  /** Drops the objects that the index does not need. */
  async prune(): Promise<void> {
    await this.#git(["-c", "pack.window=0", "repack", "-a", "-d", "-q"]);
    await this.#git(["prune", "--expire=now"]);
  }

  /** Whether this git puts all that one call adds into one pack; an older one would make a pack of each. */
  async #packsAtOnce(): Promise<boolean> {
    const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec((await this.#git(["version"])).toString())?.map(Number) ?? [];
    return major > 2 || (major === 2 && minor >= 37);
  }

  async #git(args: readonly string[], input?: Buffer, take?: (piece: Buffer) => void): Promise<Buffer> {
    return (await this.#ask(args, input, take)).output;
  }

  async #ask(args: readonly string[], input?: Buffer, take?: (piece: Buffer) => void): Promise<{ readonly output: Buffer; readonly complaint: string }> {
    const { git, folder, root } = this.#options;
    const pieces: Buffer[] = [];
    let failure: unknown;
    const onOutput = (piece: Buffer): boolean => {
      try {
        if (take === undefined) pieces.push(piece);
        else take(piece);
      } catch (thrown) {
        failure = thrown;
      }
      return failure === undefined;
    };
    const { exitCode, stderr, endedBy } = await runProgram({ program: git, args, cwd: root, env: environmentOf(folder, root), input, timeout: LONGEST_MS, onOutput });
    if (failure !== undefined) throw failure;
    if (exitCode !== 0) throw new GitError(stderr.trim().split("\n").at(-1) || `git ${args[0]} ended ${endedBy === "timeout" ? "by its time limit" : `with ${exitCode}`}`);
    return { output: Buffer.concat(pieces), complaint: stderr };
  }
}

/** To bring so many objects to the disk together takes longer than one after the other: a folder for them is made, and a file more synced. */
const FEW = 2;
const EACH_BY_ITSELF = ["-c", "core.fsyncMethod=fsync"];

/** A file for each of so many objects would take several times as long to make. */
const MANY = 256;
const AS_ONE_PACK = ["-c", "core.bigFileThreshold=0"];

/** The first time copies all of a project. */
const LONGEST_MS = 30 * 60_000;

/** All that git gets to know. The home folder is another one, so that the user's settings are not found by a git that is too old for the variables. */
function environmentOf(folder: string, root: string): Record<string, string> {
  return {
    GIT_DIR: folder,
    GIT_WORK_TREE: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: process.platform === "win32" ? "nul" : "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_TERMINAL_PROMPT: "0",
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    LC_ALL: "C",
    // Windows finds its libraries by it.
    ...(process.env["SystemRoot"] !== undefined && { SystemRoot: process.env["SystemRoot"] }),
  };
}

function joined(paths: readonly Buffer[], before: string): Buffer {
  const [prefix, nul] = [Buffer.from(before), Buffer.of(0)];
  return Buffer.concat(paths.flatMap((path) => [prefix, path, nul]));
}

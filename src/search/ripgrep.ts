import { isUtf8 } from "node:buffer";
import { runProgram } from "../commands/run-program.ts";
import { IGNORE_FILE, joinName } from "../paths/ignore-rules.ts";

/** A file that seems to hold the pattern, by its path from the directory that was searched, and in how many lines. */
export interface Hit {
  readonly relative: string;
  readonly count: number;
}

export interface RipgrepQuery {
  /** The program's path. */
  readonly program: string;
  readonly pattern: string;
  /** Canonical, of a directory on the disk. */
  readonly directory: string;
  /** Ignore files from above the directory, the weakest first, and the directory they are all relative to, at or above it. */
  readonly ignoreFiles: readonly string[];
  readonly from: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * The files below a directory that hold a text literally, found by ripgrep, in no particular order. It may name too many, never too few:
 * it knows neither the guard nor all ignore files above the directory. Undefined where it fails in whatever way, or would take the
 * pattern or an ignore file in another way than this search does.
 */
export async function hitsOfRipgrep(query: RipgrepQuery): Promise<Hit[] | undefined> {
  if (!canTake(query.pattern)) return undefined;
  // Braces mean nothing to git, but alternatives to ripgrep: it would hide too much. It finds such ignore files itself, while it searches.
  const [hits, braced] = await Promise.all([search(query, []), search({ ...query, pattern: "{" }, ["--text", `--glob=${IGNORE_FILE}`])]);
  return braced?.length === 0 ? hits : undefined;
}

/** @param more arguments, after those that say what and where */
async function search({ program, pattern, directory, ignoreFiles, from, timeout }: RipgrepQuery, more: readonly string[]): Promise<Hit[] | undefined> {
  const base = directory === from ? "./" : `./${directory.slice(joinName(from, "").length)}/`;
  const hits: Hit[] = [];
  let pending = "";
  const take = (piece: Buffer): boolean => {
    // As Latin-1 every byte is a character, whatever a name is made of.
    pending = takeHits(pending + piece.toString("latin1"), Buffer.byteLength(base), hits);
    return true;
  };
  try {
    const args = argumentsFor(pattern, base, [...more, ...ignoreFiles.map((file) => `--ignore-file=${file}`)]);
    const { exitCode, stderr } = await runProgram({ program, args, cwd: from, timeout, stall: STALL_MS, onOutput: take });
    return exitCode !== null && exitCode <= 2 && isHarmless(stderr) ? hits : undefined;
  } catch {
    return undefined;
  }
}

/** A program's argument holds no NUL and no half of a surrogate pair, and is not longer than 128 KB. */
function canTake(pattern: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(pattern) && Buffer.byteLength(pattern) < 100_000;
}

/** On an ignore file that is a FIFO it stalls. */
const STALL_MS = 1_500;

/** Files as they are: any bytes, but a NUL anywhere makes them binary, which a mapped file is not looked through for. */
const WHAT = ["--no-config", "--fixed-strings", "--case-sensitive", "--encoding=none", "--no-mmap", "--count", "--null", "--with-filename", "--color=never", "--path-separator=/"];
/** Every .gitignore below the base, and those that are given, but nothing else. */
const WHICH = ["--hidden", "--glob=!.git", "--no-follow", "--no-require-git", "--no-ignore-dot", "--no-ignore-exclude", "--no-ignore-global", "--no-ignore-parent"];

function argumentsFor(pattern: string, base: string, more: readonly string[]): string[] {
  return [...WHAT, ...WHICH, ...more, `--regexp=${pattern}`, "--", base];
}

/** What could not be read is passed over. Anything else means that it did not understand. */
function isHarmless(complaint: string): boolean {
  return complaint.split("\n").every((line) => line === "" || /\(os error \d+\)$/.test(line));
}

/** Reads `path NUL count LF`, and returns what is not complete yet. */
function takeHits(output: string, prefix: number, hits: Hit[]): string {
  let from = 0;
  while (true) {
    const nul = output.indexOf("\0", from);
    const lineFeed = nul === -1 ? -1 : output.indexOf("\n", nul);
    if (lineFeed === -1) return output.slice(from);
    const name = Buffer.from(output.slice(from + prefix, nul), "latin1");
    // One that is not UTF-8 cannot be addressed.
    if (isUtf8(name)) hits.push({ relative: name.toString("utf8"), count: Number(output.slice(nul + 1, lineFeed)) });
    from = lineFeed + 1;
  }
}

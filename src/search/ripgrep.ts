import { isUtf8 } from "node:buffer";
import { createRequire } from "node:module";
import { findProgram } from "../process/find-program.ts";
import { runProgram } from "../process/run-program.ts";
import { tryOr } from "../core/errors.ts";
import { IGNORE_FILE } from "../paths/ignore-rules.ts";
import { joinName } from "../paths/path-segments.ts";
import type { Sought } from "./line-finder.ts";

/** A file that may contain the pattern. */
export interface Hit {
  /** Relative to the searched directory. */
  readonly relative: string;
  /** Number of matching lines. Absent if it was not counted. */
  readonly count?: number;
}

export interface RipgrepQuery {
  readonly program: string;
  readonly sought: Sought;
  /** Canonical path of a directory on the disk. */
  readonly directory: string;
  /**
   * Ignore files above the directory, weakest first. All are relative to `from`, which is the directory or an ancestor.
   */
  readonly ignoreFiles: readonly string[];
  readonly from: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Returns the files below a directory that contain a pattern, unsorted. May return too many files, but never too
 * few: ripgrep knows neither the guard nor all ignore files above the directory. Returns undefined if it fails, or
 * would interpret the pattern or an ignore file differently.
 */
export async function hitsOfRipgrep(query: RipgrepQuery): Promise<Hit[] | undefined> {
  const { isRegex, ripgrepPattern } = query.sought;
  if (ripgrepPattern === undefined || !canTake(ripgrepPattern)) return undefined;
  // Braces are literal in git but alternatives in ripgrep, which would hide too much. So ripgrep also searches for
  // ignore files with braces.
  const [hits, braced] = await Promise.all([
    search(query, isRegex ? FIRST_LINE : TEXT, ripgrepPattern),
    search(query, [...TEXT, "--text", `--glob=${IGNORE_FILE}`], "{"),
  ]);
  if (hits === undefined || braced?.length !== 0) return undefined;
  return isRegex ? hits.map(({ relative }) => ({ relative })) : hits;
}

/** @param more arguments in addition to the usual ones */
async function search(
  { program, directory, ignoreFiles, from, timeout }: RipgrepQuery, more: readonly string[], pattern: string
): Promise<Hit[] | undefined> {
  const base = directory === from ? "./" : `./${directory.slice(joinName(from, "").length)}/`;
  const hits: Hit[] = [];
  let pending = "";
  const take = (piece: Buffer): boolean => {
    // Latin-1 has one character per byte, whatever the encoding of a name.
    pending = takeHits(pending + piece.toString("latin1"), Buffer.byteLength(base), hits);
    return true;
  };
  try {
    const args = argumentsFor(pattern, base, [...more, ...ignoreFiles.map((file) => `--ignore-file=${file}`)]);
    const { exitCode, stderr } = await runProgram({
      program, args, cwd: from, timeout, stall: STALL_MS, onOutput: take
    });
    return exitCode !== null && exitCode <= 2 && isHarmless(stderr) ? hits : undefined;
  } catch {
    return undefined;
  }
}

/** A program's argument can contain no NUL and no lone surrogate, and is limited to 128 KB. */
function canTake(pattern: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(pattern) && Buffer.byteLength(pattern) < 100_000;
}

const TEXT = ["--fixed-strings"];
/** The lines are counted by Loaf: ripgrep may find more of them. */
const FIRST_LINE = ["--engine=default", "--max-count=1"];

/** ripgrep stalls on an ignore file that is a FIFO. */
const STALL_MS = 1_500;

/** Searches raw bytes. A NUL anywhere makes a file binary, which ripgrep does not check in memory-mapped files. */
const SEARCH_OPTIONS = [
  "--no-config",
  "--case-sensitive",
  "--encoding=none",
  "--no-mmap",
  "--count",
  "--null",
  "--with-filename",
  "--color=never",
  "--path-separator=/",
];
/** Honours every .gitignore below the base and the given ignore files, but no others. */
const FILE_OPTIONS = [
  "--hidden",
  "--glob=!.git",
  "--no-follow",
  "--no-require-git",
  "--no-ignore-dot",
  "--no-ignore-exclude",
  "--no-ignore-global",
  "--no-ignore-parent",
];

function argumentsFor(pattern: string, base: string, more: readonly string[]): string[] {
  return [...SEARCH_OPTIONS, ...FILE_OPTIONS, ...more, `--regexp=${pattern}`, "--", base];
}

/** Ignores complaints about unreadable files. Any other means that ripgrep did not understand its arguments. */
function isHarmless(complaint: string): boolean {
  return complaint.split("\n").every((line) => line === "" || /\(os error \d+\)$/.test(line));
}

/** Parses `path NUL count LF` records. Returns the incomplete rest. */
function takeHits(output: string, prefix: number, hits: Hit[]): string {
  let from = 0;
  while (true) {
    const nul = output.indexOf("\0", from);
    const lineFeed = nul === -1 ? -1 : output.indexOf("\n", nul);
    if (lineFeed === -1) return output.slice(from);
    const name = Buffer.from(output.slice(from + prefix, nul), "latin1");
    // A name that is not UTF-8 cannot be addressed.
    if (isUtf8(name)) hits.push({ relative: name.toString("utf8"), count: Number(output.slice(nul + 1, lineFeed)) });
    from = lineFeed + 1;
  }
}

let ripgrep: { readonly path: string | undefined } | undefined;

/** Returns the path of ripgrep: the optional package's, else an installed one. Looks it up only once. */
export function findRipgrep(): string | undefined {
  ripgrep ??= { path: ofPackage() ?? findProgram("rg") };
  return ripgrep.path;
}

/** Does what `@vscode/ripgrep` would do. That package throws on import if it has no program for this system. */
function ofPackage(): string | undefined {
  const program = process.platform === "win32" ? "rg.exe" : "rg";
  return tryOr(() => {
    const near = createRequire(createRequire(import.meta.url).resolve("@vscode/ripgrep"));
    return near.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`);
  }, undefined);
}

/** Finds the place of an import that has no known neighbours. */
import { largest } from "../../core/lists.ts";
import { isRemark } from "../remarks.ts";
import { sharedWords } from "../text.ts";
import { placeOfFirst } from "./first-import.ts";

/** An import outside of functions, which may be on several lines. */
export interface Import {
  /** 0-based and inclusive. */
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
  /** What it gives names to, by name: where that comes from. */
  readonly names: ReadonlyMap<string, string>;
}

/** The imports that an excerpt shows. */
export interface Imports {
  readonly lines: readonly string[];
  readonly all: readonly Import[];
}

/** The 0-based line above which an import goes, and where a blank line is to stand beside it. */
export interface ImportPlace {
  readonly at: number;
  readonly blank?: "above" | "below";
  /** Where other imports do not tell. */
  readonly indent?: string;
}

/**
 * Returns the place of an import: in order among those that are written alike, or below the last of them. Undefined
 * where the file may have none.
 */
export function placeForImport({ lines, all }: Imports, wanted: Import, path: string): ImportPlace | undefined {
  const text = textOf(wanted);
  const conditional = text.startsWith("#") ? conditionalRows(lines) : new Set<number>();
  const outside = all.filter(({ first }) => !conditional.has(first));
  // What stands below code runs later, where imports run in the order of the file.
  const isRun = REQUIRES.test(text);
  const isBelowCode = ({ first }: Import, at: number): boolean =>
    lines
      .slice((outside[at - 1]?.last ?? -1) + 1, first)
      .some((line) => (isRun && at > 0 ? line.trim() !== "" && !isRemark(line) : DECLARES.test(line)));
  const below = isRun || IN_TURN.test(path) ? outside.findIndex(isBelowCode) : -1;
  const usual = below === -1 ? outside : outside.slice(0, below);
  const [head] = usual;
  if (head === undefined) return placeOfFirst(lines, path, conditional);
  if (FIRST.test(text)) return isForemost(head) ? { at: head.first } : { at: head.first, blank: "below" };
  const ofKind = path.endsWith(".py") ? groupsOfKind(usual, wanted) : usual;
  const [first] = ofKind;
  if (first === undefined) {
    const future = usual.findLast((other) => isForemost(other));
    const last = isStandard(wanted) ? future : usual.at(-1);
    return last === undefined ? { at: head.first, blank: "below" } : { at: last.last + 1, blank: "above" };
  }
  const alike = ofKind.filter((other) => wordOf(other) === wordOf(wanted) && !isForemost(other));
  const last = alike.at(-1) ?? ofKind.at(-1) ?? first;
  if (!IN_ORDER.test(text)) return { at: last.last + 1 };
  const stretches = stretchesOf(alike);
  const likeness = stretches.map((group) => largest(group.map((other) => sharedWords(textOf(other), text))));
  const stretch = stretches[likeness.lastIndexOf(largest(likeness))] ?? [];
  const next = stretch[placeInOrder(stretch.map(textOf), text)]?.first;
  return { at: next === undefined || isRemark(lines[next - 1] ?? "") ? (stretch.at(-1) ?? last).last + 1 : next };
}

/** Files whose imports run where they stand. */
const IN_TURN = /\.(?:py|rb)$/;
/** What a module is loaded for may run above it: `require('dotenv').config()`, and constants that need that. */
const DECLARES = /^(?:(?:async|export) )*(?:(?:class|def|function|module)\b|(?:const|let|var)\b.*(?:=>|\bfunction\b))/;
const REQUIRES = /\brequire\s*\(/;
/** What sorts by the module that it names first. */
const IN_ORDER = /^(?:(?:use|using|mod|from \S+ import)\b|import [\w.*]+$)/;
/** Of Python. */
const FIRST = /^from __future__\b/;

/** Returns whether an import stands above all others. */
export function isForemost(one: Import): boolean {
  return FIRST.test(textOf(one));
}

function textOf({ lines }: Import): string {
  const line = lines.find((one) => !ATTRIBUTE.test(one)) ?? "";
  return line.trim().replace(/;\s*$/, "");
}

/** What stands above an import of Rust, and belongs to it. */
export const ATTRIBUTE = /^#\[.*\]\s*$/;

/** Returns the word that an import begins with, and for C the bracket of its file. */
function wordOf(statement: Import): string {
  return /^(?:#\s*include\s*.|(?:pub )?\w+)/.exec(textOf(statement))?.[0] ?? "";
}

function stretchesOf(imports: readonly Import[]): readonly Import[][] {
  const stretches: Import[][] = [];
  for (const statement of imports)
    if (stretches.at(-1)?.at(-1)?.last === statement.first - 1) stretches.at(-1)?.push(statement);
    else stretches.push([statement]);
  return stretches;
}

/** Returns the imports of Python of which one nearby is of the standard library as the wanted one is, or is not. */
function groupsOfKind(imports: readonly Import[], wanted: Import): readonly Import[] {
  const isOfKind = (other: Import): boolean => isStandard(other) === isStandard(wanted) && !isForemost(other);
  return stretchesOf(imports)
    .filter((stretch) => stretch.some(isOfKind))
    .flat();
}

function isStandard(statement: Import): boolean {
  return STANDARD.has(/^(?:import|from)\s+(\w+)/.exec(textOf(statement))?.[1] ?? "");
}

/** The modules of Python's standard library that programs import most. Source: docs.python.org/3/py-modindex.html */
const STANDARD: ReadonlySet<string> = new Set(
  (
    "abc argparse array ast asyncio atexit base64 bisect builtins bz2 calendar collections concurrent configparser " +
    "contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis email enum errno fcntl filecmp " +
    "fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib gzip hashlib heapq hmac html " +
    "http imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox math " +
    "mimetypes mmap multiprocessing numbers operator os pathlib pdb pickle pkgutil platform plistlib pprint profile pty " +
    "queue random re readline resource runpy sched secrets select selectors shelve shlex shutil signal site smtplib " +
    "socket socketserver sqlite3 ssl stat statistics string struct subprocess sys sysconfig syslog tarfile tempfile " +
    "textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing " +
    "unicodedata unittest urllib uuid venv warnings wave weakref webbrowser xml xmlrpc zipfile zlib zoneinfo"
  ).split(" "),
);

/** Returns the rows of C that stand in a condition of the preprocessor, other than the guard of a header. */
function conditionalRows(lines: readonly string[]): ReadonlySet<number> {
  const rows = new Set<number>();
  const open: boolean[] = [];
  let conditions = 0;
  for (const [row, line] of lines.entries()) {
    const [, directive, name = ""] = /^\s*#\s*(if|ifdef|ifndef|endif)\b\s*(\w*)/.exec(line) ?? [];
    const isGuard = directive === "ifndef" && /^\s*#\s*define\s+(\w+)/.exec(lines[row + 1] ?? "")?.[1] === name;
    if (directive !== undefined && directive !== "endif") conditions += Number(open[open.push(!isGuard) - 1]);
    if (conditions > 0) rows.add(row);
    if (directive === "endif") conditions -= Number(open.pop() ?? false);
  }
  return rows;
}

/** Returns where a further text stands in a list: in its order, if it has one, else at its end. */
export function placeInOrder(list: readonly string[], text: string): number {
  const isSorted = list.every((other, at) => at === 0 || (list[at - 1] as string) < other);
  const at = isSorted ? list.findIndex((other) => other > text) : -1;
  return at === -1 ? list.length : at;
}

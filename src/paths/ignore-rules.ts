import { isUtf8 } from "node:buffer";
import type { Tree } from "../files/reader.ts";
import { compileSegment, type GlobSegment, matchSegment, matchSegments } from "./glob.ts";
import { isWithin, joinName } from "./path-segments.ts";

export const IGNORE_FILE = ".gitignore";
/** Applies to the root, with the lowest precedence. */
export const EXCLUDE_FILE = ".git/info/exclude";

/** The ignore rules for one directory: its own and those of its ancestors, up to the root. */
export class IgnoreRules {
  /** Deepest first: the deepest file that matches an entry decides. */
  readonly #layers: readonly Layer[];

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /**
   * Returns the rules for a directory of the root. For an ignored directory, or one outside the root, returns only its
   * own: a search that names an ignored directory is meant to look inside.
   *
   * @param directory canonical, like the root
   */
  static in(directory: string, root: string, tree: Tree): IgnoreRules {
    const local = new IgnoreRules([]).#with(tree, directory, IGNORE_FILE);
    if (!isWithin(directory, root)) return local;
    let [at, rules] = [root, new IgnoreRules([]).#with(tree, root, EXCLUDE_FILE).#with(tree, root, IGNORE_FILE)];
    for (const name of directory === root ? [] : directory.slice(joinName(root, "").length).split("/")) {
      if (rules.ignores(name, true)) return local;
      at = joinName(at, name);
      rules = rules.enter(name, at, tree, true);
    }
    return rules;
  }

  /** Returns the rules for a subdirectory. */
  enter(name: string, at: string, tree: Tree, hasIgnoreFile: boolean): IgnoreRules {
    const rules = new IgnoreRules(
      this.#layers.map(({ file, lines, path }) => ({ file, lines, path: [...path.slice(0, -1), name, ""] })),
    );
    return hasIgnoreFile ? rules.#with(tree, at, IGNORE_FILE) : rules;
  }

  /** Paths of the ignore files that apply here, weakest first. */
  get files(): string[] {
    return this.#layers.map(({ file }) => file).toReversed();
  }

  ignores(name: string, isDirectory: boolean): boolean {
    for (const { lines, path } of this.#layers) {
      path[path.length - 1] = name;
      const ignored = lines(path, isDirectory);
      if (ignored !== undefined) return ignored;
    }
    return false;
  }

  #with(tree: Tree, directory: string, file: string): IgnoreRules {
    const path = joinName(directory, file);
    const bytes = tree.readIgnoreFile(path);
    return bytes === undefined
      ? this
      : new IgnoreRules([{ file: path, lines: compileIgnoreLines(textOf(bytes)), path: [""] }, ...this.#layers]);
  }
}

/** One ignore file, and the names from its directory to the current one, with a last slot for an entry's name. */
interface Layer {
  readonly file: string;
  readonly lines: IgnoreLines;
  readonly path: string[];
}

/** Decodes an ignore file up to the first line that is not UTF-8, like ripgrep. */
function textOf(bytes: Buffer): string {
  let end = bytes.length;
  for (let from = 0; !isUtf8(bytes) && from < bytes.length;) {
    const lineFeed = bytes.indexOf(10, from);
    const next = lineFeed === -1 ? bytes.length : lineFeed + 1;
    if (!isUtf8(bytes.subarray(from, next))) {
      end = from;
      break;
    }
    from = next;
  }
  return bytes.toString("utf8", 0, end);
}

/**
 * Returns true if a path is ignored, false if it is included again, undefined if no line matches. The path is relative
 * to the ignore file.
 */
export type IgnoreLines = (path: readonly string[], isDirectory: boolean) => boolean | undefined;

interface Line {
  /** Line number: later lines take precedence. */
  readonly number: number;
  readonly ignores: boolean;
  readonly segments: readonly GlobSegment[];
  readonly onlyDirectories: boolean;
}

/**
 * Compiles the lines of a .gitignore as git reads them: the last matching line wins. The caller must skip ignored
 * directories, because git ignores everything in them, whatever a line says. Unlike in git, an unclosed `[` matches
 * itself.
 */
export function compileIgnoreLines(text: string): IgnoreLines {
  const lines = text
    .replace(/^\ufeff/, "")
    .split("\n")
    .flatMap(compileLine)
    .toReversed();
  // Most lines are plain names. Look those up, so that a long file costs no more than a short one.
  const [named, others] = [new Map<string, Line[]>(), [] as Line[]];
  for (const line of lines) {
    const name = plainNameOf(line);
    if (name === undefined) others.push(line);
    else named.set(name, [...(named.get(name) ?? []), line]);
  }
  return (path, isDirectory) => {
    const name = path.at(-1) as string;
    const applies = ({ onlyDirectories }: Line): boolean => isDirectory || !onlyDirectories;
    const byName = named.get(name)?.find(applies);
    const other = others.find(
      (line) => line.number < (byName?.number ?? -1) || (applies(line) && matches(line, path, name)),
    );
    return (other === undefined || other.number < (byName?.number ?? -1) ? byName : other)?.ignores;
  };
}

function plainNameOf({ segments: [first, second], segments }: Line): string | undefined {
  return segments.length === 2 && first === "**" && typeof second === "object" && "literal" in second
    ? second.literal
    : undefined;
}

function matches({ segments }: Line, path: readonly string[], name: string): boolean {
  const [first, second] = segments;
  return segments.length === 2 && first === "**" && second !== undefined
    ? matchSegment(second, name)
    : matchSegments(segments, path);
}

/** Returns no lines for a comment or a blank line. */
function compileLine(line: string, number: number): Line[] {
  const pattern = withoutTrailingSpaces(line);
  if (pattern === "" || pattern.startsWith("#")) return [];
  const [, not, path = "", slash] = /^(!?)(.*?)(\/?)$/s.exec(pattern) ?? [];
  // A slash anywhere but at the end anchors the path to the ignore file's directory. Without one it is a name at any
  // depth.
  const names = path.includes("/") ? path.replace(/^\//, "").split("/") : ["**", path];
  // `a/**` matches everything in `a`, but not `a` itself.
  if (names.at(-1) === "**") names.push("*");
  return [
    {
      number,
      ignores: not === "",
      segments: names.map((name) => compileSegment(name, { extended: true })),
      onlyDirectories: slash !== "",
    },
  ];
}

/** Strips all trailing white space, like ripgrep, and not only spaces. Keeps a space after a backslash. */
function withoutTrailingSpaces(line: string): string {
  const kept = line.trimEnd();
  const backslashes = /\\*$/.exec(kept.slice(-MAX_ESCAPE_LENGTH))?.[0].length ?? 0;
  return backslashes % 2 === 1 && line[kept.length] === " " ? `${kept} ` : kept;
}

/** Maximum number of backslashes to count, so that a hostile line is not scanned as a whole. */
const MAX_ESCAPE_LENGTH = 64;

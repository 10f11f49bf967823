import { compileSegment, type GlobSegment, matchSegment, matchSegments } from "./glob.ts";

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
  const lines = text.replace(/^\ufeff/, "").split("\n").flatMap(compileLine).toReversed();
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
    const other = others.find((line) => line.number < (byName?.number ?? -1) || (applies(line) && matches(line, path, name)));
    return (other === undefined || other.number < (byName?.number ?? -1) ? byName : other)?.ignores;
  };
}

function plainNameOf({ segments: [first, second], segments }: Line): string | undefined {
  return segments.length === 2 && first === "**" && typeof second === "object" && "literal" in second ? second.literal : undefined;
}

function matches({ segments }: Line, path: readonly string[], name: string): boolean {
  const [first, second] = segments;
  return segments.length === 2 && first === "**" && second !== undefined ? matchSegment(second, name) : matchSegments(segments, path);
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
  return [{ number, ignores: not === "", segments: names.map((name) => compileSegment(name, { extended: true })), onlyDirectories: slash !== "" }];
}

/** Strips all trailing white space, like ripgrep, and not only spaces. Keeps a space after a backslash. */
function withoutTrailingSpaces(line: string): string {
  const kept = line.trimEnd();
  const backslashes = /\\*$/.exec(kept.slice(-MAX_ESCAPE_LENGTH))?.[0].length ?? 0;
  return backslashes % 2 === 1 && line[kept.length] === " " ? `${kept} ` : kept;
}

/** Maximum number of backslashes to count, so that a hostile line is not scanned as a whole. */
const MAX_ESCAPE_LENGTH = 64;

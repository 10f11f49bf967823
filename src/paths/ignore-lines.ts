import { compileSegment, type GlobSegment, matchSegment, matchSegments } from "./glob.ts";

/** Whether a path is ignored (true), taken back (false), or not spoken of (undefined). Its names are from the ignore file's own directory on. */
export type IgnoreLines = (path: readonly string[], isDirectory: boolean) => boolean | undefined;

interface Line {
  /** Where it stands: the later line decides. */
  readonly number: number;
  readonly ignores: boolean;
  readonly segments: readonly GlobSegment[];
  readonly onlyDirectories: boolean;
}

/**
 * The lines of a .gitignore, in git's meaning of them: the last one that matches decides. What is in an ignored directory is ignored
 * with it, whatever a line says; who walks the tree sees to that. Unlike git's, an unclosed `[` stands for itself.
 */
export function compileIgnoreLines(text: string): IgnoreLines {
  const lines = text.replace(/^\ufeff/, "").split("\n").flatMap(compileLine).toReversed();
  // Most lines are a plain name: those are looked up, so that a long file costs no more than a short one.
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

/** None for a comment or a blank line. */
function compileLine(line: string, number: number): Line[] {
  const pattern = withoutTrailingSpaces(line);
  if (pattern === "" || pattern.startsWith("#")) return [];
  const [, not, path = "", slash] = /^(!?)(.*?)(\/?)$/s.exec(pattern) ?? [];
  // A slash, other than at the end, ties the path to the ignore file's directory; without one it is a name at any depth.
  const names = path.includes("/") ? path.replace(/^\//, "").split("/") : ["**", path];
  // `a/**` is all in `a`, not `a` itself.
  if (names.at(-1) === "**") names.push("*");
  return [{ number, ignores: not === "", segments: names.map((name) => compileSegment(name, { extended: true })), onlyDirectories: slash !== "" }];
}

/** As ripgrep does, all white space at the end is left out, and not only spaces. A space after a backslash stays. */
function withoutTrailingSpaces(line: string): string {
  const kept = line.trimEnd();
  const backslashes = /\\*$/.exec(kept.slice(-LONGEST_ESCAPE))?.[0].length ?? 0;
  return backslashes % 2 === 1 && line[kept.length] === " " ? `${kept} ` : kept;
}

/** More backslashes than anybody writes: their number is not looked for in a whole hostile line. */
const LONGEST_ESCAPE = 64;

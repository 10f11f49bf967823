import { compileSegment, type GlobSegment, matchSegments } from "../core/glob.ts";

/** Whether a path is ignored (true), taken back (false), or not spoken of (undefined). Its names are from the ignore file's own directory on. */
export type IgnoreLines = (path: readonly string[], isDirectory: boolean) => boolean | undefined;

interface Line {
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
  return (path, isDirectory) => lines.find(({ onlyDirectories, segments }) => (isDirectory || !onlyDirectories) && matchSegments(segments, path))?.ignores;
}

/** None for a comment or a blank line. */
function compileLine(line: string): Line[] {
  const pattern = withoutTrailingSpaces(line.replace(/\r$/, ""));
  if (pattern === "" || pattern.startsWith("#")) return [];
  const [, not, path = "", slash] = /^(!?)(.*?)(\/?)$/s.exec(pattern) ?? [];
  // A slash, other than at the end, ties the path to the ignore file's directory; without one it is a name at any depth.
  const names = path.includes("/") ? path.replace(/^\//, "").split("/") : ["**", path];
  // `a/**` is all in `a`, not `a` itself.
  if (names.at(-1) === "**") names.push("*");
  return [{ ignores: not === "", segments: names.map((name) => compileSegment(name, { extended: true })), onlyDirectories: slash !== "" }];
}

/** A space after a backslash stays. */
function withoutTrailingSpaces(line: string): string {
  if (!line.endsWith(" ")) return line;
  const characters = line.match(/\\?./gsu) ?? [];
  while (characters.at(-1) === " ") characters.pop();
  return characters.join("");
}

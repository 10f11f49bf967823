import { Failed } from "../core/failure.ts";
import { grepDirectory, grepFile, type GrepResult } from "./grep.ts";
import type { HitsQuery } from "./hits.ts";
import { type Sought, soughtText } from "./needle.ts";
import { joinName } from "../paths/path-segments.ts";
import { compileInclude, compilePattern, type PathPattern } from "../paths/path-pattern.ts";
import { type Found, walk } from "./walk.ts";

/** Grep and glob over the files that an action may read. Both honour .gitignore and follow no links. */
export interface Search {
  /**
   * Returns the lines that contain `pattern` literally, or match it, by file, then line. `path` is a directory or a
   * file. In a directory, skips files that are binary or denied. A file given by name must be readable text, and is
   * searched even if ignored.
   */
  grep(query: {
    readonly pattern: string;
    readonly regex?: boolean | undefined;
    readonly path: string;
    readonly include?: string | undefined;
  }): Promise<GrepResult>;
  /** Returns the files and links below `base` whose relative path matches, sorted. */
  glob(query: { readonly pattern: string; readonly base: string }): GlobResult;
}

export interface GlobResult {
  readonly paths: string[];
  /** Number of paths beyond the limit. */
  readonly omitted: number;
}

export interface SearchOptions extends Pick<HitsQuery, "tree" | "root" | "ripgrep" | "inTime" | "timeout"> {
  /** Number of files to scan before using ripgrep. For fewer files, starting a program takes longer. */
  readonly fewFiles?: number;
  /** Throws if the action did not declare that it reads there. */
  checkGranted(path: string): void;
}

/** Maximum number of paths to return. The rest is only counted. */
const MAX_PATHS = 10_000;

export function createSearch({
  tree,
  root,
  checkGranted,
  inTime,
  timeout,
  ripgrep,
  fewFiles = 500,
}: SearchOptions): Search {
  return {
    async grep({ pattern, regex, path, include }) {
      if (pattern === "") throw new Failed({ code: "text/empty", parameter: "pattern" });
      if (pattern.includes("\n")) throw new Failed({ code: "pattern/lines" });
      const sought = regex === true ? await regexOf(pattern) : soughtText(pattern);
      const includes =
        include === undefined
          ? () => true
          : possible(compileInclude(include, path), { parameter: "include", base: "path" });
      checkGranted(path);
      const base = tree.locate(path);
      if (!base.isDirectory) return grepFile(tree, path, sought, includes);
      return grepDirectory(path, { tree, root, inTime, timeout, ripgrep, fewFiles, sought, base: base.path, includes });
    },
    glob({ pattern, base }) {
      const matches = possible(compilePattern(pattern, base), { parameter: "pattern", base: "base_path" });
      checkGranted(base);
      const paths: string[] = [];
      let omitted = 0;
      const visit = ({ relative, mayRead }: Found): true => {
        if (!matches(relative) || !mayRead()) return true;
        if (paths.length < MAX_PATHS) paths.push(joinName(base, relative));
        else omitted += 1;
        return true;
      };
      walk({ tree, root, base: tree.locateDirectory(base), visit });
      return { paths, omitted };
    },
  };
}

/** Loads the engine only where it is needed. */
async function regexOf(pattern: string): Promise<Sought> {
  return (await import("./regex.ts")).soughtRegex(pattern);
}

/** Throws for an impossible pattern: finding nothing would suggest to the model that there is no such file. */
function possible(
  pattern: PathPattern | undefined, names: { readonly parameter: string; readonly base: string }
): PathPattern {
  if (pattern === undefined) throw new Failed({ code: "pattern/impossible", ...names });
  return pattern;
}

import { Failed } from "../core/failure.ts";
import type { Tree } from "../files/tree.ts";
import { grepDirectory, grepFile, type GrepResult } from "./grep.ts";
import type { HitsQuery } from "./hits.ts";
import { joinName } from "../paths/ignore-rules.ts";
import { compileInclude, compilePattern, type PathPattern } from "../paths/path-pattern.ts";
import { type Found, walk } from "./walk.ts";

/** Grep and glob over what one action may read. Both honour .gitignore and follow no links. */
export interface Search {
  /**
   * Lines that hold `pattern` literally, in files below `path` or in the file `path`; by file, then line. Below a directory, what
   * is binary or may not be read is passed over; a file asked for by name has to be readable text, and is searched even where it is ignored.
   */
  grep(query: { readonly pattern: string; readonly path: string; readonly include?: string | undefined }): Promise<GrepResult>;
  /** Paths of the files and links below `base` whose path from there matches, sorted. */
  glob(query: { readonly pattern: string; readonly base: string }): GlobResult;
}

export interface GlobResult {
  readonly paths: string[];
  /** How many more there are. */
  readonly omitted: number;
}

export interface SearchOptions {
  readonly tree: Tree;
  /** Of the project: absolute, with links resolved. Ignore files from there down count. */
  readonly root: string;
  /** The path of ripgrep, where it is installed. */
  ripgrep(): string | undefined;
  /** How many files are scanned before ripgrep is asked: for fewer, to start a program takes longer. */
  readonly fewFiles?: number;
  /** Does synchronous work within the time of the action. */
  readonly inTime: HitsQuery["inTime"];
  /** Milliseconds that a program may take. */
  readonly timeout: number;
  /** Throws where the action did not declare that it reads there. */
  checkGranted(path: string): void;
}

/** Paths that one glob returns; the rest is counted. */
const MOST_PATHS = 10_000;

export function createSearch({ tree, root, checkGranted, inTime, timeout, ripgrep, fewFiles = 500 }: SearchOptions): Search {
  return {
    async grep({ pattern, path, include }) {
      if (pattern === "") throw new Failed({ code: "text/empty", parameter: "pattern" });
      if (pattern.includes("\n")) throw new Failed({ code: "pattern/lines" });
      const includes = include === undefined ? () => true : possible(compileInclude(include, path), { parameter: "include", base: "path" });
      checkGranted(path);
      const base = tree.locate(path);
      if (!base.isDirectory) return grepFile(tree, path, pattern, includes);
      return grepDirectory(path, { tree, root, inTime, timeout, ripgrep, fewFiles, pattern, base: base.path, includes });
    },
    glob({ pattern, base }) {
      const matches = possible(compilePattern(pattern, base), { parameter: "pattern", base: "base_path" });
      checkGranted(base);
      const paths: string[] = [];
      let omitted = 0;
      const visit = ({ relative, mayRead }: Found): true => {
        if (!matches(relative) || !mayRead()) return true;
        if (paths.length < MOST_PATHS) paths.push(joinName(base, relative));
        else omitted += 1;
        return true;
      };
      walk({ tree, root, base: tree.locateDirectory(base), visit });
      return { paths, omitted };
    },
  };
}

/** To find nothing would tell the model that there is no such file. */
function possible(pattern: PathPattern | undefined, names: { readonly parameter: string; readonly base: string }): PathPattern {
  if (pattern === undefined) throw new Failed({ code: "pattern/impossible", ...names });
  return pattern;
}

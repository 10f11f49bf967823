import { isUtf8 } from "node:buffer";
import { compileIgnoreLines, type IgnoreLines } from "./ignore-lines.ts";
import { isWithin, joinName } from "./path-segments.ts";
import type { Tree } from "../files/tree.ts";

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
    const own = new IgnoreRules([]).#with(tree, directory, IGNORE_FILE);
    if (!isWithin(directory, root)) return own;
    let [at, rules] = [root, new IgnoreRules([]).#with(tree, root, EXCLUDE_FILE).#with(tree, root, IGNORE_FILE)];
    for (const name of directory === root ? [] : directory.slice(joinName(root, "").length).split("/")) {
      if (rules.ignores(name, true)) return own;
      at = joinName(at, name);
      rules = rules.enter(name, at, tree, true);
    }
    return rules;
  }

  /** Returns the rules for a subdirectory. */
  enter(name: string, at: string, tree: Tree, hasIgnoreFile: boolean): IgnoreRules {
    const rules = new IgnoreRules(this.#layers.map(({ file, lines, path }) => ({ file, lines, path: [...path.slice(0, -1), name, ""] })));
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
    return bytes === undefined ? this : new IgnoreRules([{ file: path, lines: compileIgnoreLines(textOf(bytes)), path: [""] }, ...this.#layers]);
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
  for (let from = 0; !isUtf8(bytes) && from < bytes.length; ) {
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

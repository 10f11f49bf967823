import { dirname } from "node:path";
import ignore, { type Ignore } from "ignore";

/** Reads the text of an ignore file, or undefined where there is none or it may not be read. */
export type ReadIgnoreFile = (path: string) => string | undefined;

/** One ignore file and the directory that its patterns are relative to. */
interface Layer {
  readonly directory: string;
  readonly rules: Ignore;
}

/** The ignore rules that hold in one directory: its own and those of the directories above it, up to the root. */
export class IgnoreRules {
  /** Deepest first: the deepest file that says anything about a path decides. */
  readonly #layers: readonly Layer[];
  readonly #read: ReadIgnoreFile;

  private constructor(layers: readonly Layer[], read: ReadIgnoreFile) {
    this.#layers = layers;
    this.#read = read;
  }

  /** The rules that reach down into a directory from above it; none from above the root, nor for a directory outside it. */
  static above(directory: string, root: string, read: ReadIgnoreFile): IgnoreRules {
    if (directory === root) return new IgnoreRules([], read).#with(root, ".git/info/exclude");
    if (!directory.startsWith(`${root}/`)) return new IgnoreRules([], read);
    const parent = dirname(directory);
    return IgnoreRules.above(parent, root, read).enter(parent);
  }

  /** The rules that hold in a directory below. */
  enter(directory: string): IgnoreRules {
    return this.#with(directory, ".gitignore");
  }

  ignores(path: string, isDirectory: boolean): boolean {
    for (const { directory, rules } of this.#layers) {
      const { ignored, unignored } = rules.test(path.slice(directory.length + 1) + (isDirectory ? "/" : ""));
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  #with(directory: string, name: string): IgnoreRules {
    const text = this.#read(`${directory}/${name}`);
    if (text === undefined) return this;
    return new IgnoreRules([{ directory, rules: ignore({ ignorecase: false }).add(text) }, ...this.#layers], this.#read);
  }
}

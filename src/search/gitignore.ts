import { dirname } from "node:path";
import { compileIgnoreLines, type IgnoreLines } from "./ignore-lines.ts";

/** Reads the text of an ignore file, or undefined where there is none or it may not be read. */
export type ReadIgnoreFile = (path: string) => string | undefined;

/** One ignore file and the directory that its patterns are relative to. */
interface Layer {
  readonly directory: string;
  readonly ignores: IgnoreLines;
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
    if (!directory.startsWith(joinName(root, ""))) return new IgnoreRules([], read);
    const parent = dirname(directory);
    return IgnoreRules.above(parent, root, read).enter(parent);
  }

  /** The rules that hold in a directory below. */
  enter(directory: string): IgnoreRules {
    return this.#with(directory, ".gitignore");
  }

  ignores(path: string, isDirectory: boolean): boolean {
    for (const { directory, ignores } of this.#layers) {
      const ignored = ignores(path.slice(joinName(directory, "").length).split("/"), isDirectory);
      if (ignored !== undefined) return ignored;
    }
    return false;
  }

  #with(directory: string, name: string): IgnoreRules {
    const text = this.#read(joinName(directory, name));
    if (text === undefined) return this;
    return new IgnoreRules([{ directory, ignores: compileIgnoreLines(text) }, ...this.#layers], this.#read);
  }
}

/** The path of an entry, with the directory as it was written: to take `link/..` out of it would make another path of it. */
export function joinName(directory: string, name: string): string {
  if (directory === ".") return name;
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

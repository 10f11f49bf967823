import { join, relative } from "node:path";
import type { ContextView } from "../context/context-set.ts";
import { Failed } from "../core/failure.ts";
import { compilePattern } from "../paths/glob.ts";
import { isWithin } from "../paths/path-segments.ts";
import { unignoredEntries, filesBelow } from "../search/walk.ts";
import type { BranchChanges } from "../history/git-commands.ts";
import type { Project as Changeable } from "../history/turn.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import type { Tree, FolderEntry } from "../files/reader.ts";
import type { InTime } from "./limits.ts";

interface Project {
  readonly root: string;
  readonly tree: Tree;
  readonly workspace: AddressedFiles;
  readonly inTime: InTime;
}

/** Creates the context set's view of the project: through the guard, with addresses and ignore files. */
export function createContextView({ root, tree, workspace, inTime }: Project): ContextView {
  const filesIn = (directory: string): string[] =>
    filesBelow(tree, root, directory).map((path) => join(directory, path));
  const matching = (path: string): string[] => {
    const matches = compilePattern(relative(root, path), root);
    return matches === undefined ? [] : filesBelow(tree, root, root).filter(matches).map((file) => join(root, file));
  };
  const filesOf = (path: string): string[] => {
    const { file, address } = workspace.split(path);
    try {
      if (tree.locate(file).isDirectory) return address === "" ? filesIn(file) : [];
    } catch (thrown) {
      // An existing file of this name takes precedence over a glob.
      const isMissing = thrown instanceof Failed && thrown.failure.code === "file/not-found";
      if (isMissing) return GLOB.test(file) && isWithin(file, root) ? matching(file) : [];
      throw thrown;
    }
    if (address === "") return [file];
    workspace.read(path);
    return [path];
  };
  return {
    async filesOf(path) {
      await workspace.prepare([path]);
      return inTime(() => filesOf(path));
    },
    async read(file) {
      await workspace.prepare([file]);
      return inTime(() => workspace.peek(file));
    },
    coverageOf(path) {
      const ours = workspace.split(path).file;
      const inside = join(ours, "/");
      const matches = GLOB.test(ours) && isWithin(ours, root) ? compilePattern(relative(root, ours), root) : undefined;
      return (named) => {
        const theirs = workspace.split(named).file;
        return ours === theirs || theirs.startsWith(inside) || matches?.(relative(root, theirs)) === true;
      };
    },
  };
}

/** The project's files that may be read and are not ignored. Paths are relative to the root. */
export interface ProjectView {
  readonly files: readonly string[];
  /** Returns the entries of one folder, sorted. */
  entries(folder: string): readonly FolderEntry[];
  read(file: string): string | undefined;
  /** Returns what the branch changes. Undefined without a repository, git or a commit. */
  branchChanges(): Promise<BranchChanges | undefined>;
}

export function createProjectView(
  project: Changeable,
  { tree, workspace }: Pick<Project, "tree" | "workspace">,
): ProjectView {
  const { root } = project;
  return {
    get files() {
      return filesBelow(tree, root, root).filter((path) => !isOwn(path));
    },
    entries: (folder) =>
      unignoredEntries(join(root, folder), { tree, root }).filter(({ name }) => folder !== "" || !isOwn(name)),
    read: (file) => workspace.peek(join(root, file)),
    branchChanges: async () => (await import("../history/git-commands.ts")).changesOfBranch(project, tree.mayRead),
  };
}

/** Returns whether a path is in the folder that Loaf itself keeps in a project. */
function isOwn(path: string): boolean {
  return path === ".loaf" || path.startsWith(".loaf/");
}

const GLOB = /[*?[{]/;

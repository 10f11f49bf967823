/** A project in a fresh directory, for the tests of the workspace. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { GuardRules } from "../../../src/config/guard-rules.ts";
import { explain, Failed } from "../../../src/core/failure.ts";
import { AddressedFiles } from "../../../src/files/addressed-files.ts";
import { createGuard, type Guard, type GuardOptions } from "../../../src/guard/guard.ts";
import type { ProjectFilesOptions } from "../../../src/files/project-files.ts";
import type { WritableVolume } from "../../../src/disk/volume.ts";
import { WritableDisk } from "../../support/writable-disk.ts";

/** Path to content; `{link}` is a symbolic link, null a directory. */
export type Tree = Readonly<Record<string, string | Uint8Array | { readonly link: string } | null>>;

export interface Project {
  /** The test's own directory, which contains the root. */
  readonly directory: string;
  readonly root: string;
  readonly guard: Guard;
  readonly files: AddressedFiles;
  /** Warnings of `files` so far. */
  readonly warnings: readonly string[];
  /** Returns a path in the root. */
  at(path: string): string;
}

export interface ProjectOptions extends Partial<Omit<GuardOptions, "volume" | "root">>, Partial<Pick<ProjectFilesOptions, "maxFileSize" | "finalNewline" | "hardLinks">> {
  readonly volume?: (disk: WritableVolume) => WritableVolume;
  /** Base name of the root. */
  readonly rootName?: string;
}

/** @param tree relative to the root; `../x` lies beside it */
export function createProject(tree: Tree = {}, options: ProjectOptions = {}): Project {
  const directory = temporaryDirectory();
  const root = join(directory, options.rootName ?? "project");
  mkdirSync(root);
  grow(root, tree);
  const { volume: over = (disk) => disk, maxFileSize = 1 << 20, finalNewline = "as-is", hardLinks, ...rest } = options;
  const volume = over(new WritableDisk());
  const guard = createGuard({ volume, root, home: join(directory, "home"), rules: [DEFAULTS], sealed: [], readOnly: [], platform: "linux", ...rest });
  const warnings: string[] = [];
  const files = new AddressedFiles({ volume, guard, maxFileSize, finalNewline, hardLinks, warn: (warning) => warnings.push(warning) });
  return { directory, root, guard, files, warnings, at: (path) => join(root, path) };
}

export const DEFAULTS: GuardRules = { read: {}, write: {} };

/** Removed when the test ends. */
export function temporaryDirectory(parent = tmpdir()): string {
  const directory = realpathSync(mkdtempSync(join(parent, "loaf-unit-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function grow(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const at = join(root, path);
    mkdirSync(content === null ? at : dirname(at), { recursive: true });
    if (content === null) continue;
    if (typeof content === "object" && "link" in content) symlinkSync(content.link, at);
    else writeFileSync(at, content);
  }
}

/** Returns the sentence of the failure that `act` throws, or its result. */
export function outcomeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Failed) return explain(thrown.failure);
    throw thrown;
  }
}

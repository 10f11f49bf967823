/** Hints on failures that come without one: what is meant, or what to do. */
import { dirname, relative, resolve } from "node:path";
import type { CommandData } from "../core/command.ts";
import { nextStep } from "../core/explain.ts";
import type { Failure } from "../core/failure.ts";
import { isWithin } from "../paths/path-segments.ts";
import type { Done } from "./done.ts";
import type { KnownFiles } from "../answer/known-files.ts";
import { NearPaths } from "./near-paths.ts";

/** Maximum number of paths of a list to give hints on. */
const MAX_LISTED = 3;

export class FailureHints {
  readonly #files: KnownFiles;
  readonly #root: string;
  readonly #near: NearPaths;
  /** What the blocks of the answer have done to paths that are gone, by absolute path: a clause. */
  readonly #gone = new Map<string, string>();

  /** @param root canonical */
  constructor(files: KnownFiles, root: string) {
    [this.#files, this.#root, this.#near] = [files, root, new NearPaths(files, root)];
  }

  /** Notes the paths that an action has deleted or moved. */
  after({ action: { block, definition, params }, failure, data }: Done): void {
    const note = (path: unknown, deed: string): void =>
      void this.#gone.set(resolve(this.#root, String(path)), `block ${block.id} of this answer has ${deed}`);
    if (definition.runs !== undefined) {
      for (const { path, change } of (data as CommandData | undefined)?.changed ?? [])
        if (change === "deleted") note(path, DELETED);
    } else if (failure === undefined) {
      const { verb } = definition.effect ?? {};
      if (verb === "delete" || verb === "remove") note(params["path"], DELETED);
      const { old_path: from, new_path: to } = params;
      if (verb === "move") note(from, `moved '${String(from)}' to '${String(to)}': use the new path`);
    }
  }

  hintOn(failure: Failure): string | undefined {
    switch (failure.code) {
      case "file/not-found":
      case "file/source-not-found":
      case "exec/cwd":
      case "context/no-files":
        return this.#goneBy(failure.path) ?? this.#near.suggest(failure.path);
      case "guard/denied":
        return this.#wayToAllow(failure);
      case "paths/unread":
      case "paths/unchanged": {
        const hints = failure.failures.slice(0, MAX_LISTED).flatMap(({ path, failure: one }) => {
          const hint = this.hintOn(one) ?? nextStep(one);
          return hint === undefined ? [] : [`${path}: ${hint}`];
        });
        return hints.length === 0 ? undefined : hints.join("\n");
      }
      default:
        return undefined;
    }
  }

  /** A path may be gone with a directory above it. */
  #goneBy(written: string): string | undefined {
    if (this.#gone.size === 0) return undefined;
    for (let path = resolve(this.#root, written); isWithin(path, this.#root); path = dirname(path)) {
      const deed = this.#gone.get(path);
      if (deed !== undefined || path === this.#root) return deed;
    }
    return undefined;
  }

  /** Undefined for rules that are not Loaf's defaults: the user has written them, or nothing overrides them. */
  #wayToAllow({ access, path }: Extract<Failure, { readonly code: "guard/denied" }>): string | undefined {
    const full = resolve(this.#root, path);
    if (!isWithin(full, this.#root) || !this.#files.guard.refusal.isOpenable(full, access)) return undefined;
    const name = relative(this.#root, full);
    return `only the user can allow this: list './**' and '${name}' under fs-guard.${access}.allow in loaf.yml, then run loaf trust`;
  }
}

const DELETED = "deleted it: if it is still needed, write it anew with file_write";

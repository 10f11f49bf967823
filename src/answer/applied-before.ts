/** Decides whether an earlier run made an edit, and its effect is still there. */
import { hash } from "node:crypto";
import { isAbsolute } from "node:path";
import { once } from "../core/once.ts";
import { unlessFailed } from "../core/failure.ts";
import type { Trace } from "../actions/define.ts";
import { asSeen } from "../edit/as-seen.ts";
import { spliceBytes } from "../edit/codec.ts";
import { fit } from "../edit/fit.ts";
import { fitLineEndings, splitLines } from "../edit/lines.ts";
import { findWith, type Match } from "../edit/passes.ts";
import type { Splices } from "../edit/splice.ts";
import { joinPath } from "../paths/path-segments.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import type { Guard } from "../guard/guard.ts";
import type { Action, Applied } from "./resolve.ts";

/** The edits of earlier runs that are not undone. */
export interface EarlierEdits {
  /** Returns the last run that made an edit, by its key. */
  runOf(key: string): number | undefined;
  /** Returns the SHA-256 of a file, in hexadecimal, as a run left it. */
  leftBy(run: number, path: string): string | undefined;
  /** Returns the text of a file before a run. */
  textBefore(run: number, path: string): string | undefined;
}

/** The project as it is now. */
export interface CurrentFiles {
  /** Returns the text of a file or an addressed part. Undefined if it cannot be read. */
  textOf(path: string): Promise<string | undefined>;
  /** Returns whether something is at a path. Undefined if the guard does not tell. */
  isThere(path: string): boolean | undefined;
}

/** The files and the guard of a run. */
interface ProjectOfRun {
  readonly workspace: AddressedFiles;
  readonly guard: Guard;
}

export function currentFiles({ workspace, guard }: ProjectOfRun): CurrentFiles {
  return {
    textOf: async (path) => {
      await workspace.prepare([path]).catch(() => undefined);
      return workspace.peek(path);
    },
    isThere: (path) => {
      const request = { path, access: ["read"], of: "itself", names: "directory", syscall: "lstat" } as const;
      return unlessFailed(() => guard.admit(request).entry !== undefined, undefined);
    },
  };
}

/**
 * Returns the key of an edit: what makes two blocks the same edit, whatever text carried them. Equal for equal actions
 * with equal parameters, paths resolved.
 */
export function editKey({ definition, params }: Action, root: string): string {
  const named = Object.keys(params)
    .sort()
    .map((name) => {
      const value = params[name];
      const isPath = definition.needs[name] !== undefined && typeof value === "string";
      return [name, isPath ? value.split("\n").map((path) => absolute(path, root)) : value];
    });
  return hash("sha256", JSON.stringify([definition.name, named]), "base64url").slice(0, 22);
}

function absolute(path: string, root: string): string {
  return isAbsolute(path) ? path : joinPath(root, path.replace(/^(?:\.\/)+/, ""));
}

export interface AppliedOptions {
  /** Absolute. */
  readonly root: string;
  readonly edits: EarlierEdits;
  readonly files: CurrentFiles;
  readonly match: Match;
  /** Returns the actions of the whole answer, by their position. Only its own is needed where the rest is unknown. */
  readonly actions: () => ReadonlyMap<number, Action>;
}

/**
 * Finds the edits of an answer that earlier runs made and whose effects are still there.
 *
 * Takes back the answer's edits in memory, the last one first. An edit is there if its inverse fits at one place, and
 * the edit then leads back to the same text.
 */
export class AppliedBefore {
  readonly #options: AppliedOptions;
  readonly #actions: () => Map<number, Action>;
  /** The edits, by the position of their action, whose effects are there; while nothing changes. */
  #there: ReadonlyMap<number, boolean> | undefined;

  constructor(options: AppliedOptions) {
    this.#options = options;
    this.#actions = once(() => new Map(options.actions()));
  }

  /** Forgets what it knows of the files, because something has changed. */
  changed(): void {
    this.#there = undefined;
  }

  /**
   * Returns how an edit was applied before. Undefined if it is to be made: no earlier run made it, or its effect is
   * gone.
   */
  async find(position: number, action: Action): Promise<Applied | undefined> {
    const { edits, root } = this.#options;
    const run = edits.runOf(editKey(action, root));
    const traces = run === undefined ? [] : tracesOf(action, root);
    if (run === undefined || traces.length === 0) return undefined;
    this.#actions().set(position, action);
    this.#there ??= await this.#look();
    const isThere = this.#there.get(position) === true || (await this.#isAsLeft(traces, run));
    return isThere ? { run, isUnchanged: traces.every(({ kind }) => kind === "content") } : undefined;
  }

  /** Takes back the edits that were made before, as far as their effects are there. */
  async #look(): Promise<ReadonlyMap<number, boolean>> {
    const { edits, root, match } = this.#options;
    const states = new Map<string, State>();
    const after = async (path: string): Promise<State> => states.get(path) ?? this.#now(path);
    const there = new Map<number, boolean>();
    for (const [position, action] of [...this.#actions()].sort(([left], [right]) => right - left)) {
      if (edits.runOf(editKey(action, root)) === undefined) continue;
      let isThere = true;
      for (const trace of tracesOf(action, root).toReversed()) {
        const before =
          trace.kind === "moved"
            ? movedBack(await after(trace.from), await after(trace.path))
            : takenBack(trace, await after(trace.path), match);
        if (before === undefined) isThere = false;
        else if (trace.kind === "moved") states.set(trace.from, before).set(trace.path, "replaced");
        else states.set(trace.path, before);
      }
      there.set(position, isThere);
    }
    // One that stood in the file before, too, may be the only one left.
    for (const [position, action] of this.#actions()) {
      const run = edits.runOf(editKey(action, root));
      if (run === undefined || there.get(position) !== true) continue;
      const isLeft = tracesOf(action, root).every((trace) => !isFewer(trace, states.get(trace.path), run));
      there.set(position, isLeft);
    }
    return there;

    function isFewer(trace: Trace, state: State | undefined, run: number): boolean {
      if (trace.kind !== "replaced" || trace.isOneWay || trace.newText === "" || typeof state !== "object")
        return false;
      const before = edits.textBefore(run, trace.path) ?? "";
      return countIn(state.text, trace.newText) < countIn(before, trace.newText);
    }
  }

  async #now(path: string): Promise<State> {
    const { files } = this.#options;
    const text = await files.textOf(path);
    if (text !== undefined) return { text };
    return files.isThere(path) === false ? "gone" : "unknown";
  }

  /**
   * Returns whether files are as a run left them and have the new text, which is not unique. Then its place does not
   * matter.
   */
  async #isAsLeft(traces: readonly Trace[], run: number): Promise<boolean> {
    const { edits, files } = this.#options;
    for (const trace of traces) {
      const newText = trace.kind === "replaced" ? trace.newText : trace.kind === "lines" ? trace.text : undefined;
      const left = newText === undefined ? undefined : edits.leftBy(run, trace.path);
      const text = left === undefined ? undefined : await files.textOf(trace.path);
      const isAsLeft = text !== undefined && text.includes(newText ?? "") && hash("sha256", text, "hex") === left;
      if (!isAsLeft) return false;
    }
    return true;
  }
}

/** Returns what an action leaves in the project, with absolute paths. */
export function tracesOf({ definition, params }: Action, root: string): readonly Trace[] {
  const traces = definition.leaves?.(params as never) ?? [];
  return traces.map((trace) => ({
    ...trace,
    path: absolute(trace.path, root),
    ...(trace.kind === "moved" && { from: absolute(trace.from, root) }),
  }));
}

/** The state of a path: its text, nothing there, or what a later edit has replaced as a whole. */
type State = { readonly text: string } | "gone" | "replaced" | "unknown";

/** Returns the state of the source before a move, or undefined if the move is not there. */
function movedBack(source: State, target: State): State | undefined {
  const isSourceGone = source === "gone" || source === "replaced";
  return isSourceGone && target !== "gone" && target !== "unknown" ? target : undefined;
}

/** Returns the state before an edit, or undefined if the state after it does not have its effect. */
function takenBack(trace: Exclude<Trace, { kind: "moved" }>, after: State, match: Match): State | undefined {
  if (after === "replaced") return "replaced";
  if (trace.kind === "gone") return after === "gone" ? "replaced" : undefined;
  if (typeof after === "string") return undefined;
  const { text } = after;
  switch (trace.kind) {
    case "content":
      return isContent(text, trace) ? "replaced" : undefined;
    case "end":
      return text.endsWith(trace.text) ? { text: text.slice(0, text.length - trace.text.length) } : undefined;
    case "lines":
      return withoutLines(text, trace);
    case "replaced": {
      const {
        file,
        texts: [oldText = "", newText = ""],
      } = asSeen(Buffer.from(text), [trace.oldText, trace.newText]);
      const [seen, edit] = [file.toString(), { oldText, newText }];
      const before = trace.isOneWay || newText === "" ? ifGone(seen, edit) : inverse(seen, edit, match);
      return before === undefined ? undefined : { text: before };
    }
  }
}

/** A setting may have added the final newline. */
function isContent(
  text: string,
  { text: wanted, isLoose }: { readonly text: string; readonly isLoose?: true },
): boolean {
  if (isLoose) return plainEndings(text) === plainEndings(wanted);
  return text === wanted || (text === `${wanted}\n` && !wanted.endsWith("\n"));
}

function plainEndings(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .trimEnd();
}

function countIn(text: string, part: string): number {
  return text.split(part).length - 1;
}

interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** Returns the text if it has the new text, and the old one nowhere else. */
function ifGone(text: string, { oldText, newText }: Replacement): string | undefined {
  const remainder = newText === "" ? text : text.replaceAll(newText, "\0");
  return (newText === "" || text.includes(newText)) && !remainder.includes(oldText) ? text : undefined;
}

/** Returns the text before a replacement, if its inverse fits at one place, and the replacement leads back. */
function inverse(text: string, { oldText, newText }: Replacement, match: Match): string | undefined {
  const before = replaceOnly(text, newText, oldText, match);
  if (before === undefined || oldText === "") return before;
  return replaceOnly(before, oldText, newText, match) === text ? before : undefined;
}

function replaceOnly(text: string, oldText: string, newText: string, match: Match): string | undefined {
  const bytes = Buffer.from(text);
  const { places, count, gaveUp, pass } = findWith(match, bytes, oldText, 0, 2);
  const [place] = places;
  if (place === undefined || count !== 1 || gaveUp) return undefined;
  const fitted = fitLineEndings(bytes, oldText, newText)(newText, place.start);
  const splices: Splices | undefined =
    pass === "formatting" ? fit(bytes, place, oldText, newText)?.splices : [{ ...place, text: fitted }];
  return splices && spliceBytes(bytes, splices, "").toString();
}

/** Returns a text with unknown lines in place of those that an edit has put there. */
function withoutLines(
  text: string,
  { first, replaced, text: newText }: { readonly first: number; readonly replaced: number; readonly text: string },
): State | undefined {
  const lines = splitLines(text);
  const added = newText.split("\n");
  const isThere = added.every((line, index) => lines[first - 1 + index]?.replace(/\r?\n$/, "") === line);
  if (!isThere) return undefined;
  const unknown = Array.from({ length: replaced }, () => "\0\n");
  return { text: [...lines.slice(0, first - 1), ...unknown, ...lines.slice(first - 1 + added.length)].join("") };
}

/** Tags the files that a run shows, and says what has changed since where an edit does not land. */
import { relative, resolve } from "node:path";
import { pathsIn } from "../actions/params.ts";
import { type ShownFile, shownFile, ShownFiles } from "../context/shown-files.ts";
import { tryOr } from "../core/errors.ts";
import { MISSES } from "../core/failure.ts";
import { append } from "../core/lists.ts";
import { isHintBudgetSpent } from "../edit/work-budget.ts";
import type { Done } from "./perform.ts";
import type { Session } from "./session.ts";

export class ShownBases {
  readonly #session: Session;
  readonly #root: string;
  readonly #shown: ShownFiles;
  /** What each action has read, by position and path as written. */
  readonly #read = new Map<number, ReadonlyMap<string, ShownFile>>();
  /** A file is often looked at several times, and masking a large one takes time. */
  #last: { readonly text: string; readonly file: ShownFile } | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#root = session.options.root;
    this.#shown = new ShownFiles(this.#root);
  }

  /**
   * Notes what an action has read. Adds to the hint of an edit that found no place in a file that has changed since it
   * was shown.
   */
  after(done: Done): Done {
    this.#noteRead(done);
    const { hint } = done;
    const { params } = done.action;
    const { path } = params;
    if (typeof path !== "string" || !isMiss(done) || isHintBudgetSpent()) return done;
    const changed = this.#shown.changesSince(this.#pathOf(path), params, () => this.#fileNow(path));
    if (changed === undefined) return done;
    return { ...done, hint: hint === undefined ? changed : `${hint}\n${changed}` };
  }

  #noteRead({ seq, action: { definition, params }, data }: Done): void {
    if (definition.reads === undefined || data === undefined) return;
    const { content } = Object(data) as { readonly content?: unknown };
    const read = new Map<string, ShownFile>();
    for (const [index, path] of pathsIn(
      definition.params.shape[definition.reads],
      params[definition.reads],
    ).entries()) {
      const text: unknown = Array.isArray(content) ? content[index] : content;
      if (typeof text !== "string") continue;
      const isWhole =
        (definition.show === "file" || Array.isArray(content)) && this.#session.workspace.split(path).address === "";
      const file = isWhole ? this.#asShown(path, text) : this.#fileNow(path);
      if (file !== undefined) read.set(path, file);
    }
    if (read.size > 0) this.#read.set(seq, read);
  }

  /**
   * Adds the tags of what the report shows, and remembers that. A report shows `file_read` as the file is at the end of
   * the run.
   */
  atEnd(all: readonly Done[]): readonly Done[] {
    const mayDiffer = all.some(
      ({ action: { definition } }) => definition.effect !== undefined || definition.runs !== undefined,
    );
    const [asNow, shown] = [new Map<string, ShownFile | undefined>(), [] as ShownFile[]];
    const fileNow = (path: string): ShownFile | undefined => {
      if (!asNow.has(path)) asNow.set(path, this.#fileNow(path));
      return asNow.get(path);
    };
    const tagged = all.map((done): Done => {
      const { seq, action, failure } = done;
      const { params } = action;
      const { show } = action.definition;
      if (show === "file-on-miss" && MISSES.has(failure?.code))
        append(
          shown,
          [fileNow(String(params["path"]))].filter((file) => file !== undefined),
        );
      const files = [...(this.#read.get(seq) ?? [])].flatMap(([path, read]): Array<[string, ShownFile]> => {
        const file = show === "file" && mayDiffer ? fileNow(path) : read;
        return file === undefined ? [] : [[path, file]];
      });
      if (files.length === 0) return done;
      append(
        shown,
        files.map(([, file]) => file),
      );
      return { ...done, bases: Object.fromEntries(files.map(([path, { base }]) => [path, base])) };
    });
    // The report matters more than what it is compared with later.
    if (!this.#session.isDry && shown.length > 0) tryOr(() => this.#shown.remember(shown), undefined);
    return tagged;
  }

  /** Returns the whole file, for an address too. */
  #fileNow(path: string): ShownFile | undefined {
    const { workspace } = this.#session;
    const text = workspace.peek(workspace.split(path).file);
    return text === undefined ? undefined : this.#asShown(path, text);
  }

  #asShown(path: string, text: string): ShownFile {
    const name = this.#pathOf(path);
    if (this.#last?.text !== text || this.#last.file.path !== name) this.#last = { text, file: shownFile(name, text) };
    return this.#last.file;
  }

  #pathOf(path: string): string {
    return relative(this.#root, resolve(this.#root, this.#session.workspace.split(path).file));
  }
}

/** Returns whether an edit found no place, or not exactly one. */
function isMiss({ action, failure, data }: Done): boolean {
  if (action.definition.effect === undefined) return false;
  if (failure === undefined) return Object(data).replacements === 0;
  return MISSES.has(failure.code) || GONE.test(failure.code);
}

/** Codes of edits whose lines or part of the file are not there. */
const GONE = /^(?:lines\/out(?:-of-bounds|side-part)|address\/(?:not-found|ambiguous))$/;

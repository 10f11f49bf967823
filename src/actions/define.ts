import type * as z from "zod/mini";
import type { ContextSet } from "../context/context-set.ts";
import type { CommandData, ScriptLanguage } from "../core/command.ts";
import type { Access } from "../core/failure.ts";
import type { Outcome } from "../core/outcome.ts";
import type { ExcerptSource } from "../excerpts/merge.ts";
import type { LineRange } from "../edit/lines.ts";
import type { Match } from "../edit/passes.ts";
import type { OutlineEntry, Workspace } from "../files/workspace.ts";
import type { Search } from "../search/search.ts";

/** What a handler may use. Its workspace accepts only the paths in parameters that `needs` names. */
export interface ActionContext {
  readonly workspace: Workspace;
  readonly search: Search;
  /** How to compare a text to replace with the file: the setting `edits.match`. */
  readonly match: Match;
  /**
   * Returns the lines that a range named at the start of the run or, with `base`, in the version of the file with that
   * tag. Throws `lines/moved` if they have changed since or, without a known `base`, have moved.
   */
  readonly checkLines: (path: string, range: LineRange, base?: string) => LineRange;
  /** Texts that files had before an action of this run replaced them as a whole, by path. */
  readonly replacedTexts: Map<string, string>;
  /** The project's context set. It checks the guard itself. */
  readonly context: ContextSet;
  /** Runs commands in a sandbox and brings their changes into the run. */
  readonly programs: Programs;
  /** Returns the addressable parts of a file or part in file order, down to a number of levels. */
  readonly outline: (path: string, levels: number) => Promise<OutlineEntry[]>;
  /** Returns what its grammar tells of versions of a file, if the action `parses` it. */
  readonly source: (path: string) => ExcerptSource;
  /** Whether a text for a whole file may also be an excerpt: somebody agreed to it, or the settings do. */
  readonly mayMerge: boolean;
}

/** Runs commands for actions. All paths are as written in the block. */
export interface Programs {
  /** Runs code in one of the languages. */
  exec(request: CodeRequest): Promise<Outcome<CommandData>>;
  /** Runs commands without a shell, given as words, up to the first that fails. */
  runEach(commands: ReadonlyArray<readonly string[]>, dir: string | undefined): Promise<Outcome<CommandData>>;
}

export interface ExecSettings {
  readonly languages: readonly ScriptLanguage[];
  readonly network: boolean;
  readonly sandbox: "required" | "auto" | "off";
  /** Milliseconds. */
  readonly timeout: number;
}

export interface CodeRequest {
  readonly code: string;
  readonly lang: ScriptLanguage;
  readonly version?: string | undefined;
  readonly cwd?: string | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
}

/**
 * A piece of a report section. All but `facts` is foreign text, shown so that it cannot pass for the report's own
 * words.
 * - `text`: verbatim, with an optional title (`stdout`)
 * - `entries`: one line each, whatever characters a name contains
 * - `facts`: like `entries`, but the lines start with words of the report
 * - `file`: between START and END marks
 */
export type ShownResult =
  | { readonly text: string; readonly title?: string }
  | { readonly entries: readonly string[] }
  | { readonly facts: readonly string[] }
  | { readonly file: string; readonly content: string; readonly base?: string };

/**
 * The complete definition of an action. Validation, guard, dry run, documents, JSON Schema, instructions for the model
 * and report lines read it. Nothing else in Loaf knows an action by name.
 */
export interface ActionDefinition<Shape extends z.core.$ZodLooseShape = z.core.$ZodLooseShape, Data = unknown> {
  /** As blocks spell it, e.g. `file_write`. */
  readonly name: string;
  /** One sentence for both people and models. */
  readonly summary: string;
  /**
   * The summary under a project's settings. Undefined if they allow none of it; then models are not taught the action.
   */
  readonly summaryUnder?: (exec: ExecSettings) => string | undefined;
  /** More that a model must know to use it correctly, one sentence each. */
  readonly notes?: readonly string[];
  /** A paragraph for `docs/actions.md` only: the instructions for models are short. */
  readonly details?: string;
  readonly params: z.ZodMiniObject<Shape>;
  /**
   * Set if only blocks translated from another syntax can use it. Documents do not list it, and no text can name it.
   */
  readonly isInternal?: true;
  /** Set if it shows or changes the context set itself. Such actions do not count as using the files in it. */
  readonly ofContext?: "shows" | "changes";
  /** The parameter with the file that it replaces as a whole, for an action that a model may not have meant so. */
  readonly replaces?: keyof Shape & string;
  /** The parameter that is set once somebody agreed to lose what the new text of that file lacks. */
  readonly agreed?: keyof Shape & string;
  /** What the guard must grant for the paths in a parameter. */
  readonly needs: { readonly [Parameter in keyof Shape]?: readonly Access[] };
  /** The parameter with the program to run. It is shown in full before approval, and never approved in advance. */
  readonly runs?: keyof Shape & string;
  /**
   * Whether it deletes something or replaces one file by another, which is never approved in advance. A function
   * decides by the result.
   */
  readonly destroys?: true | ((data: Data) => boolean);
  /** Words for a summary of the run, e.g. `write 3 files`. Omitted if it changes nothing. */
  readonly effect?: { readonly verb: string; readonly of: "file" | "directory" };
  /**
   * Returns what the edit leaves, from which a later run sees that it was made before. Absent if that cannot be seen:
   * then it is made again.
   */
  leaves?(params: z.output<z.ZodMiniObject<Shape>>): readonly Trace[];
  /** Returns the file whose grammar it needs: grammars are loaded before it runs. */
  parses?(params: z.output<z.ZodMiniObject<Shape>>): string | undefined;
  /** The parameter with the files that it shows. The report adds their tags. */
  readonly reads?: keyof Shape & string;
  /** What a report line names beside the action: a parameter, or text made from them. */
  readonly subject: (keyof Shape & string) | ((params: z.output<z.ZodMiniObject<Shape>>) => string);
  /** The same for the title of its own section, if different. */
  readonly heading?: string;
  /** A count for its report line, e.g. `3 replacements`. */
  readonly tally?: (data: Data) => string;
  /**
   * What the full report shows. `file`: the file in `path` as it is at the end of the run. `file-on-miss`: the same,
   * but only if the text to replace was missing or not unique. Otherwise the pieces of its own section.
   */
  readonly show:
    | "never"
    | "file"
    | "file-on-miss"
    | ((data: Data, params: z.output<z.ZodMiniObject<Shape>>) => readonly ShownResult[]);
  /** The changed paths, if the parameters alone do not tell. Also called for failed actions. */
  readonly changed?: (data: Data) => readonly string[];
  /** An example block for documents and models. The tests run every one. `/project` is the root. */
  readonly example: Readonly<Record<string, string>>;
  run(params: z.output<z.ZodMiniObject<Shape>>, context: ActionContext): Outcome<Data> | Promise<Outcome<Data>>;
}

/** A definition with erased parameter types, so that a list can hold it. */
export interface AnyAction extends Omit<
  ActionDefinition,
  "needs" | "subject" | "show" | "destroys" | "changed" | "tally" | "leaves" | "run"
> {
  readonly needs: Readonly<Record<string, readonly Access[] | undefined>>;
  readonly subject: string | ((params: never) => string);
  readonly show: "never" | "file" | "file-on-miss" | ((data: never, params: never) => readonly ShownResult[]);
  readonly destroys?: true | ((data: never) => boolean);
  readonly changed?: (data: never) => readonly string[];
  readonly tally?: (data: never) => string;
  leaves?(params: never): readonly Trace[];
  run(params: never, context: ActionContext): Outcome | Promise<Outcome>;
}

/** Infers the parameters of `run`, and rejects misspelt keys in `needs` or `subject` at compile time. */
export function defineAction<Shape extends z.core.$ZodLooseShape, Data>(
  definition: ActionDefinition<Shape, Data>,
): ActionDefinition<Shape, Data> {
  return definition;
}

/** What the definitions of internal actions that write a whole file have in common. */
export const writesFile = {
  isInternal: true,
  needs: { path: ["write"] },
  effect: { verb: "write", of: "file" },
  subject: "path",
  show: "never",
} as const;

/** Warns if a replacement succeeds without an effect. The model has probably quoted the wrong one of two texts. */
export function warnOfNoChange(oldText: string, newText: string): Pick<Outcome, "warnings"> {
  return oldText === newText ? { warnings: ["nothing changed: new_text is old_text"] } : {};
}

export function countReplacements(count: number): string {
  return count === 1 ? "1 replacement" : `${count} replacements`;
}

/**
 * What an edit leaves in the project, as data: by it a later run recognises that the effect of an edit is there. Paths
 * are absolute, and may carry an address.
 */
export type Trace =
  /** The file has this text. `isLoose`: whatever its line endings and final newlines. */
  | { readonly kind: "content"; readonly path: string; readonly text: string; readonly isLoose?: true }
  /** The file ends with this text. */
  | { readonly kind: "end"; readonly path: string; readonly text: string }
  /** `newText` is where `oldText` was. */
  | {
      readonly kind: "replaced";
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
      /** Set if `oldText` is only the beginning of what was replaced, or was replaced everywhere. */
      readonly isOneWay?: true;
    }
  /** `text` has replaced so many lines, from the 1-based line `first` on. */
  | {
      readonly kind: "lines";
      readonly path: string;
      readonly first: number;
      readonly replaced: number;
      readonly text: string;
    }
  /** Nothing is there. */
  | { readonly kind: "gone"; readonly path: string }
  /** What was at `from` is at `path`. */
  | { readonly kind: "moved"; readonly from: string; readonly path: string };

import type * as z from "zod/mini";
import type { ContextSet } from "../context/context-set.ts";
import type { CommandData, Language } from "../core/command.ts";
import type { Access } from "../core/failure.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Search } from "../search/search.ts";
import type { LineRange } from "../edit/lines.ts";
import type { Match } from "../edit/passes.ts";
import type { OutlineEntry, Workspace } from "../files/workspace.ts";

/** What a handler may use. Its workspace reaches only the parameters that the definition's `needs` name. */
export interface ActionContext {
  readonly workspace: Workspace;
  readonly search: Search;
  /** How a text that is to be replaced is compared with the file: the setting `edits.match`. */
  readonly match: Match;
  /** Throws `lines/moved` where an earlier action of this run has moved or changed these lines of a file. */
  readonly checkLines: (path: string, range: LineRange) => void;
  /** What is kept in view for the project. It asks the guard by itself. */
  readonly context: ContextSet;
  /** Commands, in a sandbox, with what they change brought into the run. */
  readonly programs: Programs;
  /** The parts of a file that have addresses, or of a part, in the order of the file, down to so many levels. */
  readonly outline: (path: string, levels: number) => Promise<OutlineEntry[]>;
}

/** What runs commands for the actions. All paths are as the block wrote them. */
export interface Programs {
  /** Code in one of the languages. */
  exec(request: CodeRequest): Promise<Outcome<CommandData>>;
  /** Commands without a shell, each as its words, up to the first that fails. */
  runEach(commands: ReadonlyArray<readonly string[]>, dir: string | undefined): Promise<Outcome<CommandData>>;
}

/** What the settings allow commands. */
export interface ExecSettings {
  readonly languages: readonly Language[];
  readonly network: boolean;
  readonly sandbox: "required" | "auto" | "off";
  /** Milliseconds. */
  readonly timeout: number;
}

export interface CodeRequest {
  readonly code: string;
  readonly lang: Language;
  readonly version?: string | undefined;
  readonly cwd?: string | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
}

/**
 * A piece of a report's section. All but `facts` is foreign, and shown so that none of it can pass for the report's own words.
 * - `text`: as it is, below a title (`stdout`) where it has one
 * - `entries`: one line each, whatever a name in them holds
 * - `facts`: the same for lines that begin with words of the report's own
 * - `file`: between START and END marks
 */
export type Shown =
  | { readonly text: string; readonly title?: string }
  | { readonly entries: readonly string[] }
  | { readonly facts: readonly string[] }
  | { readonly file: string; readonly content: string };

/**
 * One action, whole. Validation, guard, dry run, documents, JSON Schema, instructions for the model and report lines
 * are read from it; nothing else in Loaf knows an action by name.
 */
export interface ActionDefinition<Shape extends z.core.$ZodLooseShape = z.core.$ZodLooseShape, Data = unknown> {
  /** On the wire: `file_write`. */
  readonly name: string;
  /** One sentence for people and models alike. */
  readonly summary: string;
  /** The summary as a project's settings make it; undefined where they allow none of it, and a model is not taught it. */
  readonly summaryUnder?: (exec: ExecSettings) => string | undefined;
  /** More that a model has to know to use it right; one sentence each. */
  readonly notes?: readonly string[];
  readonly params: z.ZodMiniObject<Shape>;
  /** There where only blocks that were translated from another syntax can ask for it: documents do not list it, and no text can name it. */
  readonly isInternal?: true;
  /** It shows or changes the paths kept in view: no use of what is in them. */
  readonly isOfContext?: true;
  /** What the guard must grant for the paths in a parameter. */
  readonly needs: { readonly [Parameter in keyof Shape]?: readonly Access[] };
  /** The parameter that holds what it runs, where it runs a program: that is shown whole before, and never agreed to in advance. */
  readonly runs?: keyof Shape & string;
  /** Whether it deletes something, or replaces a file by another one: that is never agreed to in advance. By what it came to where that decides. */
  readonly destroys?: true | ((data: Data) => boolean);
  /** What it does to what, in a line about a whole run: `write 3 files`. None where it changes nothing. */
  readonly effect?: { readonly verb: string; readonly of: "file" | "directory" };
  /** What a report line names beside the action: a parameter, or made from them. */
  readonly subject: (keyof Shape & string) | ((params: z.output<z.ZodMiniObject<Shape>>) => string);
  /** The same for the title of a section of its own, where that differs. */
  readonly heading?: string;
  /** How much it did, for its report line: `3 replacements`. */
  readonly tally?: (data: Data) => string;
  /**
   * What the full report shows of it. `file`: the file in `path` as it is at the end of the run; `file-on-miss`: the same,
   * where the text to be replaced was not found or not unique. Otherwise the pieces of a section of its own.
   */
  readonly show: "never" | "file" | "file-on-miss" | ((data: Data, params: z.output<z.ZodMiniObject<Shape>>) => readonly Shown[]);
  /** The paths that it has changed, where its parameters alone do not tell; also of one that failed. */
  readonly changed?: (data: Data) => readonly string[];
  /** A block for the documents and the model; every one is run by the tests. `/project` stands for the root. */
  readonly example: Readonly<Record<string, string>>;
  run(params: z.output<z.ZodMiniObject<Shape>>, context: ActionContext): Outcome<Data> | Promise<Outcome<Data>>;
}

/** A definition with its parameter types erased, as the list holds it. */
export interface AnyAction extends Omit<ActionDefinition, "needs" | "subject" | "show" | "destroys" | "changed" | "tally" | "run"> {
  readonly needs: Readonly<Record<string, readonly Access[] | undefined>>;
  readonly subject: string | ((params: never) => string);
  readonly show: "never" | "file" | "file-on-miss" | ((data: never, params: never) => readonly Shown[]);
  readonly destroys?: true | ((data: never) => boolean);
  readonly changed?: (data: never) => readonly string[];
  readonly tally?: (data: never) => string;
  run(params: never, context: ActionContext): Outcome | Promise<Outcome>;
}

/** Types an action's definition: parameters infer into `run`, a misspelt key in `needs` or `subject` does not compile. */
export function defineAction<Shape extends z.core.$ZodLooseShape, Data>(definition: ActionDefinition<Shape, Data>): ActionDefinition<Shape, Data> {
  return definition;
}

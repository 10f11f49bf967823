/** What the page's server needs of the program that starts it. */
import type { AnswerItem, Approve, Loaf } from "../../index.ts";

/** Decides for the user, on the page. */
export interface Asker {
  readonly approve: Approve;
  /** Shows a text and asks a question. */
  confirm(text: string, question: string): Promise<boolean>;
}

export interface OpenOptions {
  /** Whether commands of the answer may run. */
  readonly commands: boolean;
  /** Absent if nobody is asked, as for a preview. */
  readonly asker?: Asker;
}

export interface Environment {
  /** Canonical. */
  readonly root: string;
  readonly branch: string | undefined;
  /** Opens the project with its current configuration. Throws if that is invalid. */
  open(options: OpenOptions): Promise<Loaf>;
  /** Puts a text on the system's clipboard. Returns false if no program can. */
  copy(text: string): Promise<boolean>;
  /** Returns when an answer with all of these items ran. */
  whenRan(items: readonly AnswerItem[]): Date | undefined;
  remember(items: readonly AnswerItem[]): void;
  /** Writes a report where the user finds it without a clipboard. */
  keep(report: string, loaf: Loaf): void;
  /** Returns the files of the context set for the chat, in parts of at most so many tokens. */
  contextParts(loaf: Loaf, tokens: number | undefined): Promise<readonly string[]>;
  /** Returns the instructions for a new chat. */
  instructions(loaf: Loaf): string;
}

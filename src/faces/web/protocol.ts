/** What the server sends to the page. What the page asks for is in requests.ts; neither imports more of the other. */

/** A range of UTF-16 units in a line, with its class: a changed word, or a kind of token. */
export type Mark = readonly [start: number, end: number, kind: string];

export interface DiffLine {
  readonly sign: " " | "-" | "+";
  /** 1-based line of the file before the change. Absent for an added line. */
  readonly old?: number | undefined;
  /** After the change. Absent for a removed line. */
  readonly new?: number | undefined;
  /** Hidden characters are shown as escapes. */
  readonly text: string;
  /** The words that differ from the other side, sorted. */
  readonly words?: readonly Mark[];
  /** What the grammar says, sorted. */
  readonly tokens?: readonly Mark[];
}

export interface HunkView {
  /** Names it in a choice. Absent if only the whole item can be chosen. */
  readonly id?: string | undefined;
  /** The declaration that it is in, as `git diff` shows it behind @@: `Cart › total`. */
  readonly within?: string | undefined;
  /** With the lines around it. */
  readonly lines: readonly DiffLine[];
  /** Unchanged lines before it that are not shown, and the first of them. */
  readonly fold?: { readonly lines: number; readonly old: number; readonly new: number } | undefined;
}

export interface FileView {
  /** Relative to the root. */
  readonly path: string;
  readonly movedFrom?: string | undefined;
  readonly kind: "new" | "changed" | "deleted" | "moved" | "folder" | "link";
  readonly hunks: readonly HunkView[];
  /** Unchanged lines after the last hunk, as in `HunkView`. */
  readonly fold?: HunkView["fold"];
  /** Why its lines are not shown. */
  readonly unseen?: string | undefined;
}

export interface CommandView {
  readonly code: string;
  readonly lang: string;
  readonly cwd?: string | undefined;
}

/** What a command wrote, where it was tried. */
export interface TriedView {
  readonly stdout: string;
  readonly stderr: string;
  readonly files: readonly FileView[];
  /** Why it did not run. */
  readonly error?: string | undefined;
}

export interface ProblemView {
  readonly sentence: string;
  readonly hint?: string | undefined;
  /** What the answer looks for, beside the closest place in the file. Without one, the first lines of its text. */
  readonly sought?: readonly DiffLine[];
  readonly closest?: { readonly path: string; readonly lines: readonly DiffLine[] };
}

export interface ItemView {
  /** In the answer, as `execute` takes it in `only`. */
  readonly position: number;
  /** Of the block. The second one with the same ID is `k7m#2`. */
  readonly label: string;
  /** 1-based line of the answer. 0 if unknown. */
  readonly line: number;
  readonly action: string;
  /** What the list names: a file, or the first line of a command. */
  readonly subject: string;
  /** What it does: `edit`, or `login replaced (lines 4-7)`. May be empty. */
  readonly does: string;
  readonly kind: "edit" | "command" | "other";
  readonly files: readonly FileView[];
  readonly command?: CommandView | undefined;
  /** Why it will not be made. */
  readonly problem?: ProblemView | undefined;
  readonly remarks: readonly string[];
  /** The earlier run that made it. */
  readonly appliedIn?: number | undefined;
  readonly tags: ReadonlyArray<"deletes" | "secret">;
}

/** Something of the answer that is not run. */
export interface UnreadView {
  readonly line: number;
  readonly message: string;
  readonly request?: string | undefined;
  /** Lines of code fences that a path would turn into files. */
  readonly fences?: readonly number[] | undefined;
}

export interface AnswerView {
  /** Names this answer in further requests. */
  readonly key: string;
  /** The first sentence of its prose, or a fallback. */
  readonly title: string;
  readonly source: string;
  /** In milliseconds since 1970. */
  readonly arrived: number;
  readonly readAs?: string | undefined;
  readonly items: readonly ItemView[];
  readonly unread: readonly UnreadView[];
  /** When the same answer ran before: ISO 8601. */
  readonly ranAt?: string | undefined;
  /** Changes with everything that the items show. Has to be sent with a run. */
  readonly digest: string;
  /** Why nothing of it can run. */
  readonly refusal?: string | undefined;
}

export interface ReportView {
  /** For the chat, with what was left out and the comments. */
  readonly text: string;
  readonly tokens: number;
  readonly isCopied: boolean;
  /** `3 files, +14 −3 · 1 refused · committed 6676f05` */
  readonly summary: string;
  /** Everything that the user took was made. */
  readonly success: boolean;
  readonly run?: number | undefined;
  readonly rows: ReadonlyArray<{ readonly label: string; readonly mark: string; readonly text: string }>;
}

/** A question of a run to the user. */
export interface Question {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly files: readonly FileView[];
  readonly answers: ReadonlyArray<{ readonly value: string; readonly label: string; readonly means: string }>;
}

/** What happens in a run. Sent again, in order, to a tab that opens during the run or after it. */
export type RunEvent =
  /** `since` is in milliseconds since 1970: both sides have the same clock. */
  | { readonly kind: "running"; readonly since: number }
  | { readonly kind: "stopping" }
  | { readonly kind: "started"; readonly label: string }
  | { readonly kind: "output"; readonly line: string }
  | { readonly kind: "ended"; readonly label: string; readonly mark: string }
  | { readonly kind: "ask"; readonly question: Question }
  /** The answer would do something else than the page shows, so nothing was run. */
  | { readonly kind: "changed"; readonly answer: AnswerView }
  | { readonly kind: "refused"; readonly sentence: string }
  | { readonly kind: "done"; readonly report: ReportView };

/** Lines of the answer that stays open as long as the tab. */
export type TabEvent =
  | RunEvent
  | { readonly kind: "hello"; readonly project: ProjectSummary }
  | { readonly kind: "answer"; readonly answer: AnswerView }
  | { readonly kind: "replaced" }
  | { readonly kind: "ping" };

export interface ProjectSummary {
  readonly name: string;
  readonly branch?: string | undefined;
  readonly input: string;
}

export interface PastRunView {
  readonly run: number;
  readonly started: string;
  readonly summary: string;
  readonly state: string;
  readonly commit?: string | undefined;
  readonly added?: number;
  readonly removed?: number;
  readonly answer?: string | undefined;
  readonly isStep: boolean;
}

/** What an undo or a redo would do, or did. */
export interface ReversalView {
  readonly isDone: boolean;
  /** `Run 12 is undone: 3 files` */
  readonly sentence: string;
  readonly restored: ReadonlyArray<{ readonly path: string; readonly how: string }>;
  readonly refused: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
  readonly notices: readonly string[];
}

export interface FileEntry {
  /** Relative to the root. */
  readonly path: string;
  readonly tokens: number;
}

/** A text for the chat, in parts. */
export interface PartsView {
  readonly parts: ReadonlyArray<{ readonly text: string; readonly tokens: number }>;
  /** Whether the first one is on the clipboard. */
  readonly isCopied: boolean;
}

export interface OutlinePart {
  readonly address: string;
  readonly kind: string;
  readonly line: number;
}

export interface FilesView {
  readonly files: readonly FileEntry[];
  /** Entries of the context set. */
  readonly ticked: readonly string[];
  /** The budget of a report. */
  readonly limit: number;
}

/** What the page shows, and what happens to it. */
import type {
  AnswerView,
  FileView,
  ItemView,
  PartsView,
  ProjectSummary,
  Question,
  ReportView,
  TabEvent,
} from "../protocol.ts";
import type { Choice, Comment } from "../requests.ts";
import { ask, type Lost } from "./connection.ts";

export type Tab = "review" | "history" | "files";

export interface Running {
  readonly since: number;
  readonly label: string;
  /** The last line of output. */
  readonly line: string;
  readonly isStopping: boolean;
}

/** A line on which a comment is being written. */
export type Composing = Omit<Comment, "text">;

export interface PageState {
  readonly tab: Tab;
  readonly project?: ProjectSummary;
  /** Absent while there is a connection. */
  readonly lost?: Lost | "retrying" | undefined;
  readonly answer?: AnswerView;
  /** What is taken of each item. */
  readonly choice: Choice;
  readonly comments: readonly Comment[];
  readonly composing?: Composing | undefined;
  readonly again: boolean;
  readonly running?: Running | undefined;
  readonly marks: Readonly<Record<string, string>>;
  readonly question?: Question | undefined;
  readonly report?: ReportView | undefined;
  readonly notice: string;
  readonly isSplit: boolean;
  readonly isHelpOpen: boolean;
  readonly isPasting: boolean;
  /** Whether the browser lets the page read the clipboard. */
  readonly clipboard: "granted" | "prompt" | "denied";
}

const NOTHING_CHOSEN = {
  choice: {},
  comments: [],
  composing: undefined,
  report: undefined,
  question: undefined,
  marks: {},
  again: false,
} as const satisfies Partial<PageState>;

let state: PageState = {
  tab: "review",
  ...NOTHING_CHOSEN,
  notice: "",
  isSplit: false,
  isHelpOpen: false,
  isPasting: false,
  clipboard: "denied",
};
let changed: () => void = () => {};

export function current(): PageState {
  return state;
}

export function onChange(act: () => void): void {
  changed = act;
}

export function set(part: Partial<PageState>): void {
  state = { ...state, ...part };
  if (part.choice || part.comments || part.again !== undefined) keepChoice();
  changed();
}

let noticeTimer = 0;

/** Shows a sentence for some seconds. */
export function say(notice: string): void {
  clearTimeout(noticeTimer);
  noticeTimer = window.setTimeout(() => set({ notice: "" }), Math.max(5_000, notice.length * 80));
  set({ notice });
}

/** Calls a function. If it fails, shows the message of the error and returns undefined. */
export async function trying<Value>(act: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await act();
  } catch (thrown) {
    say(thrown instanceof Error ? thrown.message : String(thrown));
    return undefined;
  }
}

export function show(answer: AnswerView): void {
  if (answer.key === state.answer?.key) return set({ answer });
  const choice = allOf(answer, "all");
  const shown = { ...NOTHING_CHOSEN, choice, answer, tab: "review", isPasting: false } as const;
  set({ ...shown, ...keptChoice(answer) });
  scrollTo(0, 0);
}

/** Keeps what the user has chosen and said for a reload. */
function keepChoice(): void {
  const { answer, choice, comments, again } = state;
  keep("choice", JSON.stringify({ key: answer?.key, choice, comments, again }));
}

function keptChoice(answer: AnswerView): Partial<PageState> {
  const { key, ...kept } = JSON.parse(sessionStorage.getItem("choice") ?? "{}");
  return key === answer.key ? kept : {};
}

/** Keeps a text for a reload of this tab. */
function keep(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // It is larger than the browser allows.
    sessionStorage.removeItem(name);
  }
}

/** The last text that was taken from the clipboard, or put there. */
let seen = sessionStorage.getItem("seen") ?? "";

function noteSeen(text: string): void {
  keep("seen", (seen = text));
}

export async function take(text: string, isAsked: boolean): Promise<void> {
  if (text.trim() === "" || (!isAsked && text === seen) || state.running) return;
  seen = text;
  const answer = await trying(() => ask("take", { text }));
  // One that did not reach the server is taken at the next focus.
  if (answer !== undefined) noteSeen(text);
  else if (seen === text) seen = "";
  if (answer) show(answer);
  else if (answer === null && isAsked) say("This text holds no answer with changes");
}

/** Whether an item is taken, at least in part; or whether one of its hunks is. */
export function takes({ position }: ItemView, hunk?: string): boolean {
  const part = state.choice[position] ?? [];
  return part === "all" || (hunk === undefined ? part.length > 0 : part.includes(hunk));
}

function allOf({ items }: AnswerView, part: Choice[string]): Choice {
  return Object.fromEntries(items.map(({ position }) => [position, part]));
}

export function idsOf(item: ItemView): string[] {
  return item.files.flatMap(({ hunks }) => hunks.flatMap(({ id }) => id ?? []));
}

/** Returns the files of an item with the hunks that are taken. */
export function takenFiles(item: ItemView): FileView[] {
  return item.files.map((file) => ({ ...file, hunks: file.hunks.filter(({ id }) => takes(item, id)) }));
}

/** Whether the choice counts no more. */
export function isFixed(): boolean {
  return state.report !== undefined || state.running !== undefined;
}

/** Names the answer that is shown. */
export function keyOfAnswer(): string {
  return state.answer?.key ?? "";
}

/** Takes an item, or leaves it out. */
export function toggleItem(item: ItemView): void {
  choose({ [item.position]: takes(item) ? [] : "all" });
}

/** Takes a hunk, or leaves it out. Without any, the item is left out. */
export function toggleHunk(item: ItemView, toggled: string): void {
  const ids = idsOf(item);
  const taken = ids.filter((id) => takes(item, id) !== (id === toggled));
  choose({ [item.position]: taken.length === ids.length ? "all" : taken });
}

/** Leaves everything out, or takes it again. */
export function refuseAll(): void {
  const { answer } = state;
  if (answer) choose(allOf(answer, answer.items.some((item) => takes(item)) ? [] : "all"));
}

function choose(part: Choice): void {
  if (isFixed()) return;
  set({ choice: { ...state.choice, ...part } });
  previews = previews.then(preview);
}

let previews: Promise<void> = Promise.resolve();
/** The choice that was previewed last. */
let previewed: Choice = {};

/** Shows what the choice means for the other items. */
async function preview(): Promise<void> {
  const { answer, choice } = state;
  if (!answer || choice === previewed) return;
  previewed = choice;
  const view = await trying(() => ask("preview", { key: answer.key, choice }));
  if (view && state.answer?.key === answer.key && state.choice === choice) set({ answer: view });
}

export async function startRun(): Promise<void> {
  await previews;
  const { answer, choice, again, comments } = state;
  if (!answer || isFixed() || answer.items.length === 0) return;
  const { key, digest } = answer;
  set({ running: { since: Date.now(), label: "", line: "", isStopping: false }, composing: undefined });
  const body = { key, digest, choice, comments, again };
  if ((await trying(() => ask("run", body))) === undefined) set({ running: undefined });
}

export function onEvent(event: TabEvent): void {
  const { running } = state;
  if (state.lost === "retrying") set({ lost: undefined });
  if (event.kind === "hello") {
    set({ project: event.project, running: undefined, question: undefined, marks: {} });
    void onFocus();
  } else if (event.kind === "answer") show(event.answer);
  else if (event.kind === "running")
    set({ running: { since: event.since, label: "", line: "", isStopping: false }, marks: {} });
  else if (event.kind === "stopping" && running) set({ running: { ...running, isStopping: true } });
  else if (event.kind === "started" && running) set({ running: { ...running, label: event.label, line: "" } });
  else if (event.kind === "output" && running) set({ running: { ...running, line: event.line } });
  else if (event.kind === "ended") set({ marks: { ...state.marks, [event.label]: event.mark } });
  else if (event.kind === "ask") set({ question: event.question });
  else if (event.kind === "refused") {
    set({ running: undefined, question: undefined });
    say(event.sentence);
  } else if (event.kind === "changed") {
    set({ running: undefined, answer: event.answer });
    say("The project has changed since this was shown, so nothing was run: look at it again");
  } else if (event.kind === "done") {
    const { report } = event;
    const isNew = report.text !== seen;
    noteSeen(report.text);
    set({ running: undefined, question: undefined, report });
    if (isNew && !report.isCopied) void copy(report.text);
  }
}

export function answerQuestion(value: string): void {
  const { question } = state;
  set({ question: undefined });
  if (question) void trying(() => ask("answer", { id: question.id, value }));
}

export function stop(): void {
  if (state.running) void trying(() => ask("stop", {}));
}

/** A text that the browser has refused to put on the clipboard. */
let uncopied: string | undefined;

async function copy(text: string): Promise<boolean> {
  noteSeen(text);
  try {
    await navigator.clipboard.writeText(text);
    uncopied = undefined;
    if (state.report?.text === text) set({ report: { ...state.report, isCopied: true } });
    return true;
  } catch {
    uncopied = text;
    return false;
  }
}

/** Puts the first part on the clipboard, unless the server has, and says so in a sentence. */
export async function copyParts({ parts: [first], isCopied }: PartsView, sentence: string): Promise<void> {
  if (isCopied) say(sentence);
  else await copyAndSay(first?.text ?? "", sentence);
}

export async function copyAndSay(text: string, sentence = "Copied"): Promise<void> {
  say((await copy(text)) ? sentence : "The clipboard could not be reached");
}

/** Called when the page gets the focus: puts a refused text on the clipboard, or reads a new answer from it. */
export async function onFocus(): Promise<void> {
  if (uncopied !== undefined) await copy(uncopied);
  else if (state.clipboard === "granted" && document.hasFocus()) await takeClipboard(false);
}

export async function takeClipboard(isAsked: boolean): Promise<void> {
  const text = await navigator.clipboard.readText().catch(() => undefined);
  if (text !== undefined) await take(text, isAsked);
  else if (isAsked) set({ isPasting: true });
}

export function comment(text: string): void {
  const { composing, comments } = state;
  if (!composing) return;
  const others = comments.filter((comment) => !isSamePlace(comment, composing));
  set({
    composing: undefined,
    comments: text.trim() === "" ? others : [...others, { ...composing, text: text.trim() }],
  });
}

export function isSamePlace(comment: Composing, place: Composing): boolean {
  return (["position", "path", "line", "side"] as const).every((name) => comment[name] === place[name]);
}

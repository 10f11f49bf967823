/** What the page shows, and what happens to it. */
import type { AnswerView, ItemView, ProjectView, Question, ReportView, TabEvent } from "../protocol.ts";
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

export interface State {
  readonly tab: Tab;
  readonly project?: ProjectView;
  /** Absent while there is a connection. */
  readonly lost?: Lost | "retrying" | undefined;
  readonly answer?: AnswerView;
  readonly arrived: number;
  readonly off: ReadonlySet<number>;
  readonly hunksOff: ReadonlySet<string>;
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
  off: new Set<number>(),
  hunksOff: new Set<string>(),
  comments: [],
  composing: undefined,
  report: undefined,
  question: undefined,
  marks: {},
  again: false,
} as const satisfies Partial<State>;

let state: State = {
  tab: "review",
  arrived: 0,
  ...NOTHING_CHOSEN,
  notice: "",
  isSplit: false,
  isHelpOpen: false,
  isPasting: false,
  clipboard: "denied",
};
let changed: () => void = () => {};

export function current(): State {
  return state;
}

export function onChange(act: () => void): void {
  changed = act;
}

export function set(part: Partial<State>): void {
  state = { ...state, ...part };
  if (part.off || part.hunksOff || part.comments || part.again !== undefined) keepChoice();
  changed();
}

let noticeTimer = 0;

/** Says a sentence for a while. */
export function say(notice: string): void {
  clearTimeout(noticeTimer);
  noticeTimer = window.setTimeout(() => set({ notice: "" }), Math.max(5_000, notice.length * 80));
  set({ notice });
}

/** Does something, and says why it failed. */
export async function trying<Value>(act: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await act();
  } catch (thrown) {
    say(thrown instanceof Error ? thrown.message : String(thrown));
    return undefined;
  }
}

export function show(answer: AnswerView): void {
  const isSame = answer.key === state.answer?.key;
  if (isSame) return set({ answer });
  set({ ...NOTHING_CHOSEN, answer, arrived: Date.now(), tab: "review", isPasting: false, ...keptChoice(answer) });
  scrollTo(0, 0);
}

/** Keeps what the user has chosen and said for a reload. */
function keepChoice(): void {
  const { answer, off, hunksOff, comments, again } = state;
  keep("choice", JSON.stringify({ key: answer?.key, off: [...off], hunksOff: [...hunksOff], comments, again }));
}

function keptChoice({ key }: AnswerView): Partial<State> {
  const kept = JSON.parse(sessionStorage.getItem("choice") ?? "{}");
  if (kept.key !== key) return {};
  const { off, hunksOff, comments, again } = kept;
  return { off: new Set(off), hunksOff: new Set(hunksOff), comments, again };
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

export async function take(text: string, source: string, isAsked: boolean): Promise<void> {
  if (text.trim() === "" || (!isAsked && text === seen) || state.running) return;
  noteSeen(text);
  const answer = await trying(() => ask("take", { text, source }));
  if (answer) show(answer);
  else if (answer === null && isAsked) say("This text holds no answer with changes");
}

export function hunkKey(position: number, id: string): string {
  return `${position} ${id}`;
}

export function choice(): Choice {
  const { answer, off, hunksOff } = state;
  const partOf = (item: ItemView): Choice[string] => {
    if (off.has(item.position)) return [];
    const ids = idsOf(item);
    const taken = ids.filter((id) => !hunksOff.has(hunkKey(item.position, id)));
    return taken.length === ids.length ? "all" : taken;
  };
  return Object.fromEntries((answer?.items ?? []).map((item) => [item.position, partOf(item)]));
}

/** Takes over what a choice does. A hunk may have another ID now, so those that are not chosen are left out. */
function showPreview(answer: AnswerView, chosen: Choice): void {
  const hunksOff = answer.items.flatMap((item) => {
    const part = chosen[item.position] ?? [];
    const ids = part === "all" || part.length === 0 ? [] : idsOf(item).filter((id) => !part.includes(id));
    return ids.map((id) => hunkKey(item.position, id));
  });
  set({ answer, hunksOff: new Set(hunksOff) });
}

export function idsOf(item: ItemView): string[] {
  return item.files.flatMap(({ hunks }) => hunks.flatMap(({ id }) => id ?? []));
}

/** Takes an item, or leaves it out. */
export function toggleItem(item: ItemView): void {
  if (state.running || state.report) return;
  const off = new Set(state.off);
  const ids = idsOf(item).map((id) => hunkKey(item.position, id));
  const hunksOff = new Set([...state.hunksOff].filter((one) => !ids.includes(one)));
  if (!off.delete(item.position)) off.add(item.position);
  set({ off, hunksOff });
  previewSoon();
}

/** Takes a hunk, or leaves it out. The last one that is left out leaves out the item. */
export function toggleHunk(item: ItemView, id: string): void {
  if (state.running || state.report) return;
  const { position } = item;
  const ids = idsOf(item).map((one) => hunkKey(position, one));
  const off = new Set(state.off);
  const hunksOff = new Set(state.hunksOff);
  // Of an item that is left out, one hunk can be taken.
  if (off.delete(position)) for (const one of ids) hunksOff.add(one);
  const own = hunkKey(position, id);
  if (!hunksOff.delete(own)) hunksOff.add(own);
  if (ids.every((one) => hunksOff.has(one))) {
    off.add(position);
    for (const one of ids) hunksOff.delete(one);
  }
  set({ off, hunksOff });
  previewSoon();
}

export function refuseAll(): void {
  const { answer } = state;
  if (!answer || state.running || state.report) return;
  const isAll = answer.items.every(({ position }) => state.off.has(position));
  set({ off: new Set(isAll ? [] : answer.items.map(({ position }) => position)), hunksOff: new Set() });
  previewSoon();
}

let timer = 0;
let pending: Promise<void> = Promise.resolve();

/** Shows what the choice means for the other items, once the user pauses. */
function previewSoon(): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void previewNow(), 80);
}

function previewNow(): Promise<void> {
  clearTimeout(timer);
  timer = 0;
  pending = pending.then(preview);
  return pending;
}

async function preview(): Promise<void> {
  const { answer, off, hunksOff } = state;
  if (!answer) return;
  const chosen = choice();
  const view = await trying(() => ask("preview", { key: answer.key, choice: chosen }));
  const isCurrent = state.answer?.key === answer.key && state.off === off && state.hunksOff === hunksOff;
  if (view && isCurrent) showPreview(view, chosen);
}

export async function run(): Promise<void> {
  if (timer !== 0) previewNow();
  await pending;
  const { answer, running, report, again, comments } = state;
  if (!answer || running || report || answer.items.length === 0) return;
  const { key, digest } = answer;
  set({ running: { since: Date.now(), label: "", line: "", isStopping: false }, composing: undefined });
  const body = { key, digest, choice: choice(), comments, again };
  if ((await trying(() => ask("run", body))) === undefined) set({ running: undefined });
}

export function onEvent(event: TabEvent): void {
  const { running } = state;
  if (state.lost === "retrying") set({ lost: undefined });
  if (event.kind === "hello") set({ project: event.project, running: undefined, question: undefined, marks: {} });
  else if (event.kind === "answer") show(event.answer);
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
    set({ running: undefined });
    showPreview(event.answer, choice());
    say("The project has changed since this was shown, so nothing was run: look at it again");
  } else if (event.kind === "done") {
    const { report } = event;
    const isNew = report.text !== seen;
    noteSeen(report.text);
    set({ running: undefined, question: undefined, report });
    if (isNew) scrollTo(0, 0);
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

/** A text that the browser let nobody put on the clipboard yet. */
let uncopied: string | undefined;

export async function copy(text: string): Promise<boolean> {
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

/** The server has put the first part there, or the browser does now. */
export async function isOnClipboard({
  parts: [first],
  isCopied,
}: {
  parts: ReadonlyArray<{ text: string }>;
  isCopied: boolean;
}): Promise<boolean> {
  return isCopied || (first !== undefined && (await copy(first.text)));
}

/** What the page does whenever the user comes to it. */
export async function onFocus(): Promise<void> {
  if (uncopied !== undefined) await copy(uncopied);
  else if (state.clipboard === "granted" && document.hasFocus()) await readClipboard(false);
}

export async function readClipboard(isAsked: boolean): Promise<void> {
  const text = await navigator.clipboard.readText().catch(() => undefined);
  if (text !== undefined) await take(text, "clipboard", isAsked);
  else if (isAsked) set({ isPasting: true });
}

export function comment(text: string): void {
  const { composing, comments } = state;
  if (!composing) return;
  const others = comments.filter((one) => !isSamePlace(one, composing));
  set({
    composing: undefined,
    comments: text.trim() === "" ? others : [...others, { ...composing, text: text.trim() }],
  });
}

export function isSamePlace(one: Composing, other: Composing): boolean {
  return (
    one.position === other.position && one.path === other.path && one.line === other.line && one.side === other.side
  );
}

export const NOT_COPIED = "The clipboard could not be reached";

/** What a person sees of a run at a terminal: pure functions from the run's events to lines. */
import { styleText } from "node:util";
import { actionByName } from "../actions/index.ts";
import type { CommandData } from "../core/command.ts";
import type { Finding } from "../core/finding.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import type { ActionResult, ExecutionResult } from "../core/outcome.ts";
import type { LineCounts, Progress, Starting } from "../core/progress.ts";
import { afterReturns, namedFew, visibleOnOneLine } from "../core/visible.ts";
import { cellsOf, cutPath, cutToCells, wrapToCells } from "./cells.ts";
import { nameWithin } from "./diff.ts";
import { entriesOf, type Entry, EntryList, type Executed, subjectOf } from "./entries.ts";
import { countsText, type Ending, outcomeOf, type Paint } from "./outcome.ts";
import { checkLines, hookLines } from "./sections.ts";

export interface Screen {
  /** Paths below it are shown relative to it. */
  readonly root: string;
  readonly color: boolean;
  /** Cells of a line. */
  readonly width: number;
}

/**
 * Lists a run as it happens.
 *
 *     ✅ k7m file_write src/app.ts  +12 −3
 *     ❌ fs1 file_replace_text src/cart.ts
 *        old_text not found in file
 *        closest is line 4 …
 */
export class RunView {
  readonly #screen: () => Screen;
  readonly #now: () => number;
  readonly #entries = new EntryList();
  readonly #labels = new Map<number, string>();
  /** Remarks on the actions that are listed. */
  readonly #told = new Map<number, readonly string[]>();
  #running: Named | undefined;
  #since: number;
  #hasStarted = false;
  readonly #output = new LastLine();

  /**
   * @param screen called for each line, since a window may change
   * @param now milliseconds
   */
  constructor(screen: () => Screen, now: () => number) {
    [this.#screen, this.#now, this.#since] = [screen, now, now()];
  }

  /** Returns the lines that an event adds to the list. */
  on(event: Progress): string[] {
    const screen = this.#screen();
    switch (event.kind) {
      case "started":
        this.#begin(event.action);
        return [];
      case "output":
        this.#output.add(event.piece);
        return [];
      case "ended": {
        const { result, lines } = event;
        const entry = this.#entries.executed(result, this.#labelOf(result));
        const told = this.#told.get(result.seq);
        this.#told.set(result.seq, entry.remarks);
        if (told === undefined) return entryLines(entry, { screen, lines, milliseconds: this.#end() });
        const remarks = entry.remarks.filter((remark) => !told.includes(remark));
        // The end says once for all of them that they were rolled back.
        if (result.code === "run/not-whole" || (result.success && remarks.length === 0)) return [];
        return entryLines({ ...entry, remarks }, { screen });
      }
      case "invalid":
        return this.#entries.allRefused(event.errors).flatMap((entry) => entryLines(entry, { screen }));
      case "finding":
        return findingLines(event.finding, screen);
    }
  }

  /** Returns one line that says what is running, and for how long. Empty where that would only flicker. */
  status(): string {
    const [time, { width, color }] = [this.#now() - this.#since, this.#screen()];
    if (time < NOTICEABLE_MS) return "";
    const paint = painter(color);
    const { name, subject, cut } = this.#running ?? {
      name: this.#hasStarted ? "finishing" : "starting",
      subject: "",
      cut: cutPath,
    };
    const frame = FRAMES[Math.floor(time / FRAME_MS) % FRAMES.length] ?? "";
    const elapsed = `  ${durationOf(Math.floor(time / 1_000) * 1_000)}`;
    const most = Math.min(Math.floor(width / 2), width - 1 - cellsOf(`${frame} ${name} ${elapsed}`));
    const head = `${frame} ${[name, cut(subject, most)].join(" ").trimEnd()}${elapsed}`;
    const room = width - cellsOf(head) - 3;
    const output = room < MIN_OUTPUT ? "" : cutToCells(this.#output.text(), room);
    return paint("cyan", cutToCells(head, width - 1)) + (output === "" ? "" : `  ${paint("dim", output)}`);
  }

  #begin(action: Starting): void {
    const { name, ...named } = namesOf(action, this.#screen().root);
    this.#running = { name: `${this.#labelOf(action)} ${name}`, ...named };
    this.#hasStarted = true;
    this.#since = this.#now();
    this.#output.clear();
  }

  #end(): number {
    const time = this.#running === undefined ? 0 : this.#now() - this.#since;
    this.#running = undefined;
    this.#since = this.#now();
    this.#output.clear();
    return time;
  }

  #labelOf({ seq, blockId }: Pick<ActionResult, "seq" | "blockId">): string {
    const label = this.#labels.get(seq) ?? this.#entries.label(visibleOnOneLine(blockId));
    this.#labels.set(seq, label);
    return label;
  }
}

/** Milliseconds after which it is shown that something still runs. */
const NOTICEABLE_MS = 300;
export const FRAME_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** Cells below which a command's output says nothing. */
const MIN_OUTPUT = 10;

/** The last line of a command's output. */
class LastLine {
  #tail = "";

  add(piece: Uint8Array): void {
    this.#tail = (this.#tail + Buffer.from(piece).toString("latin1")).slice(-MAX_TAIL);
  }

  clear(): void {
    this.#tail = "";
  }

  /** A carriage return starts a line anew, as in progress bars. Colours and the like are removed. */
  text(): string {
    const last = this.#tail.split(/[\r\n]+/).findLast((line) => line.trim() !== "") ?? "";
    const text = Buffer.from(last, "latin1").toString().replace(ESCAPES, "").trim();
    return visibleOnOneLine(maskSecrets(text)).replaceAll("\t", " ");
  }
}

const MAX_TAIL = 4_096;
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

/** Returns the lines after the list of a run. The outcome is the last. */
export function endLines(result: ExecutionResult, ending: Ending, screen: Screen): string[] {
  const paint = painter(screen.color);
  const red = (sentence: string): string[] => underneath("❌ ", sentence, screen).map((line) => paint("red", line));
  const hooks = hookLines(result).flatMap((line) => red(line.replace("❌ ", "")));
  if (result.fatalError !== undefined) return [...hooks, ...red(visibleOnOneLine(result.fatalError))];
  const rolledBack = result.results.find(({ code }) => code === "run/not-whole");
  return [
    ...(result.interrupted === undefined ? [] : red(visibleOnOneLine(result.interrupted))),
    ...(rolledBack?.error === undefined ? [] : red(visibleOnOneLine(rolledBack.error))),
    ...checkLines(result).flatMap((check) => underneath("", check, screen)),
    ...hooks,
    outcomeOf(result, ending, { width: screen.width, paint }),
  ];
}

/** Returns a run that is over, as its events would have shown it. */
export function terminalReport(result: ExecutionResult, ending: Ending, screen: Screen): string {
  const items = [
    ...entriesOf(result).map((entry) => ({ line: entry.line, lines: () => entryLines(entry, { screen }) })),
    ...(result.findings ?? []).map((finding) => ({ line: finding.line, lines: () => findingLines(finding, screen) })),
  ];
  return [
    ...items.sort((one, other) => one.line - other.line).flatMap(({ lines }) => lines()),
    ...endLines(result, ending, screen),
  ].join("\n");
}

function painter(color: boolean): Paint {
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
}

interface Described {
  readonly screen: Screen;
  readonly lines?: LineCounts | undefined;
  readonly milliseconds?: number;
}

function entryLines(entry: Entry, { screen, lines, milliseconds = 0 }: Described): string[] {
  const paint = painter(screen.color);
  const isFailed = entry.mark === "❌";
  const below = (style: Parameters<Paint>[0], text: string): string[] =>
    underneath("   ", text, screen).map((line) => paint(style, line));
  const problem = "result" in entry ? problemOf(entry) : entry.problem;
  return [
    headOf(entry, { screen, lines, milliseconds }),
    ...(problem === undefined ? [] : below(isFailed ? "red" : "dim", problem)),
    ...("details" in entry ? entry.details.flatMap((detail) => below("red", `- ${detail}`)) : []),
    ...("result" in entry ? outputLines(entry, screen) : []),
    ...("result" in entry ? changedLines(entry).flatMap((line) => below("dim", line)) : []),
    ...shortened(entry.remarks).flatMap((remark) => remarkLines(remark, screen)),
  ];
}

function headOf(entry: Entry, { screen, lines, milliseconds = 0 }: Described): string {
  const paint = painter(screen.color);
  const { name, subject, cut } =
    "result" in entry ? namesOf(entry.result, screen.root) : { name: entry.action, subject: "", cut: cutPath };
  const tail = (dress: Paint): string =>
    [
      "tally" in entry ? (entry.tally ?? "") : "",
      "result" in entry ? "" : `line ${entry.line}`,
      lines === undefined ? "" : countsText(lines, dress),
      milliseconds < LONG_MS ? "" : dress("dim", durationOf(milliseconds)),
    ].flatMap((part) => (part === "" ? [] : [`  ${part}`])).join("");
  const room = screen.width - cellsOf(`${entry.mark} ${entry.label} ${name} ${tail((_, text) => text)}`);
  const shown = cut(subject, Math.max(room, MIN_SUBJECT));
  const line = `${entry.mark} ${paint("dim", entry.label)} ${paint("bold", name)} ${shown}`;
  return line.trimEnd() + tail(paint);
}

/** Milliseconds from which the duration of an action is worth a mention. */
const LONG_MS = 1_000;
const MIN_SUBJECT = 16;

interface Named {
  /** Of the action. */
  readonly name: string;
  /** Its file, topic or command. */
  readonly subject: string;
  /** Shortens the subject: keeps the end of a path, and the beginning of a command. */
  readonly cut: (subject: string, cells: number) => string;
}

function namesOf({ action, params }: Pick<ActionResult, "action" | "params">, root: string): Named {
  const definition = actionByName.get(action);
  const subject = visibleOnOneLine(subjectOf({ params }, definition));
  const name = visibleOnOneLine(action);
  const { runs } = definition ?? {};
  // The first line of a program says more than its language.
  if (runs === undefined || typeof definition?.subject === "function")
    return { name, subject: subject.startsWith("/") ? nameWithin(root, subject) : subject, cut: cutPath };
  const [first = "", ...others] = String(params[runs]).trim().split("\n");
  return {
    name: `${name} ${subject}:`,
    subject: visibleOnOneLine(first, MAX_COMMAND).replaceAll("\t", " ") + (others.length > 0 ? " …" : ""),
    cut: cutToCells,
  };
}

const MAX_COMMAND = 200;

/** For a command, its output follows, whose last line need not be repeated. */
function problemOf({ problem, result }: Executed): string | undefined {
  return result.code === "exec/exit" && result.error !== undefined
    ? visibleOnOneLine(result.error.replace(/^\w+: /, ""))
    : problem;
}

/** Lines of a hint, or of a failed command's output. */
const MAX_BELOW = 15;

/** Empty for an action that runs no command. */
function commandData({ action, data }: ActionResult): Partial<CommandData> {
  return (actionByName.get(action)?.runs === undefined ? {} : (data ?? {})) as Partial<CommandData>;
}

/** Returns the end of a failed command's output. */
function outputLines({ mark, result }: Executed, screen: Screen): string[] {
  const { stdout = "", stderr = "" } = commandData(result);
  const text = afterReturns(stderr.trim() === "" ? stdout : stderr).trimEnd();
  if (mark !== "❌" || text === "") return [];
  const paint = painter(screen.color);
  const lines = text.split("\n");
  const shown = lines.slice(-MAX_BELOW).map((line) => maskSecrets(line.replace(ESCAPES, "")));
  return [
    ...(lines.length > shown.length
      ? [paint("dim", `   … ${lines.length - shown.length} lines before that are in the report`)]
      : []),
    ...shown.map((line) => paint("dim", codeLine(`   │ ${line}`, screen))),
  ];
}

/** `deleted: README.md, src/app.ts`. What is gone comes first. */
function changedLines({ result }: Executed): string[] {
  const { changed = [] } = commandData(result);
  return (["deleted", "changed", "created"] as const).flatMap((kind) => {
    const paths = changed.filter(({ change }) => change === kind).map(({ path }) => visibleOnOneLine(path, MAX_COMMAND));
    return paths.length === 0 ? [] : [`${kind}: ${namedFew(paths, MAX_NAMED)}`];
  });
}

/** Files that a command changed in one way. The report has all of them. */
const MAX_NAMED = 8;

/** Keeps the first lines of hints and warnings. */
function shortened(remarks: readonly string[]): readonly string[] {
  return remarks.length <= MAX_BELOW
    ? remarks
    : [...remarks.slice(0, MAX_BELOW - 1), `note: ${remarks.length - MAX_BELOW + 1} more lines are in the report`];
}

/** Breaks prose into lines, and cuts lines of code. */
function remarkLines(remark: string, screen: Screen): string[] {
  const paint = painter(screen.color);
  const [, kind = "", text = remark] = /^(\w+): ([^]*)$/.exec(remark) ?? [];
  if (kind === "warning") return underneath("   ", text, screen).map((line) => paint("yellow", line));
  if (/^\s/.test(text)) return [paint("dim", codeLine(`   ${text}`, screen))];
  return underneath("   ", text, screen).map((line) => paint("dim", line));
}

function codeLine(line: string, { width }: Screen): string {
  return cutToCells(visibleOnOneLine(line).replaceAll("\t", "    "), width);
}

function findingLines({ line, blockId, message, request }: Finding, screen: Screen): string[] {
  const paint = painter(screen.color);
  const text = message.startsWith("line ") ? message : `line ${line}: ${message}`;
  const sentence = visibleOnOneLine(blockId === undefined || text.includes(blockId) ? text : `${blockId} ${text}`);
  return [
    ...underneath("⚠️ ", sentence, screen).map((one) => paint("yellow", one)),
    ...underneath("   ", visibleOnOneLine(request), screen).map((one) => paint("dim", one)),
  ];
}

/** Wraps a text after a mark, with its further lines below its first. */
function underneath(mark: string, text: string, { width }: Screen): string[] {
  return wrapToCells(text.replaceAll("\t", " "), Math.max(20, width - 3)).map(
    (line, index) => (index === 0 ? mark : "   ") + line,
  );
}

/** `1.5 s`, `12 s`, `3 min 5 s` */
function durationOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  if (milliseconds < 10_000 && milliseconds % 1_000 > 0) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

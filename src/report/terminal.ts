/** What a person sees of a run at a terminal: pure functions from the run's events to lines. */
import { actionByName } from "../actions/index.ts";
import { type Finding, NAMES_ITS_LINES } from "../core/finding.ts";
import type { ActionResult, ExecutionResult } from "../core/outcome.ts";
import type { LineCounts, Progress, Starting } from "../core/progress.ts";
import { visibleOnOneLine } from "../core/visible.ts";
import { ARROW, cellsOf, cutPath, cutToCells } from "./cells.ts";
import { linesOfCheck, commandLines, LastLine } from "./command-lines.ts";
import { nameWithin } from "./diff.ts";
import { entriesOf, type Entry, EntryList, type Executed, type Remark, subjectOf } from "./entries.ts";
import { codeSentence, countsText, type Ending, outcomeOf, type Paint } from "./outcome.ts";
import { codeLine, durationOf, LONG_MS, MAX_BELOW, painter, type Screen, underneath } from "./screen.ts";
import { commandName, hookFailures } from "./sections.ts";

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
  /** The actions that are listed. */
  readonly #told = new Map<number, Executed>();
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
        this.#told.set(result.seq, entry);
        if (told === undefined) return entryLines(entry, { screen, lines, milliseconds: this.#end() });
        const remarks = entry.remarks.filter(({ text }) => !told.remarks.some((remark) => remark.text === text));
        // The end says once for all of them that they were rolled back.
        if (result.code === "run/not-whole" || (result.success && remarks.length === 0)) return [];
        return entryLines({ ...entry, remarks }, { screen, hasToldEnd: told.mark === "❌" || result.success });
      }
      case "invalid":
        return this.#entries.allRefused(event.errors).flatMap((entry) => entryLines(entry, { screen }));
      case "finding":
        return findingLines(event.finding, screen);
      case "checking":
        this.#run({ name: "check", subject: commandName(event.command), cut: cutToCells });
        return [];
      case "checked":
        return linesOfCheck(event.check, screen, this.#end());
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
    this.#run({ name: `${this.#labelOf(action)} ${name}`, ...named });
  }

  #run(named: Named): void {
    this.#running = named;
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

/** Returns the lines after the list of a run, in which its checks are. The outcome is the last. */
export function endLines(result: ExecutionResult, ending: Ending, screen: Screen): string[] {
  const paint = painter(screen.color);
  const red = (sentence: string): string[] => underneath("❌ ", sentence, screen).map((line) => paint("red", line));
  const hooks = hookFailures(result).flatMap((failure) => red(`hook ${failure}`));
  if (result.fatalError !== undefined) return [...hooks, ...red(visibleOnOneLine(result.fatalError))];
  const code = codeSentence(result);
  const rolledBack = result.results.find(({ code }) => code === "run/not-whole");
  return [
    ...(result.interrupted === undefined ? [] : red(visibleOnOneLine(result.interrupted))),
    ...(rolledBack?.error === undefined ? [] : red(visibleOnOneLine(rolledBack.error))),
    ...hooks,
    ...(code === undefined ? [] : underneath("⚠️ ", code, screen).map((line) => paint("yellow", line))),
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
    ...(result.checks ?? []).flatMap((check) => linesOfCheck(check, screen)),
    ...endLines(result, ending, screen),
  ].join("\n");
}

interface Described {
  readonly screen: Screen;
  readonly lines?: LineCounts | undefined;
  readonly milliseconds?: number;
  /** Whether it is listed again, with the same end. Only the remarks are new then. */
  readonly hasToldEnd?: boolean;
}

function entryLines(entry: Entry, { screen, lines, milliseconds = 0, hasToldEnd = false }: Described): string[] {
  const paint = painter(screen.color);
  const isFailed = entry.mark === "❌";
  const below = (style: Parameters<Paint>[0], text: string): string[] =>
    underneath("   ", text, screen).map((line) => paint(style, line));
  const problem = hasToldEnd ? undefined : "result" in entry ? problemOf(entry) : entry.problem;
  return [
    headOf(entry, { screen, lines, milliseconds }),
    ...(problem === undefined ? [] : below(isFailed ? "red" : "dim", problem)),
    ...("details" in entry ? entry.details.flatMap((detail) => below("red", `- ${detail}`)) : []),
    ...("result" in entry && !hasToldEnd ? commandLines(entry, screen) : []),
    ...shortened(entry.remarks).flatMap((remark) => linesOfRemark(remark, screen)),
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
      countsText(lines, dress),
      milliseconds < LONG_MS ? "" : dress("dim", durationOf(milliseconds)),
    ]
      .flatMap((part) => (part === "" ? [] : [`  ${part}`]))
      .join("");
  const room = screen.width - cellsOf(`${entry.mark} ${entry.label} ${name} ${tail((_, text) => text)}`);
  const shown = cut(subject, Math.max(room, MIN_SUBJECT));
  const line = `${entry.mark} ${paint("dim", entry.label)} ${paint("bold", name)} ${shown}`;
  return line.trimEnd() + tail(paint);
}

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
  const within = (path: string): string => (path.startsWith("/") ? nameWithin(root, path) : path);
  // The first line of a program says more than its language.
  if (runs === undefined || typeof definition?.subject === "function")
    return { name, subject: subject.split(ARROW).map(within).join(ARROW), cut: cutPath };
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
  return result.code === "exec/exit" && result.error !== undefined ? visibleOnOneLine(result.error) : problem;
}

/** Keeps the first lines of hints and warnings. */
function shortened(remarks: readonly Remark[]): readonly Remark[] {
  const text = `${remarks.length - MAX_BELOW + 1} more lines are in the report`;
  return remarks.length <= MAX_BELOW ? remarks : [...remarks.slice(0, MAX_BELOW - 1), { kind: "note", text }];
}

/** Breaks prose into lines, and cuts lines of code. */
function linesOfRemark({ kind, text }: Remark, screen: Screen): string[] {
  const paint = painter(screen.color);
  if (kind === "warning") return underneath("   ", text, screen).map((line) => paint("yellow", line));
  if (/^\s/.test(text)) return [paint("dim", codeLine(`   ${text}`, screen))];
  return underneath("   ", text, screen).map((line) => paint("dim", line));
}

function findingLines({ code, line, message, request }: Finding, screen: Screen): string[] {
  const paint = painter(screen.color);
  const sentence = visibleOnOneLine(NAMES_ITS_LINES.has(code) ? message : `line ${line}: ${message}`);
  return [
    ...underneath("⚠️ ", sentence, screen).map((one) => paint("yellow", one)),
    ...(request === undefined ? [] : underneath("   ", visibleOnOneLine(request), screen)).map((one) =>
      paint("dim", one),
    ),
  ];
}

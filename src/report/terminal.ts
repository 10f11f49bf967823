/** What a person sees of a run at a terminal: pure functions from the run's events to lines. */
import { actionByName } from "../actions/index.ts";
import { type Finding, NAMES_ITS_LINES } from "../core/finding.ts";
import type { ActionResult, ExecutionResult, LineCounts, Progress, Starting } from "../core/outcome.ts";
import { afterReturns, namedFew, visibleOnOneLine } from "../core/visible.ts";
import {
  ARROW,
  cellsOf,
  codeLine,
  cutPath,
  cutToCells,
  durationOf,
  ESCAPES,
  LastLine,
  LONG_MS,
  MAX_BELOW,
  type Paint,
  painter,
  type Screen,
  underneath,
} from "./cells.ts";
import { nameWithin } from "./diff.ts";
import { countsText, type Ending, outcomeLine } from "./outcome.ts";
import { codeSentence, commandName, type Remark, type Row, RowList, rowOfCheck, rowsOf, subjectOf } from "./rows.ts";
import type { CommandData } from "../core/command.ts";
import { maskSecrets } from "../core/mask-secrets.ts";

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
  readonly #rows = new RowList();
  readonly #labels = new Map<number, string>();
  /** The actions that are listed. */
  readonly #listed = new Map<number, Row>();
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
        const row = this.#rows.executed(result, this.#labelOf(result));
        const listed = this.#listed.get(result.seq);
        this.#listed.set(result.seq, row);
        if (listed === undefined) return rowLines(row, { screen, lines, milliseconds: this.#end() });
        const remarks = row.remarks.filter(({ text }) => !listed.remarks.some((remark) => remark.text === text));
        // The end says once for all of them that they were rolled back.
        if (result.code === "run/not-whole" || (result.success && remarks.length === 0)) return [];
        return rowLines({ ...row, remarks }, { screen, hasToldEnd: listed.mark === "❌" || result.success });
      }
      case "invalid":
        return this.#rows.allRefused(event.errors).flatMap((row) => rowLines(row, { screen }));
      case "finding":
        return findingLines(event.finding, screen);
      case "checking":
        this.#run({ name: "check", subject: commandName(event.command), cut: cutToCells });
        return [];
      case "checked":
        return rowLines(rowOfCheck(event.check), { screen, milliseconds: this.#end() });
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
    const label = this.#labels.get(seq) ?? this.#rows.label(blockId);
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
  const red = (sentence: string | undefined): string[] =>
    sentence === undefined ? [] : below("❌ ", "red", visibleOnOneLine(sentence), screen);
  const hooks = rowsOf(result).hooks.flatMap(({ subject, problem }) => red(`hook ${subject} - ${problem}`));
  if (result.fatalError !== undefined) return [...hooks, ...red(result.fatalError)];
  const code = codeSentence(result);
  return [
    ...red(result.interrupted),
    ...red(result.results.find(({ code }) => code === "run/not-whole")?.error),
    ...hooks,
    ...(code === undefined ? [] : below("⚠️ ", "yellow", code, screen)),
    outcomeLine(result, ending, { width: screen.width, paint }),
  ];
}

/** Returns a run that is over, as its events would have shown it. */
export function terminalReport(result: ExecutionResult, ending: Ending, screen: Screen): string {
  const { blocks, checks } = rowsOf(result);
  const items = [
    ...blocks.map((row) => ({ line: row.line, lines: () => rowLines(row, { screen }) })),
    ...(result.findings ?? []).map((finding) => ({ line: finding.line, lines: () => findingLines(finding, screen) })),
  ];
  return [
    ...items.sort((left, right) => left.line - right.line).flatMap(({ lines }) => lines()),
    ...checks.flatMap((row) => rowLines(row, { screen })),
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

type Style = Parameters<Paint>[0];

/** Wraps a sentence below a mark, in a colour. */
function below(mark: string, style: Style, text: string, screen: Screen): string[] {
  return underneath(mark, text, screen).map((line) => painter(screen.color)(style, line));
}

function rowLines(row: Row, described: Described): string[] {
  const { screen, hasToldEnd = false } = described;
  const { mark, action, result, details, remarks } = row;
  const style = mark === "❌" ? "red" : action === "" ? "yellow" : "dim";
  // The output of a command follows, whose last line need not be repeated.
  const problem = result?.code === "exec/exit" && result.error ? visibleOnOneLine(result.error) : row.problem;
  return [
    headOf(row, described),
    ...(problem === undefined || hasToldEnd ? [] : below("   ", style, problem, screen)),
    ...details.flatMap((detail) => below("   ", "red", `- ${detail}`, screen)),
    ...(hasToldEnd ? [] : commandLines(row, screen)),
    ...shortened(remarks).flatMap((remark) => linesOfRemark(remark, screen)),
  ];
}

function headOf(row: Row, { screen, lines, milliseconds = 0 }: Described): string {
  const paint = painter(screen.color);
  const { label, mark, action, result, tally = "", line } = row;
  const isCheck = action === "";
  const { name, subject, cut } =
    result !== undefined
      ? namesOf(result, screen.root)
      : { name: isCheck ? label : action, subject: row.subject, cut: cutToCells };
  const tail = (dress: Paint): string =>
    [
      tally,
      result !== undefined || isCheck ? "" : `line ${line}`,
      countsText(lines, dress),
      milliseconds < LONG_MS ? "" : dress("dim", durationOf(milliseconds)),
    ]
      .flatMap((part) => (part === "" ? [] : [`  ${part}`]))
      .join("");
  const head = `${mark} ${isCheck ? "" : `${paint("dim", label)} `}${paint("bold", name)} `;
  const shown = cut(subject, Math.max(screen.width - cellsOf(head + tail((_, text) => text)), MIN_SUBJECT));
  return (head + shown).trimEnd() + tail(paint);
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

/** Keeps the first lines of hints and warnings. */
function shortened(remarks: readonly Remark[]): readonly Remark[] {
  const text = `${remarks.length - MAX_BELOW + 1} more lines are in the report`;
  return remarks.length <= MAX_BELOW ? remarks : [...remarks.slice(0, MAX_BELOW - 1), { kind: "note", text }];
}

/** Breaks prose into lines, and cuts lines of code. */
function linesOfRemark({ kind, text }: Remark, screen: Screen): string[] {
  if (kind === "warning") return below("   ", "yellow", text, screen);
  if (/^\s/.test(text)) return [painter(screen.color)("dim", codeLine(`   ${text}`, screen))];
  return below("   ", "dim", text, screen);
}

function findingLines({ code, line, message, request }: Finding, screen: Screen): string[] {
  const sentence = visibleOnOneLine(NAMES_ITS_LINES.has(code) ? message : `line ${line}: ${message}`);
  return [
    ...below("⚠️ ", "yellow", sentence, screen),
    ...(request === undefined ? [] : below("   ", "dim", visibleOnOneLine(request), screen)),
  ];
}

/** Returns the end of a failed command's output, and the files that it changed. Empty for a row without a command. */
function commandLines({ end, output = {} }: Row, screen: Screen): string[] {
  return [
    ...(end === "done" ? [] : outputLines(output, screen)),
    ...changedLines(output).flatMap((line) => below("   ", "dim", line, screen)),
  ];
}

/** Returns the end of the output: of the errors, if there are any. */
function outputLines({ stdout = "", stderr = "" }: Partial<CommandData>, screen: Screen): string[] {
  const text = afterReturns(stderr.trim() === "" ? stdout : stderr).trimEnd();
  if (text === "") return [];
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
function changedLines({ changed = [] }: Partial<CommandData>): string[] {
  return (["deleted", "changed", "created"] as const).flatMap((kind) => {
    const paths = changed.filter(({ change }) => change === kind).map(({ path }) => visibleOnOneLine(path, MAX_NAME));
    return paths.length === 0 ? [] : [`${kind}: ${namedFew(paths, MAX_NAMED)}`];
  });
}

/** Files that a command changed in one way. The report has all of them. */
const MAX_NAMED = 8;
const MAX_NAME = 200;

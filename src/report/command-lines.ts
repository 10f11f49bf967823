/** What a terminal shows of a command: its output while it runs, then what it left behind. */
import { actionByName } from "../actions/index.ts";
import type { CommandData } from "../core/command.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import type { ActionResult, CheckResult } from "../core/outcome.ts";
import { afterReturns, namedFew, visibleOnOneLine } from "../core/visible.ts";
import { cellsOf, cutToCells } from "./cells.ts";
import type { Executed } from "./entries.ts";
import { codeLine, durationOf, LONG_MS, MAX_BELOW, painter, type Screen, underneath } from "./screen.ts";
import { commandName } from "./sections.ts";

/** The last line of a command's output. */
export class LastLine {
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

/** Returns the end of a failed command's output, and the files that it changed. Empty for an action that runs none. */
export function commandLines({ mark, result }: Executed, screen: Screen): string[] {
  const data = commandData(result);
  const paint = painter(screen.color);
  return [
    ...(mark === "❌" ? outputLines(data, screen) : []),
    ...changedLines(data).flatMap((line) => underneath("   ", line, screen)).map((line) => paint("dim", line)),
  ];
}

/**
 * Lists a check of the configuration. One that failed comes with the end of its output.
 *
 *     ⚠️ check npm test  4.2 s
 *        Process exited with code 1
 *        │ 1 test failed
 *
 * @param milliseconds that it took, if known
 */
export function linesOfCheck(check: CheckResult, screen: Screen, milliseconds = 0): string[] {
  const { command, success, error = "", hint = "" } = check;
  const paint = painter(screen.color);
  const head = `${success ? "✅" : "⚠️"} ${paint("bold", "check")} `;
  const time = milliseconds < LONG_MS ? "" : paint("dim", `  ${durationOf(milliseconds)}`);
  const below = (text: string): string[] => (text === "" ? [] : underneath("   ", visibleOnOneLine(text), screen));
  return [
    head + cutToCells(commandName(command), screen.width - cellsOf(head + time)) + time,
    ...below(error).map((line) => paint("yellow", line)),
    ...(success ? [] : outputLines(check, screen)),
    ...hint.split("\n").flatMap(below).map((line) => paint("dim", line)),
  ];
}

/** Empty for an action that runs no command. */
function commandData({ action, data }: ActionResult): Partial<CommandData> {
  return (actionByName.get(action)?.runs === undefined ? {} : (data ?? {})) as Partial<CommandData>;
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

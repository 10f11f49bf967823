/** `loaf` without a command: what to do next here. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ConfigError } from "../../config/problem.ts";
import { counted } from "../../core/counted.ts";
import type { PastRun } from "../../core/history.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { wrapText } from "../../report/cells.ts";
import { type IdleRun, lastRunIn, readIdleRun } from "../../history/past-runs.ts";
import { journalFolder } from "../../history/turn.ts";
import { ago } from "../../report/history.ts";
import { readSettings, widenings } from "../../run/read-settings.ts";
import { projectConfigPath } from "../../state/config-files.ts";
import { InputError } from "../../state/input.ts";
import { lockHolder } from "../../state/lock.ts";
import { projectStateFolder } from "../../state/places.ts";
import { isBlock } from "../../core/block.ts";
import { readAnswer } from "../../answer/read-answer.ts";
import { findClipboards, readClipboard } from "../watch/clipboard.ts";
import { isTerminal, paint, print, terminalWidth } from "./output.ts";
import { isTrustedProject, ownRootOf } from "./project.ts";

declare const LOAF_VERSION: string;

/** What is known of a folder. */
export interface Overview {
  readonly root: string;
  /** `untrusted`: it asks for more than the defaults allow. If it is invalid: the first problem as a sentence. */
  readonly config: "valid" | "untrusted" | "none" | { readonly problem: string; readonly others: number };
  /** The input file of `loaf watch`. */
  readonly input: string;
  /** The process of a running `loaf watch`. */
  readonly watching?: number | undefined;
  /** The process of a run in progress. */
  readonly running?: number | undefined;
  /** The last run that changed something. */
  readonly last?: PastRun | undefined;
  /** The last run that changed nothing. */
  readonly idle?: IdleRun | undefined;
  /** Number of blocks of the answer on the clipboard. */
  readonly copied?: number | undefined;
}

/**
 * Prints at most ten lines, and breaks those that are wider than the terminal. Starts no process but the one that reads
 * the clipboard, and that only at a terminal.
 */
export async function showOverview(): Promise<void> {
  const lines = await linesHere();
  const width = terminalWidth() ?? Infinity;
  const [title = "", ...others] = lines.map((line) => wrapText(visibleOnOneLine(line, Infinity), width));
  print([paint("bold", title), ...others].join("\n"));
}

async function linesHere(): Promise<string[]> {
  let root: string;
  try {
    root = ownRootOf(undefined);
  } catch (thrown) {
    if (!(thrown instanceof InputError)) throw thrown;
    return [`loaf ${LOAF_VERSION}`, thrown.message, ...commands("loaf-input.md")];
  }
  const copied = blocksOnClipboard();
  const state = projectStateFolder(root);
  const here: Overview = {
    root,
    ...(await settingsOf(root)),
    watching: lockHolder(join(state, "watching"))?.pid,
    running: lockHolder(join(state, "lock"))?.pid,
    last: lastRunIn(journalFolder(root)),
    idle: readIdleRun(root),
    copied: await copied,
  };
  return overviewLines(here, Date.now());
}

async function settingsOf(root: string): Promise<Pick<Overview, "config" | "input">> {
  try {
    let config: Overview["config"] = existsSync(projectConfigPath(root)) ? "valid" : "none";
    const { settings } = await readSettings(root, {
      assumeInit: true,
      trustProject: async (_, files) => {
        const isTrusted = await isTrustedProject(root, files, { warn: () => {} });
        if (!isTrusted && widenings(root, files).length > 0) config = "untrusted";
        return isTrusted;
      },
    });
    return { input: settings.watch.input, config };
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    const [problem = ""] = thrown.message.split("\n", 1);
    return { input: "loaf-input.md", config: { problem, others: thrown.problems.length - 1 } };
  }
}

/**
 * Returns the number of blocks in an answer that was copied. Ignores texts that may be no answer, and slow programs.
 */
async function blocksOnClipboard(): Promise<number | undefined> {
  if (!isTerminal() || findClipboards("paste").every(({ isOutOfReach }) => isOutOfReach)) return undefined;
  const text = await Promise.race([readClipboard().catch(() => ""), setTimeout(CLIPBOARD_MS, "", { ref: false })]);
  const { items } = readAnswer(text);
  const certain = items.filter((item) => isBlock(item) && item.meant?.uncertain === undefined);
  return certain.length === 0 ? undefined : certain.length;
}

const CLIPBOARD_MS = 300;

/** Returns at most ten lines: the state of the folder, then the commands that matter most in it. */
export function overviewLines(overview: Overview, now: number): string[] {
  const { root, config, input, watching, last, running, copied = 0 } = overview;
  const facts = [
    `loaf ${LOAF_VERSION} in ${root}`,
    ...stateOf(config),
    ...(watching === undefined ? [] : [`loaf watch is running (process ${watching}): save answers into ${input}`]),
    ...(running === undefined ? [] : [`A run is in progress (process ${running})`]),
    ...(last?.state === "unfinished" && running === undefined
      ? [`Run ${last.run} was interrupted: loaf recover finishes it, and so does the next run`]
      : []),
    ...lastRun(overview, now),
    ...(copied === 0
      ? []
      : [`The clipboard holds an answer with ${copied === 1 ? "1 block" : `${copied} blocks`}: loaf paste runs it`]),
  ];
  return [...facts, ...commands(input).slice(0, MAX_LINES - facts.length)];
}

const MAX_LINES = 10;

function stateOf(config: Overview["config"]): string[] {
  if (config === "valid") return [];
  if (config === "none") return ["No loaf.yml here: loaf init writes one; until then its settings apply"];
  if (config === "untrusted")
    return ["loaf.yml is not trusted as it is now, so it allows no more than the defaults. Read it, then: loaf trust"];
  const { problem, others } = config;
  return [
    others === 0
      ? `${problem}: nothing runs until that is fixed`
      : `${problem}, and ${counted(others, "more error")}: nothing runs until they are fixed; loaf doctor shows them`,
  ];
}

function lastRun({ last, idle }: Overview, now: number): string[] {
  if (idle !== undefined && (last === undefined || idle.at > last.started))
    return [`The last run, ${ago(now - Date.parse(idle.at), idle.at)}, changed nothing${failures(idle.failed)}`];
  if (last === undefined || last.state === "unfinished" || last.state === "running") return [];
  const when = `Run ${last.run}, ${ago(now - Date.parse(last.started), last.started)}`;
  if (last.state === "interrupted")
    return [
      `${when}, was interrupted. Its changes stay${last.commit === undefined ? ", and are not committed" : ""}: loaf diff shows them, loaf undo takes them back`,
    ];
  const what = `${when}: ${last.summary}`;
  return [
    last.state === "undone"
      ? `${what} (undone) · loaf redo brings it back`
      : `${what}${failures(last.failed)} · loaf diff shows it, loaf undo takes it back`,
  ];
}

function failures(count = 0): string {
  return count === 0 ? "" : `; ${count} of its blocks failed`;
}

/** Most useful first. */
function commands(input: string): string[] {
  return [
    "  loaf run answer.md          run a model's answer; - reads standard input",
    "  loaf instructions --copy    copy the instructions that the model needs first",
    `  loaf watch                  run what you save into ${input}`,
    "  loaf paste                  run the answer on the clipboard, after showing it",
    "  loaf --help                 all commands",
  ];
}

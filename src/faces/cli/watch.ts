import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { onEndSignal } from "../../run/end-signals.ts";
import { acquireLock } from "../../state/lock.ts";
import { hasTerminal } from "./terminal.ts";
import { projectStateFolder } from "../../state/places.ts";
import { ClipboardError, copyToClipboard, readClipboard } from "../watch/clipboard.ts";
import { problemWith } from "../watch/publish.ts";
import { watchClipboard } from "../watch/watch-clipboard.ts";
import { Watcher } from "../watch/watcher.ts";
import { Keyboard } from "./keys.ts";
import { type Aside, LatePerson } from "./late-person.ts";
import { complain, isTerminal, print } from "./output.ts";
import { openProject, rootOf } from "./project.ts";
import { runSlashCommand, slashCommands } from "./slash-command.ts";
import type { Stopping } from "./stopping.ts";
import { UsageError } from "./usage-error.ts";
import { WatchScreen } from "./watch-screen.ts";

interface Options {
  readonly root?: string;
  readonly copy?: boolean;
  readonly again?: boolean;
  readonly git?: boolean;
  readonly ask?: boolean;
  readonly yes?: boolean;
  readonly hooks?: boolean;
  readonly exec?: boolean;
}

/**
 * `loaf watch`: runs texts saved into the input file, until the user quits.
 *
 * @param createProgram creates the commands that can be typed with a slash
 */
export async function watch(options: Options, createProgram: () => Command): Promise<void> {
  const root = rootOf(options.root);
  const shown = new Set<string>();
  let aside: Aside = (act) => act();
  const person = hasTerminal() ? new LatePerson(root, (act) => aside(act)) : undefined;
  const open = (warn: (sentence: string) => void) => openProject({ ...options, asksTrust: true, person, onCopying: (copied) => screen.onCopying(copied) }, warn);
  const { watch: settings } = (await open((sentence) => (complain(sentence), shown.add(sentence)))).settings;
  const { output, debounce, clipboard } = settings;
  const input = join(root, settings.input);
  if (settings.input === output) throw new UsageError(`watch.input and watch.output are the same file, '${output}'`);
  const problem = problemWith(root, output);
  if (problem !== undefined) throw new UsageError(problem);

  let copied: string | undefined;
  const copy = async (text: string): Promise<void> => {
    copied = text;
    try {
      await copyToClipboard(text);
      screen.tell("The report is on the clipboard.");
    } catch (thrown) {
      if (!(thrown instanceof ClipboardError)) throw thrown;
      tellOnce(thrown.message);
    }
  };
  const screen = new WatchScreen(input, async ({ report }) => {
    if (options.copy === true || clipboard.write) await copy(report);
  });
  const tellOnce = (sentence: string): void => {
    if (!shown.has(sentence)) screen.tell(sentence);
    shown.add(sentence);
  };

  const lock = await acquireLock(join(projectStateFolder(root), "watching"), {
    onWait: ({ pid }) => print(`Another loaf watch is running on this project (process ${pid}); this one starts when it ends`),
  });
  const over = new AbortController();
  const watcher = new Watcher({ open: () => open(tellOnce), root, input, output, debounce, again: options.again, view: screen });
  const { requests } = watcher;
  const quit = (): void => {
    over.abort();
    requests.close();
  };
  const enqueue = (act: () => Promise<void>): void => requests.add({ kind: "act", act: () => aside(act) });
  const keys: Readonly<Record<string, () => void>> = {
    r: () => requests.add({ kind: "again" }),
    u: () => enqueue(() => runSlashCommand("undo", { root, createProgram })),
    c: () => enqueue(async () => (screen.report === undefined ? screen.tell("There is no report yet") : copy(screen.report))),
    h: () => screen.tell(help(output, slashCommands(createProgram()))),
    "?": () => screen.tell(help(output, slashCommands(createProgram()))),
    q: quit,
    "ctrl-c": () => (screen.stopping === undefined ? quit() : stop(screen.stopping)),
  };
  const leaveTerminal = (): void => {
    keyboard.stop();
    screen.line.clear();
  };
  const stop = (stopping: Stopping): void => {
    const next = stopping.next();
    if (next !== undefined) return screen.tell(next);
    leaveTerminal();
    process.exit(130);
  };
  const isLive = isTerminal() && process.stdin.isTTY;
  const onInterrupt = (): void => {
    // Ctrl-C is a signal only while a question or a command uses the terminal. Otherwise it is a key.
    if (isLive) return keys["ctrl-c"]?.();
    if (screen.stopping !== undefined) stop(screen.stopping);
    quit();
  };
  const onEnd = (): void => {
    screen.stopping?.end();
    quit();
  };
  process.on("SIGINT", onInterrupt);
  const offEnd = onEndSignal(onEnd);
  const keyboard = new Keyboard({
    onKey: (key) => keys[key]?.(),
    onLine: (line) => (["quit", "q", "exit"].includes(line) ? quit() : line === "help" ? keys["h"]?.() : enqueue(() => runSlashCommand(line, { root, createProgram }))),
    onTyping: (line) => screen.typing(line),
    onPaste: () => screen.tell(`An answer is saved into ${settings.input}, not typed here`),
  });
  aside = (act) => screen.aside(() => keyboard.aside(act));
  if (isLive) keyboard.start();
  print(`Watching ${input}; reports are in ${join(root, output)}`);
  screen.idle();
  const sleep = (milliseconds: number) => setTimeout(milliseconds, undefined, { signal: over.signal }).catch(() => {});
  try {
    const looking = clipboard.read
      ? watchClipboard({ read: readClipboard, sleep, now: () => performance.now(), onText: (text) => requests.add({ kind: "text", text }), tell: tellOnce, own: () => copied }, over.signal)
      : undefined;
    await watcher.run();
    over.abort();
    await looking;
  } finally {
    over.abort();
    leaveTerminal();
    process.off("SIGINT", onInterrupt);
    offEnd();
    lock.release();
  }
}

function help(output: string, commands: readonly string[]): string {
  return `Save a model's whole answer into the file: blocks that have not run yet are run, and the results appear above it. The whole report is in ${output}.
  r  run the text again, also what ran before
  u  undo the last run
  c  copy the last report
  q  quit
  Ctrl-C  stop a run after the current action; a second time, kill its command; a third time, end Loaf
  ${commands.map((name) => `/${name}`).join(" ")} work like the commands`;
}

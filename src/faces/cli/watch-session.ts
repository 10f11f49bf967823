import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import type { Settings } from "../../config/schema.ts";
import type { Loaf } from "../../loaf.ts";
import { isBlock } from "../../core/block.ts";
import { terminalReport } from "../../report/terminal.ts";
import { onEndSignal } from "../../run/end-signals.ts";
import { read } from "../../answer/read-answer.ts";
import { readTextFile } from "../../state/input.ts";
import { ClipboardError, readClipboard } from "../watch/clipboard.ts";
import { type Gesture, PairsOfCopies, SingleCopies, watchClipboard } from "../watch/watch-clipboard.ts";
import { Watcher } from "../watch/watcher.ts";
import type { PageSession } from "../web/page-session.ts";
import { putOnClipboard, THROUGH_TERMINAL } from "./copy.ts";
import { type KeyHandlers, readKeyCommands, readsKeys } from "./keys.ts";
import type { LatePerson } from "./late-person.ts";
import type { WatchOptions } from "./options.ts";
import { print, printProse, sayingOnce, terminalWidth } from "./output.ts";
import { openProject } from "./project.ts";
import { dryRunDiff, dryChanges } from "./reports.ts";
import { screenOf } from "./run-screen.ts";
import { runSlashCommand, SLASH_COMMANDS } from "./slash-command.ts";
import type { Stopping } from "./stopping.ts";
import { aside } from "./terminal.ts";
import { Unanswered } from "./usage-error.ts";
import { idleSentence, WatchScreen } from "./watch-screen.ts";

interface SessionOptions {
  readonly root: string;
  /** Those at the start. Each run reads them anew. */
  readonly settings: Pick<Settings, "watch" | "csl" | "limits">;
  readonly options: WatchOptions;
  /** Absent if there is nobody to ask. */
  readonly person: LatePerson | undefined;
  /** The warnings already printed. */
  readonly said: Set<string>;
  readonly createProgram: () => Command;
}

/** `loaf watch` between its start and its end: connects the watcher with the keys, the screen and the clipboard. */
export class WatchSession {
  readonly #options: SessionOptions;
  readonly #screen: WatchScreen;
  readonly #tellOnce: (sentence: string) => void;
  readonly #watcher: Watcher;
  /** Ends reading keys. */
  #leaveKeys = (): void => {};
  readonly #over = new AbortController();
  /** Whether keys are read. Otherwise Ctrl-C is a signal. */
  readonly #isLive = readsKeys();
  /** The last text that Loaf has copied. */
  #copied: string | undefined;
  /** The review page, while its tab is open. */
  #page: PageSession | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { root, person } = options;
    const { again, copy } = options.options;
    const settings = options.settings.watch;
    const input = join(root, settings.input);
    this.#screen = new WatchScreen(root, input, async ({ report }) =>
      copy === true || settings.clipboard.write ? this.#copy(report) : undefined,
    );
    this.#tellOnce = sayingOnce((sentence) => this.#screen.tell(sentence), options.said);
    const confirmCopied = settings.clipboard.read === "ask" ? (text: string) => this.#confirmCopied(text) : undefined;
    this.#watcher = new Watcher({
      ...settings,
      open: () => this.#open(),
      root,
      input,
      again,
      view: this.#screen,
      confirmCopied,
      onItems: (items) => {
        if (person !== undefined) person.items = () => items;
      },
      divert: async (text) => this.#page?.isOpen === true && this.#page.offer(text, settings.input),
    });
  }

  /** Runs until the user quits. */
  async run(): Promise<void> {
    const { root } = this.#options;
    const settings = this.#options.settings.watch;
    const offSignals = this.#onSignals();
    if (this.#isLive) this.#leaveKeys = readKeyCommands(this.#keyHandlers);
    printProse(
      this.#isLive
        ? `Reports are in ${relative(process.cwd(), join(root, settings.output))}`
        : `Watching ${join(root, settings.input)}; reports are in ${join(root, settings.output)}`,
    );
    // A dumb terminal has no status line.
    if (this.#isLive && !this.#screen.line.isLive) print(idleSentence(settings.input, terminalWidth() ?? 80));
    this.#screen.idle();
    try {
      const reading = this.#readClipboard();
      await this.#watcher.run();
      this.#over.abort();
      await reading;
    } finally {
      this.#over.abort();
      this.#leaveTerminal();
      offSignals();
    }
  }

  #open(): Promise<Loaf | undefined> {
    const { root, options, person } = this.#options;
    return this.#unlessUnanswered(() =>
      openProject(
        { ...options, root, asksTrust: true, person, onCopying: (copied) => this.#screen.onCopying(copied) },
        this.#tellOnce,
      ),
    );
  }

  /** Ctrl-C at a question ends what was about to run, and not the watching. */
  async #unlessUnanswered<Value>(act: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await act();
    } catch (thrown) {
      if (!(thrown instanceof Unanswered)) throw thrown;
      this.#screen.tell(`${thrown.message}. Press r, or copy the answer again, to be asked again`);
      return undefined;
    }
  }

  get #keyHandlers(): KeyHandlers {
    return {
      onKey: (key) => this.#press(key),
      onLine: (line) => this.#enter(line),
      onTyping: (line) => this.#screen.typing(line),
      onPaste: () =>
        this.#screen.tell(`Answers are not typed here: save them into ${this.#options.settings.watch.input}`),
    };
  }

  #press(key: string): void {
    const { requests } = this.#watcher;
    const { stopping, report } = this.#screen;
    switch (key) {
      case "r":
        return requests.add({ kind: "again" });
      case "u":
        return this.#enter("undo");
      case "c":
        return this.#enqueue(async () =>
          report === undefined ? this.#screen.tell("There is no report yet") : this.#copy(report),
        );
      case "p":
        return this.#enqueue(() => this.#openPage());
      case "h":
      case "?":
        return this.#screen.tell(help(this.#options.settings.watch.output));
      case "q":
        return this.#quit();
      case "ctrl-c":
        return stopping === undefined ? this.#quit() : this.#stop(stopping);
      default:
    }
  }

  /** @param line without its slash */
  #enter(line: string): void {
    if (["quit", "q", "exit"].includes(line)) this.#quit();
    else if (line === "help") this.#press("h");
    else this.#enqueue(() => runSlashCommand(line, this.#options));
  }

  /** Waits its turn among the runs. */
  #enqueue(act: () => Promise<void>): void {
    this.#watcher.requests.add({ kind: "act", act: () => aside(act) });
  }

  /** Opens the review page, or opens it anew, with the saved text. */
  async #openPage(): Promise<void> {
    const { root, options, settings } = this.#options;
    const { watch, limits } = settings;
    const { showPage, startPage } = await import("./review.ts");
    this.#page ??= await startPage(root, { ...options, root }, () => this.#closePage());
    const text = await readTextFile(join(root, watch.input), limits.max_input).catch(() => undefined);
    if (text !== undefined) await this.#page.offer(text, watch.input);
    await showPage(this.#page);
  }

  #closePage(): void {
    this.#page?.close();
    this.#page = undefined;
    this.#screen.tell("The page is closed: what you save runs again");
  }

  #quit(): void {
    this.#page?.close();
    this.#over.abort();
    this.#watcher.requests.close();
  }

  /** Takes the next step in stopping the current run. After the last one, ends Loaf itself. */
  #stop(stopping: Stopping): void {
    const next = stopping.next();
    if (next !== undefined) return this.#screen.tell(next);
    this.#leaveTerminal();
    process.exit(130);
  }

  /** Handles Ctrl-C where it is a signal, and the signals that end programs. Returns a function that stops. */
  #onSignals(): () => void {
    const onInterrupt = (): void => {
      const { stopping } = this.#screen;
      // With keys, Ctrl-C is a signal only while a command uses the terminal.
      if (this.#isLive) return this.#press("ctrl-c");
      if (stopping !== undefined) this.#stop(stopping);
      this.#quit();
    };
    process.on("SIGINT", onInterrupt);
    const offEnd = onEndSignal(() => {
      this.#screen.stopping?.end();
      this.#quit();
    });
    return () => {
      process.off("SIGINT", onInterrupt);
      offEnd();
    };
  }

  #leaveTerminal(): void {
    this.#leaveKeys();
    this.#screen.line.clear();
  }

  async #copy(report: string): Promise<void> {
    this.#copied = report;
    try {
      const way = await putOnClipboard(report);
      this.#screen.tell(way === "program" ? "The report is on the clipboard." : THROUGH_TERMINAL);
    } catch (thrown) {
      if (!(thrown instanceof ClipboardError)) throw thrown;
      this.#tellOnce(thrown.message);
    }
  }

  /** Passes on copied answers, if the settings say so, until the end. */
  async #readClipboard(): Promise<void> {
    const gesture = this.#gesture();
    if (gesture === undefined) return;
    const { signal } = this.#over;
    const sleep = (milliseconds: number) => setTimeout(milliseconds, undefined, { signal }).catch(() => {});
    const onText = (text: string) => this.#watcher.requests.add({ kind: "text", text });
    await watchClipboard(
      {
        gesture,
        read: readClipboard,
        sleep,
        now: () => performance.now(),
        onText,
        tell: this.#tellOnce,
        lastCopied: () => this.#copied,
      },
      signal,
    );
  }

  #gesture(): Gesture | undefined {
    const { settings, person } = this.#options;
    const { watch, csl } = settings;
    switch (watch.clipboard.read) {
      case "off":
        return undefined;
      case "ask":
        if (person !== undefined) return new SingleCopies();
        this.#screen.tell("There is no terminal to ask at, so copied answers do not run: watch.clipboard.read is ask");
        return undefined;
      case "twice":
        return new PairsOfCopies((text) => blocksIn(text, csl));
    }
  }

  /** Shows what a copied answer would do, and asks. With `--ask`, the run itself shows and asks about each block. */
  async #confirmCopied(text: string): Promise<boolean> {
    const { root, options, person } = this.#options;
    if (options.ask === true && options.yes !== true) return true;
    // Any program may have copied it, so nothing of it runs before the answer.
    const still = { ask: false, dryRun: true, exec: false, hooks: false };
    const project = await openProject({ ...options, ...still, root, person }, () => {});
    const result = await project.execute(text);
    const changes = dryChanges(result, dryRunDiff(project));
    const list = terminalReport(result, { changes: project.changes(), undo: "u" }, screenOf(root));
    const shown = `An answer was copied. It would do this; its commands have not run:\n\n${changes}\n\n${list}`;
    const isAgreed = await this.#unlessUnanswered(async () => person?.ask(shown, "Run it?"));
    return isAgreed === true;
  }
}

/** Returns what identifies the blocks of a text whose syntax has no end markers, whatever is around them. */
function blocksIn(text: string, csl: Settings["csl"]): string[] {
  const parts = read(text, { csl }).parts.filter(({ syntax }) => syntax.endMarker === undefined);
  const items = parts.flatMap((part) => part.read.items);
  return items.flatMap((item) =>
    isBlock(item) && item.diagnostics.length === 0 ? [JSON.stringify([item.properties, item.meant?.place])] : [],
  );
}

function help(output: string): string {
  const use =
    "Save a model's whole answer into the file: blocks that have not run yet are run, and the results appear above it.";
  return `${use} The whole report is in ${output}.
  r  run the text again, also what ran before
  u  undo the last run
  c  copy the last report
  p  open the review page; while its tab is open, it shows what you save, and nothing runs before you say so there
  q  quit
  Ctrl-C  stop a run after the current action; a second time, kill its command; a third time, end Loaf
  ${SLASH_COMMANDS.map((name) => `/${name}`).join(" ")} work like the commands`;
}

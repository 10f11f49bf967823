/** Plays a moment at a terminal, and captures what it shows. */
import { cpSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeClipboard } from "../../support/fake-clipboard.ts";
import { createRepository } from "../../support/repository.ts";
import { openTerminal, type Terminal, until } from "../../support/tmux.ts";
import { type Moment, PROJECT } from "./moments.ts";

/** A kind of terminal. */
export interface Setting {
  readonly columns: number;
  /** Whether colours are allowed. */
  readonly hasColor?: boolean;
  readonly isDumb?: boolean;
  /** Whether standard output is a pipe. */
  readonly isPiped?: boolean;
}

export interface Stage {
  readonly root: string;
  /** Whether keys are read, and a status line is shown. */
  readonly isLive: boolean;
  readonly isPiped: boolean;
  /** Types a command line. */
  readonly run: (command: string) => Promise<void>;
  /** Waits for a question that counts Enter as a no. */
  readonly asks: () => Promise<void>;
  /** Types the answer to a question. */
  readonly answer: (text: string) => Promise<void>;
  readonly keys: (...keys: readonly string[]) => void;
  /** Waits until something is so. */
  readonly waits: (isSo: () => boolean) => Promise<void>;
  /** Waits for what the screen ends with. */
  readonly shows: (end: RegExp) => Promise<void>;
  /** Waits until the command has ended. */
  readonly ends: () => Promise<void>;
  /** Puts a text on the clipboard, as another program does. */
  readonly copy: (text: string) => void;
  readonly captures: () => void;
}

export interface Captured {
  readonly text: string;
  /** Fragments with a style: its name, then what has it. */
  readonly styled: ReadonlyArray<readonly [style: string, fragment: string]>;
  /** Lines that the terminal had to break, since they are longer than it is wide. */
  readonly broken: readonly string[];
  readonly isCursorVisible: boolean;
}

/** Returns the .git of a repository that holds the files of every project. */
export function commitProject(): string {
  return join(createRepository(PROJECT, "--template=").root, ".git");
}

/** @param commits a .git folder, which is copied */
export async function play(moment: Moment, { columns, hasColor = false, isDumb = false, isPiped = false }: Setting, commits: string): Promise<Captured[]> {
  const clipboard = fakeClipboard(moment.copied);
  const env = { ...clipboard.env, NO_COLOR: hasColor ? "" : "1", FORCE_COLOR: "", GIT_CONFIG_NOSYSTEM: "1" };
  // A path of known length, so that lines break where they always do.
  const terminal = openTerminal({ files: { ...PROJECT, ...moment.files }, columns, term: isDumb ? "dumb" : "screen", env, parent: "/tmp" });
  cpSync(commits, join(terminal.root, ".git"), { recursive: true });
  writeFileSync(join(terminal.root, "../later"), LATER, { mode: 0o755 });
  const waits = (isSo: () => boolean): Promise<void> => until(isSo, terminal.screen, MOST);
  const hasChanged = changesOf(terminal);
  // Until the key is on the screen, the question is the one before it: what is logged may come sooner or later.
  let answered = "";
  let isStale = true;
  const shows = async (end: RegExp): Promise<void> => {
    await waits(() => {
      isStale = hasChanged() || isStale;
      if (!isStale) return false;
      const shown = terminal.unbroken();
      isStale = shown === answered;
      return !isStale && end.test(shown.trimEnd());
    });
  };
  const type = async (text: string): Promise<void> => {
    const before = terminal.unbroken().trimEnd();
    terminal.keys("-l", text);
    await waits(() => hasChanged() && terminal.unbroken().trimEnd() === `${before} ${text}`);
    terminal.keys("Enter");
  };
  const captured: Captured[] = [];
  await shows(/^\$$/);
  await moment.play({
    root: terminal.root,
    isLive: !isDumb && !isPiped,
    isPiped,
    // A reader that waits for the end keeps the order of what comes through it and what does not.
    run: (command) => type(isPiped ? `${command} | ${command === "loaf watch" ? "cat" : "later"}` : command),
    asks: () => shows(/\(Enter: no\)$/),
    answer: async (key) => {
      answered = terminal.unbroken();
      terminal.keys("-l", key);
    },
    keys: terminal.keys,
    waits,
    shows,
    ends: () => shows(/(?:\n|\^C)\$$/),
    copy: clipboard.copy,
    captures: () => captured.push(capture(terminal, isPiped)),
  });
  return captured;
}

/** Ctrl-C does not end it. */
const LATER = `#!/bin/sh
trap '' INT
text=$(cat)
printf '%s\\n' "$text"
`;

/** How long a busy machine may take for a step, in milliseconds. */
const MOST = 60_000;

/** Returns a function that tells whether the terminal got anything since it was last called. To look at a screen costs a process. */
function changesOf({ root, tmux }: Terminal): () => boolean {
  const log = join(root, "../written");
  writeFileSync(log, "");
  tmux("pipe-pane", `cat >> '${log}'`);
  let seen = -1;
  return () => {
    const { size } = statSync(log);
    if (size === seen) return false;
    seen = size;
    return true;
  };
}

const MARK = "=== the same screen ===";

/** One call, since a status line changes. */
function capture({ root, tmux }: Terminal, isPiped: boolean): Captured {
  const next = [";", "display-message", "-p", MARK, ";"];
  const screens = tmux("capture-pane", "-p", ...next, "capture-pane", "-p", "-J", ...next, "capture-pane", "-p", "-e", ...next, "display-message", "-p", "#{cursor_flag}");
  const [screen = "", unbroken = "", colored = "", cursor = ""] = screens.replaceAll(/[ \t]+$/gm, "").split(`${MARK}\n`);
  const shown = new Set(screen.split("\n"));
  return {
    text: normalized(isPiped ? unbroken : screen, root).trimEnd().replace(/\n?\$$/, ""),
    styled: fragmentsOf(colored).map(([style, fragment]) => [style, normalized(fragment, root)]),
    broken: unbroken.split("\n").filter((line) => !shown.has(line)),
    isCursorVisible: cursor.trim() === "1",
  };
}

/** Replaces what differs from one time to the next, as far as possible by something as long. */
function normalized(text: string, root: string): string {
  return text
    .replaceAll(root.slice(0, root.lastIndexOf("/")), "/home/ada/src/website")
    .replaceAll(/\/tmp\/loaf-test-\w+\/xclip/g, "/usr/bin/xclip")
    .replaceAll(/\/\S+\/bin\/(rg|git|bwrap)\b/g, "/usr/bin/$1")
    .replaceAll(/\b[0-9a-f]{32}\b/g, "5e0c2f6b7a914d3e8c1f20d9b6a7e453")
    .replaceAll(/(committed |^ *\d+ {2}just now {2})[0-9a-f]{7}\b/gm, "$16676f05")
    .replaceAll(/(is back at\s)[0-9a-f]{10}\b/g, "$11e0c7c2a4b")
    .replaceAll(/── \d\d:\d\d:\d\d ──/g, "── 14:03:27 ──")
    .replaceAll(/\bat \d\d:\d\d\b/g, "at 14:03")
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠹")
    // Where the machine is busy, any action may take long enough to be told.
    .replaceAll(/^([✅❌] \S+ (?!exec ).*) {2}\d+(?:\.\d)? s$/gm, "$1")
    .replaceAll(/ {2}\d+(?:\.\d)? s\b/g, "  2 s")
    .replaceAll(/\bv\d+\.\d+\.\d+\b/g, "v22.11.0")
    .replaceAll(/^loaf \d+\.\d+\.\d+/gm, "loaf 1.0.0");
}

/** Reads what tmux writes: text between sequences that change its style. */
function fragmentsOf(screen: string): Array<readonly [style: string, fragment: string]> {
  const [first = "", ...others] = screen.split("\u001b[");
  let style = new Set<string>();
  const fragments = others.flatMap((piece) => {
    const [sequence = "", codes = ""] = /^([\d;]*)m/.exec(piece) ?? [];
    style = codes.split(";").reduce(changed, style);
    return piece.slice(sequence.length).split("\n").map((line) => [[...style].sort().join(" "), line.trim()] as const);
  });
  if (first.includes("\u001b")) throw new Error("tmux wrote a sequence that changes no style");
  return fragments.filter(([name, fragment]) => name !== "" && fragment !== "" && !/^\d+(?:\.\d)? s$/.test(fragment));
}

function changed(style: ReadonlySet<string>, code: string): Set<string> {
  const number = Number(code);
  const without = (...names: readonly string[]): string[] => [...style].filter((name) => !names.includes(name));
  if (number === 0) return new Set();
  if (number === 22) return new Set(without("bold", "dim"));
  if (number === 27) return new Set(without("inverse"));
  if (number === 49) return new Set(style);
  if (number === 39) return new Set(without(...Object.values(COLORS)));
  const name = ATTRIBUTES[number];
  if (name !== undefined) return new Set([...style, name]);
  return new Set([...without(...Object.values(COLORS)), COLORS[number] ?? `code ${code}`]);
}

const ATTRIBUTES: Readonly<Record<number, string>> = { 1: "bold", 2: "dim", 7: "inverse" };
/** Those that a light and a dark background both show. Any other code keeps its number. */
const COLORS: Readonly<Record<number, string>> = { 31: "red", 32: "green", 33: "yellow", 34: "blue", 35: "magenta", 36: "cyan" };

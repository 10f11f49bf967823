/** Chooses files of a tree with keys: a state, what a key makes of it, and its lines. Knows nothing of a terminal. */
import type { Key } from "node:readline";
import { visibleOnOneLine } from "../../core/visible.ts";

/** The files to choose from. Paths are relative to the root, which is "". */
export interface FileTree {
  /** Returns the entries of a folder, sorted. */
  list(folder: string): ReadonlyArray<{ readonly name: string; readonly isFolder: boolean }>;
  /** Returns the paths of all files. */
  files(): readonly string[];
  /** Returns the tokens of a file, or of all files in a folder. */
  tokensOf(path: string): number;
}

export interface Picking {
  /** Row of the cursor. */
  readonly cursor: number;
  /** Folders that show their entries. */
  readonly open: ReadonlySet<string>;
  /** Files and folders. A folder stands for everything in it. */
  readonly ticked: ReadonlySet<string>;
  /** Shows only files whose path contains it. */
  readonly filter: string;
  /** Whether keys are part of the filter. */
  readonly isTyping: boolean;
  readonly end?: "taken" | "left";
}

export interface PickerRow {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly isFolder: boolean;
}

export function startPicking(ticked: Iterable<string>): Picking {
  return { cursor: 0, open: new Set(), ticked: new Set(ticked), filter: "", isTyping: false };
}

/** Maximum number of rows while a filter is set: nobody reads more. */
const MAX_MATCHES = 1_000;

/** Returns the rows of the tree, or the files that match the filter. Lists only open folders. */
function rowsOf({ open, filter }: Picking, source: FileTree): PickerRow[] {
  if (filter === "") return below("", 0, open, source);
  const wanted = filter.toLowerCase();
  const matches: PickerRow[] = [];
  for (const path of source.files()) {
    if (path.toLowerCase().includes(wanted)) matches.push({ path, name: path, depth: 0, isFolder: false });
    if (matches.length === MAX_MATCHES) break;
  }
  return matches;
}

function below(folder: string, depth: number, open: ReadonlySet<string>, source: FileTree): PickerRow[] {
  return source.list(folder).flatMap(({ name, isFolder }) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    return [
      { path, name, depth, isFolder },
      ...(isFolder && open.has(path) ? below(path, depth + 1, open, source) : []),
    ];
  });
}

/** @param page number of rows that are visible */
export function press(state: Picking, key: Key, source: FileTree, page = 10): Picking {
  if (key.ctrl === true && key.name === "c") return { ...state, end: "left" };
  if (state.isTyping) return type(state, key);
  const rows = rowsOf(state, source);
  const move = (cursor: number): Picking => ({ ...state, cursor: Math.max(0, Math.min(rows.length - 1, cursor)) });
  const row = rows[state.cursor];
  switch (key.name ?? key.sequence) {
    case "up":
    case "k":
      return move(state.cursor - 1);
    case "down":
    case "j":
      return move(state.cursor + 1);
    case "pageup":
      return move(state.cursor - page);
    case "pagedown":
      return move(state.cursor + page);
    case "home":
      return move(0);
    case "end":
      return move(rows.length - 1);
    case "right":
    case "l":
      return row?.isFolder ? { ...state, open: new Set([...state.open, row.path]) } : state;
    case "left":
    case "h":
      return close(state, row, rows);
    case "space":
      return row === undefined ? state : { ...move(state.cursor + 1), ticked: toggled(state.ticked, row.path, source) };
    case "/":
      return { ...state, isTyping: true, filter: "", cursor: 0 };
    case "return":
    case "enter":
      return { ...state, end: "taken" };
    case "escape":
    case "q":
      return state.filter === "" ? { ...state, end: "left" } : { ...state, filter: "", cursor: 0 };
    default:
      return state;
  }
}

function type(state: Picking, { name, sequence = "", ctrl = false }: Key): Picking {
  if (name === "escape") return { ...state, filter: "", isTyping: false, cursor: 0 };
  if (name === "return" || name === "enter" || name === "down") return { ...state, isTyping: false };
  if (name === "backspace") return { ...state, filter: state.filter.slice(0, -1), cursor: 0 };
  return ctrl || sequence < " " || sequence.startsWith("\u007f")
    ? state
    : { ...state, filter: state.filter + sequence, cursor: 0 };
}

/** Closes an open folder, or else moves to the folder that holds the row. */
function close(state: Picking, row: PickerRow | undefined, rows: readonly PickerRow[]): Picking {
  if (row === undefined) return state;
  if (state.open.has(row.path)) return { ...state, open: new Set([...state.open].filter((path) => path !== row.path)) };
  const parent = rows.findIndex(({ path }) => path === parentOf(row.path));
  return parent === -1 ? state : { ...state, cursor: parent };
}

/** Returns whether a path, or a folder that it is in, is ticked. */
export function isTicked(ticked: ReadonlySet<string>, path: string): boolean {
  return ticked.has(path) || (path !== "" && isTicked(ticked, parentOf(path)));
}

/** To untick an entry of a ticked folder, ticks all other entries instead of the folder. */
function toggled(ticked: ReadonlySet<string>, path: string, source: FileTree): ReadonlySet<string> {
  if (!isTicked(ticked, path)) return new Set([...[...ticked].filter((entry) => !entry.startsWith(`${path}/`)), path]);
  const kept = new Set(ticked);
  for (let at = path; ; at = parentOf(at)) {
    if (kept.delete(at)) return kept;
    const parent = parentOf(at);
    for (const { name } of source.list(parent)) {
      const sibling = parent === "" ? name : `${parent}/${name}`;
      if (sibling !== at) kept.add(sibling);
    }
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export interface PickerScreen {
  readonly width: number;
  readonly height: number;
  /** Marks the row of the cursor. Without it, only `>` does. */
  readonly highlight?: (text: string) => string;
}

/** Returns the lines of the screen, at most its height. */
export function pickerLines(
  state: Picking,
  source: FileTree,
  { width, height, highlight = (text) => text }: PickerScreen,
): string[] {
  const rows = rowsOf(state, source);
  const room = visibleRows(height);
  const first = Math.max(0, Math.min(state.cursor - Math.floor(room / 2), rows.length - room));
  const shown = rows.slice(first, first + room).map((row, index) => {
    const isCurrent = first + index === state.cursor;
    const line = rowLine(row, state, source, width, isCurrent);
    return isCurrent ? highlight(line) : line;
  });
  const nothing =
    rows.length > 0
      ? []
      : [fit(state.filter === "" ? "No file may be shown here" : "No file's path contains that", width)];
  const search =
    state.filter === "" && !state.isTyping ? "" : ` · /${visibleOnOneLine(state.filter)}${state.isTyping ? "_" : ""}`;
  return [
    fit(`${total(state, source)}${search}`, width),
    ...shown,
    ...nothing,
    fit(state.isTyping ? TYPING : KEYS, width),
  ].slice(0, height);
}

/** Returns the number of rows that fit between the first and the last line. */
export function visibleRows(height: number): number {
  return Math.max(1, height - 2);
}

const KEYS = "space tick · ←→ close, open · / filter · Enter take · Esc leave unchanged";
const TYPING = "Type a part of the path · Enter keep the filter · Esc clear it";

function rowLine(
  { path, name, depth, isFolder }: PickerRow,
  { ticked, open }: Picking,
  source: FileTree,
  width: number,
  isCurrent: boolean,
): string {
  const tick = isTicked(ticked, path)
    ? "x"
    : isFolder && [...ticked].some((entry) => entry.startsWith(`${path}/`))
      ? "-"
      : " ";
  const sign = isFolder ? (open.has(path) ? "▾ " : "▸ ") : "  ";
  // Counting a folder takes time, so only one that is ticked is counted.
  const count = isFolder && !ticked.has(path) ? "" : shownCount(source.tokensOf(path));
  const left = `${isCurrent ? ">" : " "}[${tick}] ${"  ".repeat(depth)}${sign}${visibleOnOneLine(name)}${isFolder ? "/" : ""}`;
  const room = width - count.length - 1;
  return room < MIN_NAME_WIDTH ? fit(left, width) : `${fit(left, room).padEnd(room)} ${count}`;
}

/** Below this many columns, counts give way to names. */
const MIN_NAME_WIDTH = 20;

function total({ ticked }: Picking, source: FileTree): string {
  const tokens = [...ticked].reduce((sum, path) => sum + source.tokensOf(path), 0);
  return `${ticked.size} ticked, about ${shownCount(tokens)} tokens`;
}

/** `12,345` */
function shownCount(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

function fit(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

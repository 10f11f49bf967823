/**
 * The lines of a terminal: measures and cuts text in its cells, of which most characters take one, East Asian ones and
 * emoji two.
 */
import { stripVTControlCharacters, styleText } from "node:util";
import { largest } from "../core/lists.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import { once } from "../core/once.ts";
import { visibleOnOneLine } from "../core/visible.ts";

/**
 * Returns the cells that one line takes. Its hidden characters must be escaped already, see `core/visible.ts`. Colours
 * take none.
 */
export function cellsOf(text: string): number {
  if (ONE_CELL_EACH.test(text)) return text.length;
  return clustersOf(text.includes("\u001b") ? stripVTControlCharacters(text) : text).reduce(
    (sum, cluster) => sum + cellsOfCluster(cluster),
    0,
  );
}

/** Returns the rows that a line takes on a screen of this width. */
export function screenRowsOf(line: string, width: number): number {
  return Math.max(1, Math.ceil(cellsOf(line) / width));
}

/** Cuts a line to a number of cells. The last one is then `…`. */
export function cutToCells(text: string, most: number): string {
  if (cellsOf(text) <= most) return text;
  let cells = 1;
  let kept = "";
  for (const cluster of clustersOf(text)) {
    cells += cellsOfCluster(cluster);
    if (cells > most) break;
    kept += cluster;
  }
  return most <= 0 ? "" : `${kept}…`;
}

/**
 * Leaves out folders in the middle of a path until it fits: `src/…/button/index.ts`. Cuts the name itself last. Cuts
 * both sides of a move, and keeps its arrow.
 */
export function cutPath(path: string, most: number): string {
  if (cellsOf(path) <= most) return path;
  const arrow = path.indexOf(ARROW);
  if (arrow > 0) {
    const [from, to] = [path.slice(0, arrow), path.slice(arrow + ARROW.length)];
    const room = Math.max(most - ARROW.length, 2);
    // A side that is short leaves its room to the other.
    const half = Math.floor(room / 2);
    const left = Math.min(cellsOf(from), Math.max(half, room - cellsOf(to)));
    return cutPath(from, left) + ARROW + cutPath(to, room - left);
  }
  const [first = "", ...others] = path.split("/");
  for (let left = 1; left < others.length; left++) {
    const short = [first, "…", ...others.slice(left)].join("/");
    if (cellsOf(short) <= most) return short;
  }
  const name = `…/${others.at(-1) ?? first}`;
  return cutToCells(others.length > 0 && cellsOf(name) <= most ? name : (others.at(-1) ?? first), most);
}

/** Breaks a line at spaces so that each part fits. Breaks a longer word anywhere. */
export function wrapToCells(text: string, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (cellsOf(longer) <= most) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (cellsOf(line) > most) {
      const part = cutToCells(line, most + 1).slice(0, -1);
      if (part === "") break;
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return [...lines, line];
}

/**
 * Breaks sentences at spaces so that each line fits. Further parts of a line are indented to where its text starts,
 * after the number of a step or in the last column, if there is room.
 */
export function wrapText(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (cellsOf(line) <= width ? line : wrapLine(line, width)))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  const [head = ""] = /^ *(?:\d\. |\S.{0,40}? {2,})?/.exec(line) ?? [];
  const longest = largest(line.slice(head.length).split(" ").map(cellsOf));
  const isWide = cellsOf(head) > width / 2 || cellsOf(head) + longest > width;
  const start = isWide ? (/^ */.exec(line)?.[0] ?? "") : head;
  const indent = " ".repeat(cellsOf(start) + (isWide ? 2 : 0));
  return (
    start +
    wrapToCells(line.slice(start.length), width - indent.length)
      .join(`\n${indent}`)
      .replaceAll(/ +\n/g, "\n")
  );
}

/** Between the two paths of a move. */
export const ARROW = " -> ";

const ONE_CELL_EACH = /^[ -~]*$/;

/** A character with the marks, selectors and joined emoji that are drawn with it. */
const cluster = once(
  () => /\p{Regional_Indicator}{2}|[^](?:[\p{Mark}\p{Emoji_Modifier}\ufe0f\u200b]|\u200d\p{Extended_Pictographic})*/gu,
);
const wide = once(
  () =>
    /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|[^]\ufe0f)/u,
);

function clustersOf(text: string): string[] {
  return text.match(cluster()) ?? [];
}

function cellsOfCluster(cluster: string): number {
  return wide().test(cluster) ? 2 : 1;
}

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

export interface Screen {
  /** Paths below it are shown relative to it. */
  readonly root: string;
  readonly color: boolean;
  /** Cells of a line. */
  readonly width: number;
}

export function painter(color: boolean): Paint {
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
}

/** Lines of a hint, or of a failed command's output. */
export const MAX_BELOW = 15;

/** Milliseconds from which the duration of an action is worth a mention. */
export const LONG_MS = 1_000;

export function codeLine(line: string, { width }: Screen): string {
  return cutToCells(visibleOnOneLine(line).replaceAll("\t", "    "), width);
}

/** Wraps a text after a mark, with its further lines below its first. */
export function underneath(mark: string, text: string, { width }: Screen): string[] {
  return wrapToCells(text.replaceAll("\t", " "), Math.max(20, width - 3)).map(
    (line, index) => (index === 0 ? mark : "   ") + line,
  );
}

/** `1.5 s`, `12 s`, `3 min 5 s` */
export function durationOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  if (milliseconds < 10_000 && milliseconds % 1_000 > 0) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The last line of a command's output while it runs, to be shown: without colours and secrets. */
export class LastLine {
  #tail = "";

  add(piece: Uint8Array): void {
    this.#tail = (this.#tail + Buffer.from(piece).toString("latin1")).slice(-MAX_TAIL);
  }

  clear(): void {
    this.#tail = "";
  }

  /** A carriage return starts a line anew, as in progress bars. Empty if there is no line yet. */
  text(): string {
    const last = this.#tail.split(/[\r\n]+/).findLast((line) => line.trim() !== "") ?? "";
    const text = Buffer.from(last, "latin1").toString().replace(ESCAPES, "").trim();
    return visibleOnOneLine(maskSecrets(text), MAX_SHOWN).replaceAll("\t", " ");
  }
}

/** Characters of output that may hold its last line, and of a line to show. */
const [MAX_TAIL, MAX_SHOWN] = [4_096, 500];
/** Escape sequences of terminals. */
export const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

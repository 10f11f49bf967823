/** The lines of a terminal, and how text is put into them. */
import { styleText } from "node:util";
import { visibleOnOneLine } from "../core/visible.ts";
import { cutToCells, wrapToCells } from "./cells.ts";
import type { Paint } from "./outcome.ts";

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

/** Finds what an excerpt shows and its merge would drop. */
import { once } from "../core/once.ts";
import { importsIn, isImport } from "./imports.ts";
import { isHead } from "./remarks.ts";
import { isHole } from "./text.ts";

/** Returns a line of an excerpt, trimmed, that a text lacks. Imports may be on a line with others there. */
export function vanishedIn(content: string, text: string): string | undefined {
  const trimmed = new Set(text.split("\n").map((line) => line.trim()));
  const there = once(() => new Set([...trimmed].map(plain)));
  const { lines, all } = importsIn(content);
  return lines
    .filter((_, row) => !all.some(({ first, last }) => row >= first && row <= last))
    .map((line) => line.trim())
    .find(
      (line) =>
        /\w/.test(line) &&
        !STANDS_FOR_MORE.test(line) &&
        !isOutside(line) &&
        !trimmed.has(line) &&
        !there().has(plain(line)),
    );
}

function isOutside(line: string): boolean {
  return isHole(line) || isImport(line) || isHead(line);
}

/** Code with a placeholder behind it. */
const STANDS_FOR_MORE = /(?:\/\/|#|\/\*|--|<!--).*(?:\.{3}|…)/;

/** What divides members comes and goes. */
function plain(line: string): string {
  return line.replaceAll(/\s+/g, "").replace(/[,;]+$/, "");
}

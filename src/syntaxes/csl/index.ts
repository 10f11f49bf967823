import { hasAt, startsLine } from "../source.ts";
import type { Syntax } from "../syntax.ts";
import { advise, cutOff, near } from "./advise.ts";
import { OPENERS } from "./marker.ts";
import { readCsl } from "./read.ts";
import { teach } from "./teach.ts";

/** The command syntax language: operations between markers. One error, and nothing of a text runs. */
export const csl = {
  name: "csl",
  called: "CSL",
  unit: "operation",
  asked: { as: "CSL operations", change: "a SEARCH with REPLACE", write: "a WRITE" },
  isIn: ({ text }, { csl: { start } }) =>
    hasAt(text, start, (at) => startsLine(text, at) && opensAt(text, at + start.length)),
  opens: (line, { csl: { start } }) => line.startsWith(start) && opensAt(line, start.length),
  read: ({ text }, settings) => readCsl(text, settings.csl),
  near,
  advise,
  cutOff,
  teach,
} as const satisfies Syntax;

function opensAt(text: string, at: number): boolean {
  return OPENERS.some((name) => text.startsWith(name, at));
}

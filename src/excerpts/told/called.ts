/** Finds the line of a call that a sentence names: after `compute(3)`. Its name alone may be that of a declaration. */
import { literalPattern } from "../../core/literal.ts";
import type { Part } from "../../addresses/part.ts";
import { isImport } from "../declarations/imports.ts";
import type { Within } from "../text.ts";
import { plain } from "./told.ts";

interface Called {
  readonly rows: readonly string[];
  readonly text: string;
  /** The declarations that have the name of what is called. */
  readonly declared: readonly Part[];
  /** The lines of the function that the sentences put it in. */
  readonly within: Within | undefined;
  /** Whether a declaration is to stand there, and not statements. */
  readonly isDeclaration: boolean;
}

/** Returns the lines that a sentence may mean by a call, 0-based; undefined if it means a declaration, or no call. */
export function linesCalled(code: string, called: Called): readonly number[] | undefined {
  const { rows, text, declared, within, isDeclaration } = called;
  if (!CALL.test(code) || DECLARES.test(code)) return undefined;
  const isBare = /^[^()]*\(\s*\)$/.test(code);
  const isOwn = OWN.test(code);
  const isSure = isOwn || code.endsWith(";") || LITERAL.test(code);
  if (isDeclaration && !isSure) return undefined;
  const heads = new Set(declared.map((part) => headRow(text, rows, part, plain(code))));
  const inside = [...rows.keys()].filter(
    (at) => !heads.has(at) && (within === undefined || (at >= within.first && at <= within.last)),
  );
  const rowsThat = (is: (row: string) => boolean): readonly number[] => inside.filter((at) => is(rows[at] ?? ""));
  const written = stripped(code);
  const whole = rowsThat((row) => stripped(row) === written);
  const matches = whole.length > 0 ? whole : rowsThat((row) => row.includes(written) && !isImport(row));
  if (declared.length === 0) return within !== undefined && matches.length > 0 ? matches : undefined;
  if (within !== undefined) return matches.length > 0 || !isBare ? matches : rowsThat(callsName(plain(code)));
  const isHead = [...heads].some((at) => rows[at]?.includes(written) === true);
  if (isSure && !isHead) return matches;
  // Both the call and the declaration may be meant.
  if (isBare) return whole.length > 0 ? [] : undefined;
  if (matches.length === 0) return undefined;
  return isHead ? [] : matches;
}

/** Returns the row with the name of a declaration, below what stands above that. */
function headRow(text: string, rows: readonly string[], { start }: Part, name: string): number {
  const first = text.slice(0, start).split("\n").length - 1;
  return rows.findIndex((row, at) => at >= first && row.includes(name));
}

function callsName(name: string): (row: string) => boolean {
  const call = new RegExp(`(?<![\\p{L}\\p{N}_$])${literalPattern(name)}\\(`, "u");
  return (row) => call.test(row);
}

function stripped(row: string): string {
  return row
    .trim()
    .replace(/;$/, "")
    .replace(/^await\s+/, "");
}

const CALL = /^[^`]*[\p{L}\p{N}_$?!]\([^`]*\)\s*;?$/u;
/** A word before the name, as heads have it. */
const DECLARES =
  /^(?!(?:await|return|new|yield|throw|raise|go|defer|not|print|puts|echo|var|let|val|const)\s)[\p{L}_][^\s(=]*\s+[^(=]*\(/u;
/** What the object of a method calls itself. */
const OWN = /(?:^|\s)(?:self|this|cls|super\(\)|\$this)(?:\.|->)|^@/;
/** A number or a text among the arguments. */
const LITERAL = /[(,]\s*-?(?:["'\d]|true\b|false\b|None\b|null\b|nil\b)/i;

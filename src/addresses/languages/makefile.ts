import type { FoundPart } from "../part.ts";

/** Finds the rules of a Makefile, each with its recipe, and its variables. Comments right above belong to them. */
export function readMakefile(text: string): FoundPart[] {
  const lines = text.split(/(?<=\n)/);
  const parts: FoundPart[] = [];
  let at = 0;
  let above: number | undefined;
  for (let index = 0; index < lines.length; index++) {
    const [line = "", first] = [lines[index], index];
    const variable = VARIABLE.exec(line)?.[1];
    const name = variable ?? RULE.exec(line)?.[1];
    if (name !== undefined) index = lastLineOf(lines, index, variable === undefined);
    const end = at + lines.slice(first, index + 1).join("").length;
    if (name !== undefined) {
      const kind = variable === undefined ? "rule" : "variable";
      parts.push({ name, kind, start: at, end, from: above ?? at, to: end });
    }
    above = line.startsWith("#") ? (above ?? at) : undefined;
    at = end;
  }
  return parts;
}

/** Returns the index of the last line of a variable, or of a rule with the recipe below it. */
function lastLineOf(lines: readonly string[], first: number, isRule: boolean): number {
  let last = first;
  const goesOn = (index: number): boolean => /\\\r?\n?$/.test(lines[index] ?? "");
  while (goesOn(last)) last++;
  if (!isRule) return last;
  for (let next = last + 1; next < lines.length; next++) {
    const line = lines[next] ?? "";
    if (line.startsWith("\t") || goesOn(next - 1)) last = next;
    else if (line.trim() !== "" && !line.startsWith("#")) break;
  }
  return last;
}

/** `CC = gcc`, `export CFLAGS += -O2`. */
const VARIABLE = /^(?:export +|override +)*([\w.-]+)[ \t]*(?::{0,3}|[?+!])=/;
/** `app: main.o`, `%.o: %.c`, `all::`. */
const RULE = /^([^\s#:=$(][^#:=]*?|\$\([^)\n]*\)[^#:=]*?)[ \t]*::?(?!=)/;

/** Puts new statements beside the only known ones of a fragment, where nothing else stands on that side of them. */
import { type PlacedLines } from "../text.ts";
import { type Around, blockAround, readStatements, replacedStatements, statementsIn } from "./statements.ts";

/**
 * Places a fragment that begins with statements of a block up to its end, or ends with statements from its beginning.
 * What is new replaces nothing then. Undefined if this tells no single place.
 */
export function placeAtEdge(file: string, content: string, { within, isUse }: Around): PlacedLines | undefined {
  const { rows, lines, shown } = readStatements(file, content, within);
  const isThere = (text: string): boolean => lines.some((line) => line.text === text.split("\n", 1)[0]);
  const known = shown.filter(({ text }) => isThere(text));
  const [first, last] = [shown[0], shown.at(-1)];
  if (isUse || known.length === 0 || known.length === shown.length || first === undefined || last === undefined)
    return undefined;
  const isBegin = known.every((statement, index) => shown[index] === statement);
  const isEnd = known.every((statement, index) => shown[shown.length - known.length + index] === statement);
  const places = lines.filter(({ text }) => text === known[0]?.text.split("\n", 1)[0]);
  const block =
    places.length === 1
      ? blockAround(
          rows,
          places.map(({ at }) => at),
        )
      : undefined;
  const old = block && statementsIn(rows, block);
  const from = old?.findIndex((statement) => statement.first === places[0]?.at) ?? -1;
  const same = old?.slice(from, from + known.length) ?? [];
  const areSame =
    from !== -1 && same.length === known.length && same.every(({ text }, index) => text === known[index]?.text);
  // Nothing runs below a return.
  const isLeft = isBegin && LEAVES.test(known.at(-1)?.text ?? "");
  const isAtEdge = isLeft ? false : isBegin ? from + known.length === old?.length : isEnd && from === 0;
  const [begin, end] = [same[0], same.at(-1)];
  if (!areSame || !isAtEdge || begin === undefined || end === undefined || block?.first === 0) return undefined;
  return replacedStatements(file, content, { first: begin.first, last: end.last });
}

const LEAVES = /^(?:break|continue|raise|return|throw)\b/;

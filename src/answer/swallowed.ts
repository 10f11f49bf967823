/** Names what stands below a block that never ends: it may be text of that block, so none of it is read. */
import { isBlock } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { fenceIn, FenceTracker } from "../syntaxes/fence.ts";
import { linesOf } from "../syntaxes/line-blocks.ts";
import { listed } from "../syntaxes/lines.ts";
import type { Source } from "../syntaxes/source.ts";
import type { Part } from "../syntaxes/syntax.ts";
import type { Outermost } from "./outermost.ts";

/** @param parts the syntaxes as each reads the whole text */
export function swallowedIn(source: Source, parts: readonly Part[], outermost: Outermost): Finding[] {
  const open = outermost.all.at(-1);
  if (open === undefined || open.isOpen !== true) return [];
  const others = parts.filter(({ syntax }) => syntax !== open.syntax).flatMap(({ read }) => read.items.filter(isBlock));
  const blocks = others.map(linesOf).filter(({ first }) => first > open.first);
  blocks.sort((left, right) => left.first - right.first);
  const starts = new Set(blocks.map(({ first }) => first));
  const fences = fencesBelow(source, open.first);
  source.visitOutside(blocks, (_, line) => fences.has(line) && starts.add(line));
  const below = [...starts].sort((left, right) => left - right);
  const [line] = below;
  if (line === undefined) return [];
  const what = `what begins in ${listed(below)} may be text of the ${open.syntax.unit} in line ${open.first}, which never ends`;
  return [{ code: "answer/not-read", line, message: `not read: ${what}` }];
}

/** Returns the lines that open code fences below a line. The first fence there may end one around the block. */
function fencesBelow(source: Source, line: number): ReadonlySet<number> {
  const tracker = new FenceTracker();
  const opened = new Set<number>();
  for (let number = 1; number <= source.count; number++) {
    const opens = tracker.read(source.at(number - 1), number) === "opens";
    if (number > line && (opens || (fenceIn(source.at(number - 1))?.info ?? "") !== "")) opened.add(number);
  }
  return opened;
}

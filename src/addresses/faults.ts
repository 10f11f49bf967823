import type { Node, Tree } from "web-tree-sitter";
import { bracketsIn } from "./brackets.ts";
import { MAX_NODES } from "./certainty.ts";
import type { Grammar } from "./grammar.ts";
import type { Fault, ReadSyntax, Syntax } from "./syntax.ts";

/** Returns what a tree tells about the syntax of its text. */
export function syntaxIn(
  { rootNode: root }: Tree,
  { layoutFaults }: Pick<Grammar, "layoutFaults">,
  wantsBrackets: Parameters<ReadSyntax>[1] = "if broken",
): Syntax {
  const faults = root.hasError ? faultsIn(root) : (layoutFaults?.(root) ?? []);
  const needsBrackets = (wantsBrackets === "always" || root.hasError) && root.descendantCount <= MAX_NODES;
  return { faults, brackets: needsBrackets ? bracketsIn(root) : [] };
}

/** Enough to find one near the change. A text in another language is nothing but faults. */
const MAX_FAULTS = 100;

/** Returns the outermost damaged nodes. */
function faultsIn(root: Node): Fault[] {
  const faults: Fault[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined && faults.length < MAX_FAULTS; node = pending.pop()) {
    const { startIndex: start, endIndex: end } = node;
    if (node.isMissing) faults.push({ start, end, ...(/\W/.test(node.type) && { missing: node.type }) });
    else if (node.isError) faults.push({ start, end });
    else {
      pending.push(
        ...(node.children
          .filter((child) => child !== null && (child.hasError || child.isMissing))
          .toReversed() as Node[]),
      );
    }
  }
  return faults;
}

/** Moves all places of a syntax. */
export function shiftSyntax({ faults, brackets }: Syntax, by: number): Syntax {
  return {
    faults: faults.map((fault) => ({ ...fault, start: fault.start + by, end: fault.end + by })),
    brackets: brackets.map(({ type, start }) => ({ type, start: start + by })),
  };
}

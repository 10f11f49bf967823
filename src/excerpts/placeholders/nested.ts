/** Fills placeholders inside the blocks of a declaration: each from the old text's block that is the same one. */
import { placedAlike } from "./fill.ts";
import { dedented, indentOf, mayBeAlike, reindented } from "../text.ts";

/** A statement, with the deeper lines below it and what closes it. */
interface Node {
  readonly head: string;
  /** The blank lines above it. */
  readonly blank: readonly string[];
  /** A bracket on a line of its own that opens its body. */
  readonly open: readonly string[];
  readonly body: readonly Node[];
  /** The lines that close it. */
  readonly tail: readonly string[];
  /** What continues it, as `} else {` does. */
  readonly further: readonly Node[];
}

interface Filling {
  readonly isHole: (line: string) => boolean;
  /** Whether a sentence wraps something: in a condition, in a loop. */
  readonly isWrapped: boolean;
}

/**
 * Returns a new text with the old lines that its placeholders stand for, and whether a new block is put around some of
 * them. Undefined if nobody can tell which are meant, or if it would lose a line that no placeholder stands for.
 */
export function filledInBlocks(
  old: string,
  now: string,
  filling: Filling,
): { readonly text: string; readonly isAround: boolean } | undefined {
  const [olds, nows] = [nodesIn(old.split("\n")), nodesIn(now.split("\n"))];
  // Of the declaration itself, the head may have changed.
  const [top, fresh] = [olds[0], nows[0]];
  const isOne = olds.length === 1 && nows.length === 1 && mayBeAlike(top?.head.trim() ?? "", fresh?.head.trim() ?? "");
  const filler = new Filler(filling);
  const body = isOne ? filler.level(top?.body ?? [], fresh?.body ?? []) : undefined;
  const nodes = isOne ? body && fresh && [{ ...fresh, body }] : filler.level(olds, nows);
  return (
    nodes && { text: nodes.flatMap(linesOf).join("\n") + now.slice(now.trimEnd().length), isAround: filler.isAround }
  );
}

class Filler {
  /** Set where a new block is put around old statements. */
  isAround = false;
  readonly #isHole: (line: string) => boolean;
  readonly #isWrapped: boolean;

  constructor({ isHole, isWrapped }: Filling) {
    this.#isHole = (line) => isHole(line.trim());
    this.#isWrapped = isWrapped;
  }

  level(olds: readonly Node[], nows: readonly Node[]): readonly Node[] | undefined {
    const place = nows.findIndex((node) => this.#hasHoleInside(node) && !olds.some((old) => isSame(old, node)));
    if (place !== -1) {
      const around = this.#around(olds, nows, place);
      return around && this.level(...around);
    }
    if (nows.some((node, at) => this.#isCut(node, nows[at + 1], olds))) return undefined;
    const deep = nows.map((node) => (this.#hasHoleInside(node) ? this.#node(node, olds, nows) : node));
    if (!deep.every((node) => node !== undefined)) return undefined;
    if (!nows.some(({ head }) => this.#isHole(head))) return keepsAll(olds, nows) ? deep : undefined;
    const places = placedAlike(headsOf(olds), headsOf(nows), (line) => this.#isHole(line));
    return places?.flatMap(({ isOld, at }, index) => {
      const node = (isOld ? olds : deep)[at];
      const isBelowHole = !isOld && places[index - 1]?.isOld === true;
      const same = isBelowHole ? olds.find(({ head }) => head === node?.head) : undefined;
      return node === undefined ? [] : [{ ...node, blank: same?.blank ?? node.blank }];
    });
  }

  /**
   * Puts a new block around the old statements between its neighbours, and returns the old and the new ones with it.
   * Undefined if it may be the new form of one of them, or if a placeholder beside it may stand for some.
   */
  #around(olds: readonly Node[], nows: readonly Node[], place: number): readonly [Node[], Node[]] | undefined {
    const block = nows[place] as Node;
    if (!IS_BLOCK.test(block.head)) return undefined;
    const isKnown = (node: Node): boolean => this.#isHole(node.head) || olds.some((old) => isSame(old, node));
    const [above, below] = [nows.slice(0, place).findLast(isKnown), nows.slice(place + 1).find(isKnown)];
    const first = above === undefined ? Number(DOCUMENTS.test(olds[0]?.head ?? "")) : onlyPlace(olds, above) + 1;
    const last = below === undefined ? olds.length : onlyPlace(olds, below);
    const inside = olds.slice(first, last);
    if ((above !== undefined && first === 0) || last < first || inside.length === 0) return undefined;
    const fresh = nows.filter((node) => !isKnown(node));
    if (fresh.some((node) => inside.some((old) => mayBeAlike(old.head.trim(), node.head.trim())))) return undefined;
    const [only, another] = inside;
    const isNewHead = another === undefined && only !== undefined && only.body.length > 0;
    if (isNewHead && !this.#isWrapped && (!ENCLOSES.test(block.head) || ENCLOSES.test(only.head))) return undefined;
    const filled = this.#filledAround(block, inside);
    if (filled === undefined) return undefined;
    this.isAround = true;
    const documentation = above === undefined ? olds.slice(0, first) : [];
    return [
      [...olds.slice(0, first), filled, ...olds.slice(last)],
      [...documentation, ...nows.with(place, filled)],
    ];
  }

  /** Fills the only body of a block that has placeholders from statements that stood outside of it. */
  #filledAround(block: Node, inside: readonly Node[]): Node | undefined {
    const chain = [block, ...block.further];
    const [place, another] = [...chain.keys()].filter((at) => this.#hasHole(chain[at]?.body ?? []));
    const holder = place === undefined ? undefined : chain[place];
    if (holder === undefined || another !== undefined) return undefined;
    if (!this.#isWrapped && !holder.body.every(({ head }) => this.#isHole(head))) return undefined;
    const text = inside.flatMap(linesOf).join("\n");
    // What stands in a text of several lines may not move.
    if (HAS_LONG_TEXT.test(text)) return undefined;
    const moved = reindented(dedented(text), indentOf(holder.body[0]?.head ?? ""), text);
    const body = this.level(nodesIn(moved.split("\n")), holder.body);
    const [head, ...further] = chain.with(place ?? 0, { ...holder, body: body ?? [] });
    return body && head && { ...head, further };
  }

  /** Fills a block from the old one that has its head, if neither text has another one. */
  #node(node: Node, olds: readonly Node[], nows: readonly Node[]): Node | undefined {
    const [pair, other] = olds.filter((old) => isSame(old, node));
    const isOne = other === undefined && nows.filter((one) => isSame(one, node)).length === 1;
    // Which branch is which, nobody can tell.
    if (pair === undefined || !isOne || pair.further.length + node.further.length > 0) return undefined;
    const body = this.level(pair.body, node.body);
    return body && { ...node, body };
  }

  /** Returns whether a placeholder below a block that nothing closes may stand for lines of it, as it lacks some. */
  #isCut(node: Node, below: Node | undefined, olds: readonly Node[]): boolean {
    const end = node.further.at(-1) ?? node;
    const isOpen = below !== undefined && this.#isHole(below.head) && end.body.length > 0 && end.tail.length === 0;
    const same = isOpen ? olds.filter((old) => isSame(old, node)) : [];
    return same.length > 0 && !same.some((old) => keepsAll((old.further.at(-1) ?? old).body, end.body));
  }

  #hasHole(nodes: readonly Node[]): boolean {
    return nodes.some((node) => this.#isHole(node.head) || this.#hasHoleInside(node));
  }

  #hasHoleInside({ body, further }: Node): boolean {
    return this.#hasHole(body) || further.some((node) => this.#hasHoleInside(node));
  }
}

function isSame(one: Node, other: Node): boolean {
  return one.head.trim() === other.head.trim();
}

/** Returns the index of the only statement of a level that has a head. -1 if there are others. */
function onlyPlace(nodes: readonly Node[], wanted: Node): number {
  const [only = -1, other] = [...nodes.keys()].filter((at) => isSame(nodes[at] as Node, wanted));
  return other === undefined ? only : -1;
}

/** Returns whether each old statement of a level is a new one too, or may have become one, in their order. */
function keepsAll(olds: readonly Node[], nows: readonly Node[]): boolean {
  let from = 0;
  return olds.every(({ head }) => {
    const same = nows.findIndex((node, at) => at >= from && node.head.trim() === head.trim());
    const isNew = (node: Node): boolean => !olds.some((old) => old.head.trim() === node.head.trim());
    const alike = nows.findIndex((node, at) => at >= from && isNew(node) && mayBeAlike(node.head.trim(), head.trim()));
    const place = same === -1 ? alike : same;
    from = place + 1;
    return place !== -1;
  });
}

function headsOf(nodes: readonly Node[]): readonly string[] {
  return nodes.map(({ head }) => head);
}

function linesOf({ head, blank, open, body, tail, further }: Node): readonly string[] {
  return [...blank, head, ...open, ...body.flatMap(linesOf), ...tail, ...further.flatMap(linesOf)];
}

function nodesIn(lines: readonly string[]): readonly Node[] {
  const nodes: Node[] = [];
  let blank: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const head = lines[at] ?? "";
    const last = nodes.at(-1);
    if (head.trim() === "") {
      blank.push(head);
      continue;
    }
    const end = last?.further.at(-1) ?? last;
    if (last !== undefined && end?.tail.length === 0 && CLOSES_ALONE.test(head))
      nodes[nodes.length - 1] = withEnd(last, { ...end, tail: [...blank, head] });
    else {
      const inside = lines.slice(at + 1, endOfBody(lines, at));
      const deeper = inside.slice(0, inside.findLastIndex((line) => line.trim() !== "") + 1);
      const node = { head, blank, open: [], body: nodesIn(deeper), tail: [], further: [] };
      const opens = last !== undefined && end !== undefined && end.body.length === 0 && end.tail.length === 0;
      if (opens && OPENS_ALONE.test(head))
        nodes[nodes.length - 1] = withEnd(last, { ...end, open: [...end.open, ...blank, head], body: node.body });
      else if (last !== undefined && GOES_ON.test(head))
        nodes[nodes.length - 1] = { ...last, further: [...last.further, node] };
      else nodes.push(node);
      at += deeper.length;
    }
    blank = [];
  }
  return nodes;
}

/** Returns the line below the deeper ones that follow a head. */
function endOfBody(lines: readonly string[], head: number): number {
  const depth = indentOf(lines[head] ?? "").length;
  const isDeeper = (line: string): boolean => line.trim() === "" || indentOf(line).length > depth;
  let end = head + 1;
  while (end < lines.length && isDeeper(lines[end] ?? "")) end += 1;
  return end;
}

/** Replaces the last part of a statement. */
function withEnd(node: Node, end: Node): Node {
  return node.further.length === 0 ? end : { ...node, further: [...node.further.slice(0, -1), end] };
}

/** Closes what is above it, and opens nothing: `});`, `end`. */
const CLOSES_ALONE = /^\s*(?:[)}\]]+[)}\];,]*|<\/[\w.-]+>|end\b[);,]*)\s*$/;
const OPENS_ALONE = /^\s*\{\s*$/;
/** A statement with a body: no declaration, key or case. */
const IS_BLOCK =
  /^\s*(?:(?:async with|if|unless|for(?:each)?|while|until|try|with|using|lock|synchronized|unsafe|do|begin|loop)\b|<\p{L}|(?:await |return )?[\w.]+\(.*(?:=>|\bfunction\s*\(.*\))\s*\{\s*$|[\w.]+.*\bdo(?: \|.*\|)?\s*$)/u;
/** The documentation of a function, on one line. */
const DOCUMENTS = /^\s*[rbu]*(["'])(?:\1\1)?[^"']*\1(?:\1\1)?;?\s*$/;
/** Quotes of several lines, and heredocs: more indentation would change what they say. */
const HAS_LONG_TEXT = /"""[^"]*\n|'''[^']*\n|`[^`\n]*\n|<<[-~]?["']?\p{L}/u;
/** Statements that are there to have others in them. */
const ENCLOSES = /^\s*(?:try|begin|lock|synchronized|unsafe|with|async with|using)\b/;
/** `} else {`, `) {`, `>`, `{` alone, `else:` */
const GOES_ON =
  /^\s*(?:[)}\]>{(]|<\/|[^\p{L}\p{N}_/#"'*]*$|(?:else|elif|elsif|except|finally|catch|rescue|ensure|then|do)\b)/u;

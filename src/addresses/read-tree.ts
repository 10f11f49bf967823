import type { Node, Tree } from "web-tree-sitter";
import { attacher, judge, type Span, toRemarks } from "./certainty.ts";
import type { Grammar, PartRule } from "./grammar.ts";
import type { FoundPart } from "./part.ts";

/** A relevant node that encloses others. */
interface Scope extends Span {
  readonly isLocal: boolean;
  /** The only child of a wrapper, which the part then extends to. */
  readonly wraps?: Span & { readonly id: number };
}

/**
 * Reads the parts of a tree. Collects all relevant nodes at once, because asking each for its parent would take
 * quadratic time.
 */
export function readTree(tree: Tree, text: string, grammar: Grammar): FoundPart[] {
  const types = typesOf(grammar);
  const nodes = tree.rootNode.descendantsOfType([...types.all]).filter((node) => node !== null);
  // Each one asks the parser.
  const typed = nodes.map(({ type }) => type);
  const above = nodes.filter((_, index) => types.above.has(typed[index] as string));
  const attach = attacher(
    toRemarks(above, text, (type) => types.comments.has(type)),
    text,
  );
  const isCertain = judge(tree, grammar.endsByIndentation !== true);
  const open: Scope[] = [];
  const parts: Array<FoundPart & { readonly joinsNext: boolean }> = [];
  for (const [index, node] of nodes.entries()) {
    const { startIndex: start, endIndex: end } = node;
    const type = typed[index] as string;
    while ((open.at(-1)?.end ?? Infinity) <= start) open.pop();
    const around = open.at(-1);
    const isLocal = around?.isLocal === true || types.functions.has(type);
    const span = around?.wraps?.id === node.id ? around.wraps : { start, end };
    const rule = grammar.parts[type];
    const name = rule === undefined || (around?.isLocal && isOnlyGlobal(node, rule)) ? undefined : nameOf(node, rule);
    if (rule !== undefined && name !== undefined) {
      // Some grammars include the newline after a directive.
      const stop = span.start + text.slice(span.start, rule.last?.(node)?.endIndex ?? span.end).trimEnd().length;
      const to = grammar.hasSemicolons ? withSemicolon(text, stop) : stop;
      parts.push({
        name,
        alias: rule.alias?.(node),
        kind: kindOf(node, rule),
        start,
        end,
        from: attach(span.start),
        to,
        isUncertain: !isCertain(node),
        joinsNext: rule.joinsNext === true,
      });
    }
    const wrapped = types.wrappers.has(type) ? onlyChild(node, types) : undefined;
    open.push({ start, end, isLocal, ...(wrapped !== undefined && { wraps: { ...span, id: wrapped.id } }) });
  }
  return joined(parts, text);
}

interface Types {
  readonly functions: ReadonlySet<string>;
  readonly wrappers: ReadonlySet<string>;
  readonly comments: ReadonlySet<string>;
  readonly above: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

function typesOf({ parts, functions, wrappers = [], comments, attributes = [] }: Grammar): Types {
  const above = new Set([...comments, ...attributes]);
  return {
    functions: new Set(functions),
    wrappers: new Set(wrappers),
    comments: new Set(comments),
    above,
    all: new Set([...Object.keys(parts), ...functions, ...wrappers, ...above]),
  };
}

function nameOf(node: Node, { name }: PartRule): string | undefined {
  return name === undefined ? node.childForFieldName("name")?.text : name(node);
}

function isOnlyGlobal(node: Node, { notLocal = false }: PartRule): boolean {
  return typeof notLocal === "function" ? notLocal(node) : notLocal;
}

function kindOf(node: Node, { kind }: PartRule): FoundPart["kind"] {
  return typeof kind === "function" ? kind(node) : kind;
}

/** Returns the only part or inner wrapper in a wrapper. */
function onlyChild(wrapper: Node, { all, above }: Types): Node | undefined {
  const [child, second] = wrapper.namedChildren.filter(
    (node) => node !== null && all.has(node.type) && !above.has(node.type),
  );
  return second === undefined ? (child ?? undefined) : undefined;
}

function withSemicolon(text: string, end: number): number {
  const [all = ""] = /^[ \t]*;/.exec(text.slice(end, end + 100)) ?? [];
  return end + all.length;
}

/** Merges consecutive overloads into one part. */
function joined(parts: ReadonlyArray<FoundPart & { readonly joinsNext: boolean }>, text: string): FoundPart[] {
  const kept: Array<FoundPart & { readonly joinsNext: boolean }> = [];
  for (const part of parts) {
    const last = kept.at(-1);
    const continues =
      last?.joinsNext === true &&
      last.name === part.name &&
      last.to <= part.from &&
      text.slice(last.to, part.from).trim() === "";
    if (continues) {
      kept[kept.length - 1] = {
        ...part,
        start: last.start,
        from: last.from,
        ...(!part.joinsNext && { definition: part.from }),
        isUncertain: last.isUncertain === true || part.isUncertain === true,
      };
    } else kept.push(part);
  }
  return kept;
}

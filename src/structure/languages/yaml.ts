import { isMap, isScalar, isSeq, parseAllDocuments, type ParsedNode, type YAMLMap, type YAMLSeq } from "yaml";
import type { Found } from "../part.ts";
import { Unreadable } from "../unreadable.ts";

/** Keys with their values, and the items of lists by their number from 0; where a file holds several documents, those by their number. */
export function readYaml(text: string): Found[] {
  const documents = parse(text);
  const found: Found[] = [];
  const pending: ParsedNode[] = [];
  for (const [index, { contents, range }] of documents.entries()) {
    if (documents.length > 1) found.push({ name: String(index), kind: "document", start: range[0], end: range[2], from: range[0], to: range[1] });
    if (contents !== null) pending.push(contents);
  }
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const { part, value } of isMap(node) ? keysOf(node, text) : isSeq(node) ? itemsOf(node, text) : []) {
      found.push(part);
      if (value !== null) pending.push(value);
    }
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** UTF-16 units. A million take a second, and more where the file is all keys. */
const LARGEST = 2_000_000;

type Parsed = ReturnType<typeof parseAllDocuments<ParsedNode>>;

/** What YAML takes for an error may end anywhere, so nothing in the file has a certain place then. */
function parse(text: string): Exclude<Parsed, { readonly empty: true }> {
  if (text.length > LARGEST) throw new Unreadable(`it has over ${LARGEST / 1_000_000} million characters, which would take too long`);
  const parsed = attempt(() => parseAllDocuments<ParsedNode>(text, { uniqueKeys: false, logLevel: "silent" }));
  if ("empty" in parsed) return [];
  const error = parsed.flatMap(({ errors }) => errors)[0];
  if (error !== undefined) throw new Unreadable(error.message.split("\n")[0]?.replace(/:$/, "") ?? "");
  return parsed;
}

function attempt<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new Unreadable("it is nested too deeply");
    throw thrown;
  }
}

interface Child {
  readonly part: Found;
  readonly value: ParsedNode | null;
}

function keysOf(map: YAMLMap.Parsed, text: string): Child[] {
  return map.items.map(({ key, value }) => {
    const start = key.range[0];
    const name = isScalar(key) ? String(key.source ?? key.value) : text.slice(start, key.range[1]);
    return { part: toPart(text, { name, kind: "key", start, end: (value ?? key).range[1] }), value };
  });
}

/** The dash belongs to its item, as do an anchor and a tag. */
function itemsOf(list: YAMLSeq.Parsed, text: string): Child[] {
  return list.items.map((item, index) => {
    const value = item as ParsedNode;
    const [begin, end] = value.range;
    const before = list.flow === true ? "" : (/-\s+(?:[&!]\S*\s+)*$/.exec(text.slice(Math.max(list.range[0], begin - LONGEST_BEFORE), begin))?.[0] ?? "");
    return { part: toPart(text, { name: String(index), kind: "item", start: begin - before.length, end }), value };
  });
}

/** UTF-16 units of what may stand between a dash and its value. */
const LONGEST_BEFORE = 500;

/** With the comments right above, and without the white space after. */
function toPart(text: string, { name, kind, start, end }: Pick<Found, "name" | "kind" | "start" | "end">): Found {
  const isFlat = end <= start;
  const to = isFlat ? start : start + text.slice(start, end).trimEnd().length;
  return { name, kind, start, end: Math.max(end, to), from: withCommentsAbove(text, start), to };
}

function withCommentsAbove(text: string, start: number): number {
  let from = text.lastIndexOf("\n", start - 1) + 1;
  const indent = text.slice(from, start);
  if (indent.trim() !== "") return start;
  while (from > 0) {
    const above = text.lastIndexOf("\n", from - 2) + 1;
    if (!text.startsWith(`${indent}#`, above)) break;
    from = above;
  }
  return from;
}

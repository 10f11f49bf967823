import {
  CST, isMap, isScalar, isSeq, Lexer, parseAllDocuments, type ParsedNode, type YAMLMap, type YAMLSeq
} from "yaml";
import { isNestedTooDeeply } from "../../core/yaml-nesting.ts";
import { lineAt } from "../../edit/lines.ts";
import type { FoundPart } from "../part.ts";
import type { SourceReader, SourceSyntax } from "../syntax.ts";
import { Unreadable } from "../grammar.ts";

export const yaml: SourceReader = { read: readYaml, syntax: readSyntax, reliable: "exact" };

/** Finds keys with their values, and list items and multiple documents by 0-based index. */
function readYaml(text: string): FoundPart[] {
  const documents = parse(text);
  const parts: FoundPart[] = [];
  const pending: ParsedNode[] = [];
  for (const [index, { contents, range }] of documents.entries()) {
    if (documents.length > 1) {
      parts.push({
        name: String(index), kind: "document", start: range[0], end: range[2], from: range[0], to: range[1]
      });
    }
    if (contents !== null) pending.push(contents);
  }
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const { part, value } of isMap(node) ? keysOf(node, text) : isSeq(node) ? itemsOf(node, text) : []) {
      parts.push(part);
      if (value !== null) pending.push(value);
    }
  }
  return parts.sort((a, b) => a.start - b.start || b.end - a.end);
}

const MAX_LEVELS = 500;

/** Maximum length in UTF-16 units. A million takes a second, or more if the file consists of keys. */
const MAX_LENGTH = 2_000_000;

/** A YAML text has no brackets to count: the parser itself says what is wrong. A template is YAML only once it is filled. */
function readSyntax(text: string): SourceSyntax {
  if (TEMPLATE.test(text)) return { faults: [], brackets: [] };
  const faults = documentsOf(text).flatMap(({ errors }) =>
    errors.map(({ message, pos: [start, end] }) => ({ start, end, problem: message })),
  );
  return { faults, brackets: [] };
}

/** Tags of Helm, Jinja and ERB, but no `${{ … }}` of GitHub, which is text in YAML. */
const TEMPLATE = /(?<!\$)\{\{|\{%|<%/;

type Documents = Exclude<ReturnType<typeof parseAllDocuments<ParsedNode>>, { readonly empty: true }>;

/** After a YAML error nodes may end anywhere, so no place in the file is certain. */
function parse(text: string): Documents {
  const parsed = documentsOf(text);
  const error = parsed.find(({ errors }) => errors.length > 0)?.errors[0];
  if (error !== undefined) throw new Unreadable(`${error.message} at ${lineAndColumn(text, error.pos[0])}`);
  return parsed;
}

function documentsOf(text: string): Documents {
  if (text.length > MAX_LENGTH)
    throw new Unreadable(`it has over ${MAX_LENGTH / 1_000_000} million characters, which would take too long`);
  if (isNestedTooDeeply({ Lexer, CST }, text, MAX_LEVELS)) throw new Unreadable("it is nested too deeply");
  const parsed = attempt(() =>
    parseAllDocuments<ParsedNode>(text, { uniqueKeys: false, logLevel: "silent", prettyErrors: false }),
  );
  return "empty" in parsed ? [] : parsed;
}

function attempt<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new Unreadable("it is nested too deeply");
    throw thrown;
  }
}

/** The library's own line lookup scans the whole text for each error. */
function lineAndColumn(text: string, offset: number): string {
  const column = offset - text.lastIndexOf("\n", offset - 1);
  return `line ${lineAt(text, offset)}, column ${column}`;
}

interface Child {
  readonly part: FoundPart;
  readonly value: ParsedNode | null;
}

function keysOf(map: YAMLMap.Parsed, text: string): Child[] {
  return map.items.map(({ key, value }) => {
    const start = key.range[0];
    const name = isScalar(key) ? String(key.source ?? key.value) : text.slice(start, key.range[1]);
    return { part: toPart(text, { name, kind: "key", start, end: (value ?? key).range[1] }), value };
  });
}

/** The dash belongs to its item, like an anchor and a tag. */
function itemsOf(list: YAMLSeq.Parsed, text: string): Child[] {
  return list.items.map((item, index) => {
    const value = item as ParsedNode;
    const [begin, end] = value.range;
    const start = list.flow === true ? begin : dashBefore(text, begin, list.range[0]);
    return { part: toPart(text, { name: String(index), kind: "item", start, end }), value };
  });
}

/**
 * Returns the offset of an item's dash, if only anchors and tags are between it and the value, else the value's own
 * start.
 */
function dashBefore(text: string, begin: number, from: number): number {
  for (let end = begin; ; ) {
    let wordEnd = end;
    while (wordEnd > from && isSpace(text.charCodeAt(wordEnd - 1))) wordEnd -= 1;
    let start = wordEnd;
    while (start > from && !isSpace(text.charCodeAt(start - 1))) start -= 1;
    if (start === wordEnd || wordEnd === end) return begin;
    if (text.startsWith("-", start) && wordEnd === start + 1) return start;
    if (!text.startsWith("&", start) && !text.startsWith("!", start)) return begin;
    end = start;
  }
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

/** Includes the comments directly above, and excludes trailing white space. */
function toPart(text: string, part: Pick<FoundPart, "name" | "kind" | "start" | "end">): FoundPart {
  const { name, kind, start, end } = part;
  const isFlat = end <= start;
  const to = isFlat ? start : start + text.slice(start, end).trimEnd().length;
  return { name, kind, start, end: Math.max(end, to), from: withCommentsAbove(text, start), to };
}

function withCommentsAbove(text: string, start: number): number {
  let from = start;
  while (from > 0 && (text[from - 1] === " " || text[from - 1] === "\t")) from -= 1;
  if (from > 0 && text[from - 1] !== "\n") return start;
  const indent = text.slice(from, start);
  while (from > 0) {
    const above = text.lastIndexOf("\n", from - 2) + 1;
    if (!text.startsWith(`${indent}#`, above)) break;
    from = above;
  }
  return from;
}

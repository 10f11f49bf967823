/** Finds what the sentences put a declaration in: a class, a module, a media query. */
import type { Part } from "../../addresses/part.ts";
import type { ReadExcerpt } from "../contexts.ts";
import { CONTAINERS, everyPart, kindOf, nameOf } from "../parts.ts";
import { type PlacedLines, Unplaced } from "../text.ts";
import { ownName, plain, type Told, typeOf } from "./told.ts";

/** A file, what is shown of it, and the sentences about that. */
interface Shown {
  readonly file: { readonly parts: readonly Part[] };
  readonly excerpt: ReadExcerpt;
  readonly told: Told;
}

/**
 * Returns what the sentences say that what is shown stands in, or is added to: a class, with its implementations, a
 * module, a query. Or the name of a type that the file does not have.
 */
export function holdersTold(part: Part, { file, excerpt, told }: Shown): readonly Part[] | string {
  const ownName = /^[\p{L}\p{N}_]+$/u.test(part.name) ? part.name : "(?!)";
  // A class is added to another one only if it is called an inner one.
  const isType = TYPES.has(part.kind) && !/\b(?:inner|inside|nested)\b/i.test(told.text);
  const isAdded =
    told.isAddition &&
    !isType &&
    !new RegExp(`${CHANGES}\`(?:[^\`\n]*(?:\\.|#|::))?${ownName}\\b`, "iu").test(told.text);
  const types = namesTold(told, [ofType(ownName), BEGINS + typed(KINDS), ...(isAdded ? [ADDS + typed(KINDS)] : [])]);
  const isPlain = new RegExp(`\`${ownName}(?:\\(.*?\\))?\``, "u").test(told.text);
  const named = [
    BEGINS + PLACE + NAME,
    ALONE,
    NEEDS,
    ...(isPlain ? [] : [qualifying(ownName)]),
    ...(isAdded ? [ADDS + PLACE + NAME, GIVES] : []),
  ];
  const names = new Set([...namesTold(told, named), ...types]);
  // What is added to the declaration itself is not added to what it stands in. A method of Go stands beside its type.
  if (isBesideType(part) || [part, ...excerpt.parts].some(({ name }) => names.has(name))) return [];
  const every = everyPart(file.parts);
  const holders = (wanted: ReadonlySet<string>): readonly Part[] =>
    every.flatMap(({ part: one }) => (isHolder(one) && isNamed(one, wanted) ? [one] : []));
  const all = holders(names);
  if (all.length > 0) return all;
  const others = isAdded && MEMBER_ADDED.test(told.text) ? holders(namesTold(told, [NAME])) : [];
  if (others.length === 1) return others;
  const isThere = (name: string): boolean => every.some(({ part: one }) => isNamed(one, new Set([name])));
  const known = namesTold(told, [typed(OUTER_KINDS)]);
  return [...types].find((name) => /^\p{Lu}/u.test(name) && !known.has(name) && !isThere(name)) ?? [];
}

interface Placing extends Pick<Shown, "file" | "told"> {
  /** The declarations that are shown. */
  readonly parts: readonly Part[];
}

/**
 * Returns why lines are not placed where they are meant: in one declaration, where the order names another of its kind
 * that may hold them, as what is updated, or for which something is defined, or alone.
 */
export function notHeld({ splices }: PlacedLines, { file, parts, told }: Placing): Unplaced | undefined {
  const order =
    lastNaming(told.text)
      .replaceAll(/\([^()]*\)/g, " ")
      .replaceAll(/ +/g, " ")
      .split(BEYOND, 1)[0] ?? "";
  const shown = new Set(everyPart(parts).flatMap(({ part }) => [part.name, ownName(part)]));
  const spans = new Set([...order.matchAll(SPAN)].map(([, name = ""]) => name.trim()).filter(Boolean));
  const others = new Set([...spans].filter((name) => !shown.has(plain(name))));
  const named =
    others.size === 1 && spans.size === 1
      ? others
      : namesTold({ ...told, text: order }, [AT, GETS, ...(told.isAddition ? [ADDS + PLACE + CODE] : [])]);
  if (named.size === 0) return undefined;
  const every = everyPart(file.parts);
  for (const { start, end } of splices) {
    const around = every.filter(
      ({ part }) => part.start <= start && start < part.end && (part.start < start || part.end > end),
    );
    const holder = around.at(-1);
    if (
      holder === undefined ||
      around.some(({ part }) => isNamed(part, told.names) || isNamed(part, named) || shown.has(part.name))
    )
      continue;
    const other = every.find(
      ({ part }) =>
        kindOf(part.kind) === kindOf(holder.part.kind) &&
        (part.kind !== "key" || part.children.length > 0) &&
        isNamed(part, named),
    );
    if (other !== undefined && !shown.has(other.part.name))
      return new Unplaced(
        `would change ${nameOf(holder)}, and not ${nameOf(other)}: show ${nameOf(other)} around it`,
        true,
      );
  }
  return undefined;
}

/** Returns the last sentence that names some code: "Add it" tells of the one before it. */
function lastNaming(text: string): string {
  return text.split(/\n|(?<=[.!?]) (?=\p{Lu})/u).findLast((one) => /`[^`\n]*[^`\s]`/.test(one)) ?? "";
}

/** What gives the reason for an order, or says more of what it names. */
const BEYOND = /,? \b(?:as|because|if|since|so|that|when|where|which|while)\b/i;
const SPAN = /`([^`\n]+)`(?!['’]s)/g;

/** Returns the names that patterns match in the sentences. */
function namesTold({ text }: Told, patterns: readonly string[]): ReadonlySet<string> {
  const matches = patterns.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, "gimu"))]);
  return new Set(matches.map((match) => match.slice(1).find(Boolean) ?? ""));
}

/** Matches `Cart.total`. */
function qualifying(name: string): string {
  return `\`([\\p{L}_][\\p{L}\\p{N}_]*)(?:\\.|#|::)${name}(?![\\p{L}\\p{N}_])`;
}

/** Matches the `total` method of `Order`, `total` in `Order`. */
function ofType(name: string): string {
  return `\`${name}(?:\\(.*?\\))?\`(?: (?:method|function|property|field|member|constructor))? (?:of|in) (?:the |your )?${NAME}`;
}

/** Returns whether a part is a method of Go. */
export function isBesideType({ kind, name }: Part): boolean {
  return kind === "method" && name.includes(".") && !name.startsWith("self.");
}

function isHolder({ kind }: Part): boolean {
  return CONTAINERS.has(kind) || kind === "type";
}

function isNamed({ kind, name }: Part, names: ReadonlySet<string>): boolean {
  const isQuery = kind === "rule" && name.startsWith("@media");
  return (
    names.has(name) ||
    (kind === "impl" && (names.has(typeOf(name)) || names.has(name.replace(/^impl\s+/, "")))) ||
    (isQuery && [...names].some((word) => name.split(/\W+/).includes(word)))
  );
}

const NAME = "`(?:impl |class |struct |\\[+)?([@\\p{L}_$][^`\\n\\].]*)\\]*`";
/** What may be another file, or no part of any. */
const OUTER_KINDS = "module|object|section|table";
const KINDS = `class|struct|interface|trait|impl|enum|type|media query|breakpoint|${OUTER_KINDS}`;
const PLACE = "(?:the |your |our )?(?:class )?";
/** The `Cart` class, the print media query. */
const typed = (kinds: string): string => `(?:the|your|our) (?:class )?(?:${NAME}|([\\p{L}\\p{N}_$]+)) (?:${kinds})\\b`;
const CHANGES =
  "\\b(?:change|convert|correct|edit|fix|modify|refactor|rename|replace|rewrite|simplify|update)\\b[^.`\\n]{0,40}";
/** Add this to, and not what it is to add to something. */
const ADDS =
  "\\b(?:add|append|define|implement|include|insert|place|put)\\b(?:`[^`\\n]*`|(?!\\b(?:according|because|called|defined|due|if|needed|related|similar|so|that|used|when|where|which)\\b|\\bof `)[^.\\n(`])*?" +
  "\\b(?:to|into|inside(?: of)?|in|on) ";
const CODE = "`([^`\\n]+)`";
/** For `Tag`, update `Tag`. */
const AT = `\\b(?:change|expand|extend|fix|for|give|modify|under|update) ${PLACE}${CODE}(?!['’]s)`;
/** `Tag` should get it too. */
const GETS = `${CODE}(?: in \`\\s*\`)? (?:(?:also|still) )?(?:gets?|has|is missing|lacks|needs?|should (?:also )?(?:get|have)|wants?)\\b`;
/** In, at the beginning of a sentence. */
const BEGINS = "(?:^|[.!?:] )[^\\p{L}`\\n]*(?:(?:and|then|also|finally)[, ]+)?(?:in|within|inside) ";
const GIVES = `(?<!\\b(?:that|to|which) )\\bgive ${PLACE}${NAME}`;
const TYPES: ReadonlySet<string> = new Set(["class", "enum", "interface", "record", "struct", "trait"]);
/** `Cart` needs a `total` method. */
const NEEDS =
  `${NAME}(?: in \`\\s*\`)? (?:also |still )?needs? (?:an?|its own) [^.:\\n]{0,40}` +
  "\\b(?:constructor|field|function|[gs]etter|method|property)\\b";
/** A name that is all of a line. */
const ALONE = `^[^\\p{L}\`\\n]*(?:\`\\s*\`)?[^\\p{L}\`\\n]*${NAME}[^\\p{L}\`\\n]*$`;
const MEMBER_ADDED =
  /\badd (?:this|an?|the following) (?:\w+ )?(?:constructor|field|[gs]etter|member|method|property)\b/i;

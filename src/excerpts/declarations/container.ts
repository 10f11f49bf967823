/** Finds what a new declaration belongs in. */
import type { Part } from "../../addresses/part.ts";
import type { ReadExcerpt } from "../contexts.ts";
import { CONTAINERS, everyPart, type Found, FUNCTIONS, GROUPS, LEAVES, linesOf, standsApart } from "../parts.ts";
import { headOf } from "../remarks.ts";
import { firstIndent, Unplaced, wholeLines } from "../text.ts";
import { holdersTold, isBesideType } from "../told/holders.ts";
import { placeTold } from "../told/places.ts";
import { containerTold, functionTold, localsIn, namesOneOf, tellsContainer, type Told, toldIn } from "../told/told.ts";

/** A file, what is shown of it, and the sentences about that. */
interface Placed {
  readonly file: { readonly text: string; readonly path: string; readonly parts: readonly Part[] };
  readonly excerpt: ReadExcerpt;
  readonly told: Told;
}

/** Returns what is around a declaration of the file beside which a new one is shown. */
export function containerBeside(beside: Found, part: Part, { file, excerpt }: Placed): Part | undefined | Unplaced {
  const container = beside.around.at(-1);
  const depthIn = (text: string, one: Part): string => firstIndent(linesOf(text, one));
  // A statement may group declarations, as `var` does in Go.
  const isGrouped =
    excerpt.indent === "" && depthIn(excerpt.text, part) !== "" && depthIn(file.text, beside.part) === "";
  return container === undefined && isGrouped
    ? new Unplaced(`may have ${part.name} anywhere in the statement around it: show an unchanged line beside it`)
    : container;
}

/** Returns the declaration that a new one belongs in; undefined for the file itself. A style is always in a rule. */
export function containerOf(part: Part, placed: Placed): Part | undefined | Unplaced {
  const isStyle = part.kind === "declaration";
  const rules = isStyle ? rulesTold(placed) : [];
  const container = rules.length === 1 ? rules[0] : containerIn(part, placed);
  return isStyle && container === undefined
    ? new Unplaced(
        `has ${rules.length === 0 ? "no rule" : "several rules"} for ${part.name}: say which rule it belongs to`,
      )
    : (container ?? strayValue(part, placed));
}

/** Returns why a new value that is shown inside something is none of the whole file, where no function declares it. */
function strayValue({ kind, name }: Part, { file: { text, parts }, excerpt, told }: Placed): Unplaced | undefined {
  const isInside = excerpt.indent !== "" && (kind === "variable" || kind === "constant");
  return isInside && localsIn(text, parts, name, told).length === 0
    ? new Unplaced(`may have ${name} in a function: show an unchanged line beside it`)
    : undefined;
}

/** Returns whether a style of a file may be meant: one in the rule that the sentences name, and no other for a new one. */
export function mayBeStyle({ part, around }: Found, placed: Pick<Placed, "file" | "told">): boolean {
  const rules = rulesTold(placed);
  const isUnclear = rules.length > 1 && placed.told.isAddition;
  if (rules.length > 0) return !isUnclear && rules.some((rule) => rule === around.at(-1));
  if (part.name.startsWith("--")) return true;
  return !placed.told.isAddition && ![...selectorsIn(placed.told)].some((name) => SELECTOR.test(name));
}

/** Returns the rules that the sentences put a style in. */
function rulesTold({ file, told }: Pick<Placed, "file" | "told">): readonly Part[] {
  const names = selectorsIn(told);
  const named = everyPart(file.parts).filter(({ part }) => part.kind === "rule" && names.has(part.name));
  // The one inside another that is named too: in `.button` in `@media print`.
  const inner = named.filter(({ around }) => around.some(({ name }) => names.has(name)));
  return (inner.length > 0 ? inner : named).map(({ part }) => part);
}

function selectorsIn({ text }: Told): ReadonlySet<string> {
  return new Set([...text.matchAll(RULE)].map(([, code, word]) => (code ?? word ?? "").replace(/\s*\{.*$/, "")));
}

function containerIn(part: Part, placed: Placed): Part | undefined | Unplaced {
  const { file, excerpt, told } = placed;
  const { kind, name, children } = part;
  const all = everyPart(file.parts).filter(({ part }) => CONTAINERS.has(part.kind));
  const impls = all.filter(
    ({ part: { kind: of, name: its } }) => of === "impl" && told.names.has(its.replace(/^impl /, "")),
  );
  const named = impls.length > 0 ? impls : containersNamed(kind, all, told);
  const place = placeTold(told, { ...file, isForDeclaration: standsApart({ kind }) });
  const beside = place?.part;
  if (beside !== undefined && (place?.side === "end" || place?.side === "top") && CONTAINERS.has(beside.kind))
    return beside;
  if (beside !== undefined) {
    const around = everyPart(file.parts).find(({ part }) => part === beside)?.around ?? [];
    const above = around.at(-1);
    if (excerpt.isInside && above === undefined) return new Unplaced("has no class around that place");
    return above;
  }
  // A constructor has the name of its type.
  const [type, otherType] = all.filter((one) => one.part.name === name);
  if (FUNCTIONS.has(kind) && type?.part.kind === "class" && otherType === undefined) return type.part;
  const isAtTop = place?.side === "top" && place.line === undefined && named.length === 0;
  const isKeyOfTable = kind === "key" && all.some(({ part }) => part.kind === "table");
  if (isBesideType(part) || (isKeyOfTable && isAtTop)) return undefined;
  const holding = holdersTold(part, placed);
  const [holder, second] = typeof holding === "string" ? [] : holding;
  if (holder !== undefined && second === undefined && (kind === "rule" || told.isAddition)) return holder;
  const group = containerTold(told, file.parts);
  const around = group === undefined && tellsContainer(told) ? functionTold(told, file.parts) : undefined;
  if (around !== undefined && !excerpt.parts.some((part) => part.name === around.name))
    return new Unplaced(`has ${around.name}, but nothing tells where in it: show the lines around`);
  if (
    group !== undefined &&
    (GROUPS.has(group.kind) ||
      (impls.length === 0 && (kind === "key" || !CONTAINERS.has(kind)) && tellsContainer(told)))
  )
    return group;
  const space = place?.part === undefined && !OUTSIDE.test(told.text) ? holderOfAll(part, file) : undefined;
  const isQualified = space !== undefined && !(space instanceof Unplaced) && excerpt.text.includes(`${space.name}::`);
  if (space !== undefined && excerpt.indent === "" && !excerpt.isInside && !isQualified) {
    const isMember = !(space instanceof Unplaced) && space.kind !== "namespace";
    return isMember && place !== undefined
      ? new Unplaced(`may have ${name} in ${space.name} or below it: say which`)
      : space;
  }
  // A service goes into `services`, though it is shown at the margin.
  const [keyed, otherKeyed] = kind === "key" ? named.filter(({ part }) => addsOneOf(told, part.name)) : [];
  const isMember = keyed?.part.children.some((member) => member.children.length > 0 === children.length > 0);
  if (keyed !== undefined && otherKeyed === undefined && told.isAddition && isMember) return keyed.part;
  const isIndentedKey = kind === "key" && excerpt.indent !== "";
  if (kind !== "rule" && PROPERTY.test(excerpt.text)) {
    const [rule, other] = all.filter(({ part }) => part.children.some((one) => one.name.startsWith("--")));
    return rule !== undefined && other === undefined
      ? rule.part
      : new Unplaced(
          `has ${rule === undefined ? "no rule" : "several rules"} with properties: say in which ${name} belongs`,
        );
  }
  // The indentation tells how deep a key of YAML belongs, or a function.
  const isBeside = ({ children: [one] }: Part): boolean =>
    one !== undefined && firstIndent(file.text.slice(wholeLines(file.text, one).start)) === excerpt.indent;
  const deep = all.filter(({ part }) => isBeside(part));
  const withMembers = all.filter(({ part }) => part.children.some(({ kind }) => !LEAVES.has(kind)));
  const holders = withMembers.length > 0 ? withMembers : all.filter(({ part }) => part.kind === "class");
  if (!excerpt.isInside && !looksLikeMember(excerpt.text) && !isKeyOfTable && !isIndentedKey) {
    if (!FUNCTIONS.has(kind)) return undefined;
    if (excerpt.indent === "") return moduleOfTests(part, { file, excerpt });
    const around = named.length === 1 ? named : holders.filter((one) => deep.includes(one));
    const [mark = ""] = excerpt.text.trimStart().split("\n", 1);
    const marked = around.filter(
      ({ part }) => /^[@#]/.test(mark) && file.text.slice(part.start, part.end).includes(mark),
    );
    const [only, other] = marked.length > 0 ? marked : around;
    return other === undefined ? only?.part : new Unplaced(`has several classes: say what ${name} belongs in`);
  }
  if (named.length === 1) return named[0]?.part;
  if (isIndentedKey && !excerpt.isInside && !isKeyOfTable)
    return deep.length === 1
      ? deep[0]?.part
      : new Unplaced(`has several places for ${name}: show the key it belongs in`);
  // The members of an object of JSON.
  if (kind === "key" && named.length === 0 && !isKeyOfTable) return undefined;
  // The types inside a class belong to it.
  const only = holders.filter(({ around }) => !around.some(({ kind }) => kind === "class"));
  return only.length === 1
    ? only[0]?.part
    : new Unplaced(
        `has ${only.length === 0 ? "no" : "several"} ${isKeyOfTable ? "tables" : "classes"}: say what ${name} belongs in`,
      );
}

/** Returns the namespace that holds all of a file, or the class of Ruby: what is added stands in it too. */
function holderOfAll({ kind, name }: Part, { text, path, parts }: Placed["file"]): Part | undefined | Unplaced {
  if (!standsApart({ kind }) || kind === "namespace" || name === "main" || /\.[cm]?tsx?$/.test(path)) return undefined;
  const all = parts.filter(standsApart);
  const [only, other] = all;
  const isRuby = path.endsWith(".rb") && FUNCTIONS.has(kind) && (only?.kind === "class" || only?.kind === "module");
  if (only === undefined || !(isRuby || all.every((one) => one.kind === "namespace"))) return undefined;
  if (other !== undefined)
    return isRuby ? undefined : new Unplaced(`has several namespaces: say in which ${name} belongs`);
  const beside = text.slice(0, only.start) + text.slice(only.end);
  // A script may declare functions below its class.
  if (isRuby && /^(?!\s*(?:#|require|$))/m.test(beside)) return undefined;
  if (isRuby && only.children.some(({ kind: inner }) => CONTAINERS.has(inner)))
    return new Unplaced(`has several classes: say what ${name} belongs in`);
  if (isRuby) return only;
  return holderOfAll({ ...only, kind, name }, { text, path, parts: only.children }) ?? only;
}

/** Returns the only module of Rust whose functions have the attribute of a test, if no other function has it. */
function moduleOfTests(part: Part, { file, excerpt }: Omit<Placed, "told">): Part | undefined {
  const [mark] = TEST.exec(linesOf(excerpt.text, part).trimStart()) ?? [];
  const isMarked = ({ start, end }: Part): boolean => mark !== undefined && file.text.slice(start, end).includes(mark);
  const [only, other] = file.parts.filter(isMarked);
  return other === undefined && only?.kind === "module" ? only : undefined;
}

/** `#[test`, `#[tokio::test`, `#[test_case` */
const TEST = /^#\[(?:\w+::)*\w*test\w*/;

/** Beside all that a file has. */
const OUTSIDE = /\b(?:global|outside|out of|top[- ]level)\b|außerhalb|en dehors|hors d|fuera de/i;

/** Returns whether the sentences add one of what a plural names: add a `redis` service. */
function addsOneOf({ text }: Told, plural: string): boolean {
  const [, object = ""] = ADDED.exec(text) ?? [];
  const last = object.trim().split(" ").at(-1)?.toLowerCase();
  return last !== undefined && [plural.replace(/s$/, ""), plural.replace(/ies$/, "y")].includes(last);
}

const ADDED =
  /\b(?:add(?:s|ing)?|needs?) (?:an?|another|one more|the|this)((?: (?!(?:for|in|of|so|that|to)\b)`?[\w-]+`?){1,3})/i;

/** A key goes into an object, which a sentence may name by one of its members: a script goes into `scripts`. */
function containersNamed(kind: string, all: readonly Found[], said: Told): readonly Found[] {
  const about = kind === "key" ? toldIn(said.text.replace(PURPOSE, " ")) : said;
  const named = all.filter(({ part }) => about.names.has(part.name));
  if (kind !== "key" || named.some(({ part }) => part.children.length > 0)) return named;
  const plural = all.filter(({ part: { name, children } }) => children.length > 0 && namesOneOf(about, name));
  return plural.length > 0 ? plural : named;
}

/** What something is good for says nothing of its place: so that scripts can use it. */
const PURPOSE = /\b(?:because|since|so(?: that)?|which (?:allows|lets|makes)|to (?:allow|let))\s[^.:\n]*/gi;

/** Returns whether a text begins with a function that takes its object, but for what stands above that. */
export function looksLikeMember(text: string): boolean {
  const head = headOf(text);
  return MEMBER.test(text.slice(text.indexOf(head), text.indexOf(head) + MAX_HEAD));
}

/** UTF-16 units. */
const MAX_HEAD = 300;
/** In `.button`, to the .button rule. */
const RULE =
  /\b(?:in|to|into|inside(?: of)?|within|of|for|on|under|zu|en|dans|à)\s+(?:(?:the|your|existing|la|le|der|die|das|el)\s+)*(?:(?:rule|selector|class|block)s?\s+)?(?:`([^`\n]+)`|([.#]?[\w-]+)(?=\s+(?:rule|selector|class|block)\b))/giu;
/** What begins as no value does: a colour may be `#fff`. */
const SELECTOR = /^(?!#[\da-f]{3,8}$)[.#@][a-z_-]/i;
/** A custom property of CSS stands in a rule. */
const PROPERTY = /^\s*--[\w-]+\s*:/;
/** Of Python, and of Rust. */
const MEMBER =
  /^(?:async\s+)?def\s+\w+\(\s*(?:self|cls)\b|^[^\n{;]*\bfn\s+\w+(?:<[^>]*>)?\(\s*&?(?:'\w+\s+)?(?:mut\s+)?self\b/;

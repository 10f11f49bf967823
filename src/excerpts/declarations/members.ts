/** Merges what an excerpt shows of an enum, a struct, an object or a list: members that it does not show stay. */
import type { Part } from "../../addresses/part.ts";
import { smallest } from "../../core/lists.ts";
import { indentOf, isAlike } from "../text.ts";
import { isHole } from "../placeholders/hole.ts";
import type { Told } from "../told/told.ts";

/** Lines of a new text that stand for lines of the old one: `// ... existing code ...`. */
export interface Holes {
  has(old: string, now: string): boolean;
  /** Returns the new text with these lines in place of its holes. Undefined if nobody can tell which are meant. */
  filled(old: string, now: string): string | undefined;
}

/**
 * Returns the text of a declaration with what its placeholders stand for, and with the members that an addition does
 * not show. Undefined if nobody can tell.
 */
export function withOldMembers(
  { kind }: Part,
  before: string,
  now: string,
  { holes, told }: { readonly holes: Holes; readonly told: Told },
): string | undefined {
  const isData = (DATA.has(kind) || kind === "rule") && !/=>|\bfunction\b|\)\s*\{/.test(`${before}${now}`);
  if (holes.has(before, now)) {
    const filled = holes.filled(before, now);
    return filled === undefined ? (isData ? withMembers(before, now) : undefined) : withOneDocstring(before, filled);
  }
  const lacksSome = isData && told.ordersAddition && !told.isLess && lostMembers(before, now, true).length > 0;
  return (lacksSome ? withMembers(before, now) : undefined) ?? now;
}

/** Returns why a declaration would lose members, if no sentence takes any away. */
export function goneMembers({ kind, name }: Part, before: string, now: string, told: Told): string | undefined {
  if (told.isLess || told.isWhole || !DATA.has(kind)) return undefined;
  const gone = lostMembers(before, now, told.isAddition);
  const names = gone.slice(0, MAX_NAMED).join(", ");
  return gone.length > 0 ? `would lose ${names} of ${name}: show it whole, or say what goes` : undefined;
}

/** What has members of data, where it has any. */
const DATA: ReadonlySet<string> = new Set("constant enum interface key struct type union variable".split(" "));
/** Members that a refusal names. */
const MAX_NAMED = 5;

/** The lines of a container: those up to its opening bracket, its members, and those from the closing bracket on. */
interface Container {
  readonly head: string;
  readonly members: readonly Member[];
  readonly foot: string;
}

interface Member {
  /** Its lines, with the comments above it. */
  readonly text: string;
  readonly key: string;
}

/** Undefined for what has no members, each on lines of its own. */
function containerIn(text: string): Container | undefined {
  const lines = text.split("\n");
  // A type in brackets may stand above the value.
  const depthOfHead = indentOf(lines[0] ?? "").length;
  const first = Math.max(
    lines.findIndex((line) => OPENED.test(line)),
    lines.findLastIndex((line) => VALUE.test(line) && indentOf(line).length === depthOfHead),
  );
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const head = lines.slice(0, first + 1).join("\n");
  const isData = first !== -1 && last > first && CLOSED.test(lines[last] ?? "") && !HAS_CODE.test(head);
  const body = lines.slice(first + 1, last);
  const depth = smallest(body.filter(isText).map((line) => indentOf(line).length));
  if (!isData || body.some((line) => isText(line) && CLOSED.test(line) && indentOf(line).length < depth))
    return undefined;
  const members: Member[] = [];
  let [above, isOpen] = ["", false];
  for (const line of body.filter((row) => isText(row) && !isHole(row))) {
    const isOwn = indentOf(line).length === depth && !CLOSED.test(line);
    const current = members.at(-1);
    if (COMMENT.test(line) && isOwn) [above, isOpen] = [`${above}${line}\n`, false];
    else if (isOwn || current === undefined || !isOpen) {
      members.push({ text: `${above}${line}\n`, key: keyOf(line.trim(), head) });
      [above, isOpen] = ["", true];
    } else members[members.length - 1] = { ...current, text: `${current.text}${line}\n` };
  }
  return { head, members, foot: lines.slice(last).join("\n") };
}

function isText(line: string): boolean {
  return line.trim() !== "";
}

/** What is a name for a member, or all of it. */
function keyOf(line: string, head: string): string {
  const named = /^type\s[^=]*$/m.test(head) ? /^(\w+)\s/ : NAMED;
  const name = /[[(]\s*$/.test(head) ? undefined : named.exec(line)?.[1];
  return name ?? line.replace(/,$/, "");
}

/** Returns the members of a container that another text of it lacks: all, or those of one that is short of half of them. */
function lostMembers(before: string, now: string, isAll: boolean): readonly string[] {
  const [old, shown] = [containerIn(before), containerIn(now)];
  if (old === undefined || shown === undefined) return [];
  const [had, has] = [old, shown].map(({ members }) => new Set(members.map(({ key }) => key))) as [
    Set<string>,
    Set<string>,
  ];
  const lost = [...had].filter((key) => !has.has(key));
  return isAll || (lost.length * 2 >= had.size && lost.length > [...has].filter((key) => !had.has(key)).length)
    ? lost
    : [];
}

/**
 * Returns a container with the members that a text shows: those of known names in their place, others below the one
 * above them, or at the end. Undefined if that is unclear.
 */
function withMembers(before: string, now: string): string | undefined {
  const [old, shown] = [containerIn(before), containerIn(now)];
  if (old === undefined || shown === undefined || shown.members.length === 0) return undefined;
  const keys = old.members.map(({ key }) => key);
  if (new Set(keys).size < keys.length || !isAlike(old.head.trim(), shown.head.trim())) return undefined;
  const result = [...old.members];
  let above = -1;
  for (const [index, member] of shown.members.entries()) {
    const at = result.findIndex(({ key }) => key === member.key);
    if (at !== -1) {
      result[at] =
        member.text.trim().includes("\n") || !COMMENT.test(result[at]?.text ?? "") ? member : (result[at] as Member);
      above = at;
      continue;
    }
    const next = shown.members
      .slice(index + 1)
      .map(({ key }) => result.findIndex((known) => known.key === key))
      .find((one) => one !== -1);
    above = above !== -1 ? above + 1 : (next ?? result.length);
    result.splice(above, 0, member);
  }
  const lines = divided(old.members, shown.members, result);
  return lines && `${shown.head}\n${lines.join("")}${old.foot}`;
}

/** Puts commas between members, where the file or the excerpt has them. */
function divided(
  old: readonly Member[],
  shown: readonly Member[],
  all: readonly Member[],
): readonly string[] | undefined {
  const hasComma = ({ text }: Member): boolean => /,\s*$/.test(text);
  if (![...old, ...shown].some(hasComma)) return all.map(({ text }) => text);
  if (all.some(({ text }) => /\/\/|\s#\s|\/\*/.test(text.trimEnd().split("\n").at(-1) ?? ""))) return undefined;
  const isEnded = old.length === 0 || hasComma(old.at(-1) as Member);
  return all.map((member, at) => {
    const bare = member.text.replace(/,?\s*$/, "");
    return at < all.length - 1 || isEnded ? `${bare},\n` : `${bare}\n`;
  });
}

const VALUE = /^\s*[)}\]]+\s*=\s*[{([]\s*$/;
const OPENED = /[{([]\s*$/;
const CLOSED = /^\s*[)}\]]/;
const COMMENT = /^\s*(?:\/\/|#(?!\[)|\/\*|\*)/;
/** A body of statements. */
const HAS_CODE = /=>|\bfunc(?:tion)?\b|\bfn\b|\bdef\b|\)\s*\{\s*$/;
const NAMED =
  /^(?:(?:pub(?:\([^)]*\))?|public|private|protected|readonly|static)\s+)*["'`]?([\w$@./-]+)["'`]?\s*[?!]?\s*[:=(]/;

/** Takes out the docstring of a function of Python below its new one. */
function withOneDocstring(before: string, text: string): string {
  return text.replace(DOCUMENTED_TWICE, (all, first: string, _indent, _quotes, second: string) =>
    before.includes(second) && !before.includes(all) ? first : all,
  );
}

const DOCUMENTED_TWICE = /(:\n([ \t]+)[rub]*("""|''')(?:(?!\3)[^])*\3\n)\2([rub]*("""|''')(?:(?!\5)[^])*\5)\n/g;

/** Returns the text that an answer means for a file: the whole new one, or an excerpt put into the old one. */
import { Failed } from "../core/failure.ts";
import { once } from "../core/once.ts";
import { namesRemoved, wordsOfRemovals } from "../core/removal-words.ts";
import { alignedText } from "../edit/aligned.ts";
import { refuseSigned, wordsIn } from "../edit/excerpt.ts";
import { flawOf } from "../edit/flaw.ts";
import { holesIn } from "../edit/holes.ts";
import { fillHoles, trimmedLines } from "../edit/lazy.ts";
import { likeBefore, meantText, repeats, type WholeText } from "../edit/whole-file.ts";
import { apartIn } from "./placeholders/apart.ts";
import { markFor, withCommentHoles } from "./placeholders/bare-holes.ts";
import { cutOffIn } from "./placeholders/cut-off.ts";
import { filledAlike } from "./placeholders/fill.ts";
import { harmOf, harmOfDepth, harmOfOwn, standsForLost } from "./harm.ts";
import { lostDecorators } from "./decorators.ts";
import { confusedIn } from "./placeholders/hidden-head.ts";
import { hidesAnySignatures } from "./declarations/signatures.ts";
import { filledInBlocks } from "./placeholders/nested.ts";
import { isSubsequence } from "./lines/nearest.ts";
import { isHead, withKeptPrefix } from "./remarks.ts";
import {
  endsEarly,
  hidesContainer,
  keepsFew,
  losesLines,
  lossOfLines,
  losesStatements,
  missesImport,
} from "./losses.ts";
import { type ExcerptSource, mergeExcerpt } from "./merge.ts";
import { collapsedIn, expanded } from "./placeholders/collapsed.ts";
import { firstLine, linesNamed, MAX_QUOTED, Unplaced } from "./text.ts";
import { toldIn } from "./told/told.ts";
import { tellsWholeFile } from "./told/whole-file.ts";
import { keptAgainst } from "./told/told-removal.ts";
import { takesBack } from "./takes-back.ts";
import { WRAPS } from "./lines/wrap.ts";
import { standsApart } from "./parts.ts";
import { misplacedIn } from "./vanished.ts";
import { neverRuns } from "./never-runs.ts";

export interface ShownText extends Omit<WholeText, "source"> {
  readonly source: ExcerptSource;
  /** The sentences about it. */
  readonly told: string;
  /** The lines that it replaces, if the answer shows them. */
  readonly old?: string | undefined;
  /** How often the file has what it replaces, if not once: a number, or "all". */
  readonly times?: string | undefined;
  /** The names of the declarations in each of which it has that, a line each. */
  readonly within?: string | undefined;
  /** Whether its path stands at the fence, so that it may be a whole file also where nobody says so. */
  readonly isLabelled: boolean;
  /** Set if all its lines are new, so that the file keeps all that it has. */
  readonly adds?: string | undefined;
  /** Whether it may be an excerpt. */
  readonly mayMerge: boolean;
}

export interface Meant {
  readonly text: string;
  /** What was done, if it was an excerpt: `login replaced (lines 4-7)`. */
  readonly done: readonly string[];
  /** How many declarations of the file stay as they are, if it was an excerpt. */
  readonly untouched: number;
}

/** Throws as `meantText` does, or `file/original`, or `file/unplaced`. */
export function meant(written: ShownText, before: string | undefined): Meant {
  const { path, original } = written;
  const content = asInFile(written, before);
  const given = { ...written, content };
  // Below the new text, the old one is shown for comparison far more often than it takes the new one back.
  if (original !== undefined && before !== original && repeats(given, original))
    throw new Failed({ code: "file/original", path });
  const result = mergeShown(given, before);
  const collapsed =
    written.old === undefined && mayCollapse(path, before) ? collapsedIn(result.text, before) : undefined;
  const stands = collapsed ?? (before && standsForLost({ before, content, text: result.text }));
  if (stands) throw unplaced(path, `would hold "${stands.slice(0, MAX_QUOTED)}", which stands for other lines`);
  const { old, told } = given;
  const isOrdered = toldIn(told).isAddition || /\b(?:again|back|leave|restore|revert|undo)\b/i.test(told);
  if (original !== undefined && before !== undefined && old === undefined && !isOrdered)
    if (takesBack({ ...given, original, before, text: result.text })) throw new Failed({ code: "file/original", path });
  // Without declarations, a line of the file is one like others, and in Markdown a heading.
  const isDeclared = before !== undefined && given.source.parts(before).some(({ kind }) => kind !== "section");
  const mayHold = isDeclared && old === undefined && !toldIn(told).isWhole && !tellsWholeFile(told, path);
  const harm = mayHold ? harmOfOwn(path, { before, content, text: result.text }) : undefined;
  if (harm !== undefined) throw unplaced(path, harm);
  const isPair = old !== undefined || before === undefined;
  const lost = isPair || repeats(given, result.text) ? undefined : decoratorLost(given, before, result.text);
  if (lost !== undefined) throw unplaced(path, lost);
  const dead = isPair || PROSE.test(path) ? undefined : neverRuns({ before, content, text: result.text });
  if (dead !== undefined) throw unplaced(path, `would hold "${dead.slice(0, MAX_QUOTED)}" below a return: show it too`);
  if (given.adds !== undefined && !isSubsequence(trimmedLines(before ?? ""), trimmedLines(result.text)))
    throw unplaced(path, "would lose lines, and the answer only adds some");
  const holes = before === undefined ? undefined : holesIn(path, before, content).lines;
  if (before === undefined || old !== undefined || holes === undefined || holes.size === 0) return result;
  const change = { before, content, text: result.text };
  const kept = keptAgainst(told, { ...change, parts: given.source.parts(before) });
  if (kept !== undefined)
    throw unplaced(path, `would keep the line "${kept.slice(0, MAX_QUOTED)}", which goes: show the lines around it`);
  const isHole = (line: string): boolean => holes.has(line);
  const [above, below] = apartIn({ content, text: result.text, source: given.source, isHole }) ?? [];
  if (below !== undefined)
    throw unplaced(path, `would keep lines between "${above}" and "${below}", which are shown without them`);
  // The head of a file with placeholders has its order, and stands above the first declaration.
  // The order of a stylesheet means something everywhere.
  const apart = /\.(?:css|less|s[ac]ss)$/.test(path) ? undefined : given.source.parts(content).find(standsApart);
  const start = apart?.start ?? content.length;
  const head = content.slice(0, start) + firstLine(content.slice(start));
  const misplaced = given.isLabelled ? misplacedIn(path, head, result.text) : undefined;
  if (misplaced !== undefined)
    throw unplaced(path, `would not hold the line "${misplaced.slice(0, MAX_QUOTED)}" where it is shown`);
  const stray = harmOfDepth(given.source, change);
  if (stray !== undefined) throw unplaced(path, stray);
  const [changed, other] = confusedIn({ ...change, source: given.source, told: told.replaceAll(path, " ") }) ?? [];
  if (other !== undefined)
    throw unplaced(path, `has the shown lines in ${changed} and in ${other}: show the first line of the function`);
  return result;
}

/** Returns why a text loses decorators that no sentence takes away. */
function decoratorLost(
  { path, source, content, told: sentences, removed }: ShownText,
  before: string,
  text: string,
): string | undefined {
  const gone = new Set([...toldIn(sentences).gone, ...namesRemoved(removed ?? "", content)]);
  const isAny = ["decorator", "decorators", "annotation", "annotations"].some((word) => gone.has(word));
  const isTold = (name: string): boolean => isAny || gone.has(name.replace(/^.*[.:]/, ""));
  return lostDecorators(path, source, { before, content, text }, isTold);
}

/** Returns what is shown in the form that a file has it: placeholders as comments, and what is collapsed in full. */
function asInFile({ path, content, old, told }: ShownText, before: string | undefined): string {
  if (PROSE.test(path)) return withPlainFences(content, before ?? "");
  if (path.endsWith(".go") && old === undefined && ADDS_IMPORT.test(told) && SPECS.test(content))
    return content.replace(/^\s*(?=\S)/gm, "import ");
  if (old !== undefined || !mayCollapse(path, before)) return content;
  return expanded(path, withCommentHoles(path, content, before), before, told);
}

/** Returns whether dots in a file of that kind stand for something. Types of Flow are written with them. */
function mayCollapse(path: string, before: string | undefined): before is string {
  return before !== undefined && !PROSE.test(path) && !/@flow\b/.test(before);
}

/** Takes the backslashes off fences that an answer has escaped, as its own fence stands around them. */
function withPlainFences(content: string, before: string): string {
  const isEscaped = !/^\s*```/m.test(content) && !ESCAPED_FENCE.test(before);
  return isEscaped ? content.replaceAll(new RegExp(ESCAPED_FENCE, "gm"), "$1```") : content;
}

const ESCAPED_FENCE = /^(\s*)(?:\\`\\`\\`|\\```)/m;
const ADDS_IMPORT =
  /\b(?:add|include|need)\b[^.`\n]{0,12} imports?\b(?! paths?\b)|\bto the imports?\b|\bimport block\b/i;
/** What Go has inside `import (`: paths, with a name of their own or without. */
const SPECS = /^\s*(?:(?!import )(?:[\w.]+ )?"[^"\n]+"\s*?(?:\n\s*|$))+$/;
/** Files of text, which may show code with dots. */
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;

function mergeShown(given: ShownText, before: string | undefined): Meant {
  const { path, old, isLabelled, mayMerge, original } = given;
  // Above a label, sentences may remove something else than what the fence shows.
  const removesOther =
    isLabelled &&
    toldIn(given.told).isRemoval &&
    before?.replaceAll("\r\n", "\n").includes(given.content.trim()) !== true;
  // A new file of the answer loses something only to another label.
  const ofAnswer = isLabelled || original !== "" ? original : undefined;
  const shown = { ...given, original: ofAnswer, told: removesOther ? "" : given.told };
  const { told, source } = shown;
  const { isWhole, isRemoval, isNew, isAddition, mayAdd } = toldIn(told);
  if (before === undefined || before === "") {
    if (old !== undefined || isRemoval) throw unplaced(path, "is not there");
    // What begins a file is no excerpt, whatever the sentence says of it.
    const isComplete = isHead(trimmedLines(shown.content)[0] ?? "") && source.isValid(shown.content) !== false;
    if (before === undefined && !isLabelled && !isNew && !isComplete)
      throw unplaced(path, "is not there, and no sentence creates it");
    if (before === undefined && path.endsWith(".go") && !/^package \w/m.test(shown.content))
      throw unplaced(path, "is not there, and a new file of Go has to begin with its package");
    return { text: meantText(shown, before), done: [], untouched: 0 };
  }
  const mayBeSigned = /^\+/m.test(shown.content) && (source.isValid(before) ?? markFor(path) !== undefined);
  refuseSigned(path, before, shown.content, mayBeSigned);
  const whole = isWhole && old === undefined ? wholePart(shown, before) : undefined;
  if (whole !== undefined) return whole;
  const isSure = isLabelled || isWhole || (old === undefined && beginsLazily(shown, before));
  const words = namesRemoved(shown.removed ?? "", shown.content);
  const losesTold = once(() =>
    source.lostIn(before, shown.content).some((name) => words.has(name.replace(/^.*\./, ""))),
  );
  const isPart = (text: string): boolean =>
    !tellsWholeFile(told, path) &&
    !losesTold() &&
    (missesImport(source, before, { text, isSure }) ||
      lossOfLines(
        { text: before, parts: source.parts(before) },
        [{ start: 0, end: before.length, text }],
        toldIn(told),
      ) !== undefined);
  let [failure, reason]: [Failed | undefined, string | undefined] = [undefined, undefined];
  const hidesSome = hidesAnySignatures(source.parts(before), () => source.parts(shown.content));
  if (old === undefined && !isRemoval && (!hidesSome || tellsWholeFile(told, path))) {
    try {
      // What a sentence only guesses at is merged by its declarations.
      // "I removed the call of `b` from `a`", and `a` alone, take nothing away.
      const isAlone =
        source.parts(shown.content).length === 1 && trimmedLines(before)[0] !== trimmedLines(shown.content)[0];
      const removed = isSure || !isAlone ? shown.removed : undefined;
      const text = meantText({ ...shown, removed, isMarked: mayMerge && !isSure, isAddition }, before);
      const isBroken = source.isValid(before) === true && source.isValid(text) === false;
      if (isSure && (isBroken || source.isValid(text) === undefined) && endsEarly(before, text))
        throw new Failed({ code: "file/loses", path, names: [`'${trimmedLines(before).at(-1)}'`], isEnd: true });
      if (has(before, shown.content)) {
        const cut = cutOff(before, shown.content, text);
        const harm = cut ?? harmOf(source, { before, content: shown.content, text });
        if (harm !== undefined) throw unplaced(path, harm);
      }
      const loses = (): boolean => losesStatements(source, before, text) || losesLines(source, before, text);
      if (!isPart(text) && (isSure || !(isBroken || ((isAddition || mayAdd) && keepsFew(before, text)) || loses())))
        return { text, done: [], untouched: 0 };
    } catch (thrown) {
      if (!(thrown instanceof Failed)) throw thrown;
      failure = thrown;
    }
  }
  // Of a whole file, a part that is not there is one that goes.
  const loss = failure?.failure.code === "file/loses" ? failure.failure : undefined;
  const isTold = tellsWholeFile(told, path) && (loss !== undefined || !has(before, shown.content));
  const isCut = loss?.isEnd === true && isSure && !isPart(shown.content);
  if (failure !== undefined && (isTold || isCut)) throw failure;
  if (!mayMerge) throw failure ?? unplaced(path, "would lose statements");
  const { label, content: written } = shown;
  const content = withoutPath(label === undefined ? written : written.slice(label.length).replace(/^\r?\n/, ""), path);
  const merged = mergeExcerpt(before.replaceAll("\r\n", "\n"), { ...shown, content, holes: { has, filled } });
  if (!(merged instanceof Unplaced)) {
    const text = likeBefore(before, merged.text);
    // Lines of the file as they are change nothing, and are cut where they would.
    const isStretch = failure?.failure.code === "file/excerpt" && failure.failure.place !== undefined;
    if (isStretch && text !== before) throw failure;
    const cut = has(before, content) ? cutOff(before, content, text, false) : undefined;
    if (cut === undefined) return { ...merged, text };
    reason = cut;
  }
  const aligned = old === undefined && !isRemoval ? alignedIn({ ...shown, content }, before) : undefined;
  if (aligned !== undefined) return { text: aligned, done: [], untouched: 0 };
  if (!(merged instanceof Unplaced)) throw unplaced(path, reason ?? "");
  // Names tell more than the lines around a placeholder.
  const isAboutNames = failure?.failure.code === "text/placeholder" && source.parts(shown.content).length > 0;
  // A hint to remove a class would be obeyed, where only a member of it is shown.
  const isOfMember =
    loss !== undefined && hidesContainer(loss.names, source.parts(before), source.parts(shown.content));
  throw isLabelled && failure !== undefined && !isAboutNames && !isOfMember
    ? failure
    : unplaced(path, reason ?? merged.reason);

  /** Returns why a filled text loses the end of a block that no sentence takes away. */
  function cutOff(oldText: string, now: string, text: string, isAll = true): string | undefined {
    const words = wordsOfRemovals(shown.removed);
    const isTold = (line: string): boolean => wordsIn(line).some((word) => words.has(word));
    const line = cutOffIn(oldText, now, text, isAll).find((one) => !isTold(one));
    return (
      line && `would lose the line "${line.slice(0, MAX_QUOTED)}" below the last placeholder: show what follows it`
    );
  }

  function has(oldText: string, now: string): boolean {
    const { lines, inline } = holesIn(path, oldText, now);
    return lines.size > 0 || inline !== undefined;
  }

  function filled(oldText: string, now: string): string | undefined {
    const { lines } = holesIn(path, oldText, now);
    if (lines.size === 0) return undefined;
    const isHole = (line: string): boolean => lines.has(line);
    const inBlocks = filledInBlocks(oldText, now, { isHole, isWrapped: WRAPS.test(told) });
    const merged = inBlocks?.isAround === true ? inBlocks : fillHoles(oldText, now, isHole);
    const text = "text" in merged ? merged.text : (filledAlike(oldText, now, isHole) ?? inBlocks?.text);
    const cut = text === undefined ? undefined : (cutOff(oldText, now, text) ?? flawOf(oldText, now, text));
    reason ??= cut;
    return cut === undefined ? text : undefined;
  }
}

/**
 * Returns whether a text with placeholders begins as its file does, but for new lines, ends with one or as the file
 * does, and is no excerpt of the first declaration.
 */
function beginsLazily({ path, content, source }: ShownText, before: string): boolean {
  const holes = holesIn(path, before, content).lines;
  const lines = trimmedLines(content);
  const old = trimmedLines(before);
  const known = new Set(old);
  const hole = lines.findIndex((line) => holes.has(line));
  const first = lines.slice(0, Math.max(0, hole)).find((line) => known.has(line));
  const last = lines.at(-1) ?? "";
  if (first === undefined || first !== old[0] || !(holes.has(last) || last === old.at(-1))) return false;
  const [part] = source.parts(before);
  const isAbove = part !== undefined && before.slice(0, part.start).trim() !== "";
  return isAbove || part?.kind === "section" || source.parts(content).length > 1;
}

/** Returns the text that an excerpt with placeholders means by all its lines, if that loses and breaks nothing. */
function alignedIn({ path, content, source, removed }: ShownText, written: string): string | undefined {
  const before = written.replaceAll("\r\n", "\n");
  const holes = holesIn(path, before, content);
  if (holes.lines.size === 0 || holes.inline !== undefined) return undefined;
  const isHole = (line: string): boolean => holes.lines.has(line);
  const text = alignedText(before, content, isHole);
  if (text === undefined || text === before || flawOf(before, content, text) !== undefined) return undefined;
  const words = namesRemoved(removed ?? "", content);
  const isLost = source.lostIn(before, text, false).some((name) => !words.has(name));
  const isBroken = source.isValid(before) === true && source.isValid(text) === false;
  const isHeld = holesIn(path, before, text).lines.size > 0 || cutOffIn(before, content, text).length > 0;
  if (isLost || isBroken || isHeld || harmOf(source, { before, content, text }) !== undefined) return undefined;
  return likeBefore(written, text);
}

/** Takes off the comment below the head of a text that only names the file. */
function withoutPath(content: string, path: string): string {
  const [all = "", head = "", name = ""] = /^(<\?php\s*\n)\s*(?:\/\/|#)\s*(\S+)[ \t]*\n/.exec(content) ?? [];
  return name !== "" && `/${path}`.endsWith(`/${name}`) ? head + content.slice(all.length) : content;
}

/** Puts a declaration that is shown alone and whole in the place of the old one, where sentences tell what it loses. */
function wholePart({ path, content, told, source, removed, original }: ShownText, before: string): Meant | undefined {
  const [part, other] = source.parts(content);
  if (part === undefined || other !== undefined || removed === undefined || tellsWholeFile(told, path))
    return undefined;
  const outside = content.slice(0, part.start) + content.slice(part.end);
  const [there, another] = source.parts(before).filter(({ name }) => name === part.name);
  if (there === undefined || another !== undefined || outside.trim() !== "") return undefined;
  const now = withKeptPrefix(before.slice(there.start, there.end), content.slice(part.start, part.end));
  const text = before.slice(0, there.start) + now + before.slice(there.end);
  if (source.lostIn(before, text).length === 0 || source.isValid(text) === false) return undefined;
  try {
    const written = meantText({ path, content: text, source, removed, original }, before);
    return { text: written, done: [`${part.name} replaced (${linesNamed(before, there)})`], untouched: 0 };
  } catch (thrown) {
    if (thrown instanceof Failed) return undefined;
    throw thrown;
  }
}

function unplaced(path: string, reason: string): Failed {
  return new Failed({ code: "file/unplaced", path, reason });
}

/**
 * Reads plain answers: sentences, and code fences that show the new text of something. A fence is read where the text
 * names its file: in a sentence or a heading above it, or below it. Two fences that a sentence ties (`Replace … with …`)
 * are one edit, and so are two code spans in a sentence. What a sentence calls output, an example, the present text,
 * one of several options, or advises against is no edit. Never fails. Runs in linear time.
 */
import type { ReadText } from "../../core/block.ts";
import type { Source } from "../source.ts";
import {
  filesToldBelow,
  headingAbove,
  isBelowText,
  isForeign,
  fileFor,
  labelOver,
  labelIn,
  fenceAbove,
  savedBelow,
  type Passage,
  passagesIn,
  pathOfNext,
  toldBelow,
  readmeThere,
  type ProsePassage,
  type FencePassage,
  type FileTold,
} from "./passages.ts";
import { besideIt, type Given, inSamePlace, isIn, placedAt, sideTold } from "./anchors.ts";
import { fileOfAnswer } from "./file-of-answer.ts";
import { fileOfHunks, hunksOf, isConflict } from "./hunks.ts";
import { halvesOf, pairOfFences, signedPairIn, spanPairAt } from "./pairs.ts";
import { holdsOnlyImports, MOVED, movesCode } from "./moves.ts";
import { isScriptText, scriptFor } from "./scripts.ts";
import {
  BESIDE,
  GOES_ON,
  PLACE,
  SPAN_REPLACED,
  unnamed,
  isChosen,
  isEither,
  isOption,
  isOther,
  isToldBelow,
  pairWords,
  VERBS,
} from "./words.ts";
import { Edits, UNCERTAIN } from "./edits.ts";
import { isJoined, type Survey, surveyOf } from "./survey.ts";
import {
  announcesSeries,
  fileHandedOver,
  handsOver,
  isKindLabel,
  isPartOf,
  isWithheld,
  leadIn,
  opensParts,
  proposes,
} from "./hands-over.ts";
import { isNoEdit, showsOther } from "./no-edit.ts";
import { NewForms } from "./new-form.ts";
import { isCrossed } from "../retraction-words.ts";
import { Retractions } from "../taken-back.ts";
import { replaceSpan, spanEditsIn, spanOrdersIn, withoutImport } from "./spans.ts";
import { type FileWith, type ReadSettings, WITHOUT_PROJECT } from "../syntax.ts";
import { REMOVES } from "../../core/removal-words.ts";
import { bothIn, codePathsIn, isFilePath, pathTold, toldPath } from "../path-label.ts";

export function readPlain(source: Source, settings: Pick<ReadSettings, "fileWith" | "pathsAt">): ReadText {
  const reader = new PlainReader(source, passagesIn(source), settings);
  reader.read();
  return { items: reader.edits.all() };
}

class PlainReader {
  readonly edits: Edits;
  readonly #passages: readonly Passage[];
  /** The file that the text is about: the last one told, by a heading, a sentence or a fence. */
  #path: string | undefined;
  /** That of an answer that names none. */
  readonly #subject: string | undefined;
  readonly #toldBelow: ReadonlyMap<number, string>;
  readonly #survey: Survey;
  #above: Omit<ProsePassage, "kind" | "level"> = NOTHING;
  #isForbidden = false;
  readonly #texts = new Map<string, Set<string>>();
  /** The last sentence that orders something. */
  #order = "";
  /** The last fence that was read. */
  #shown: FencePassage | undefined;
  /** Index of the fence that is the old text of the next one. */
  #old: FencePassage | undefined;
  /** The sentences above it, which tell its place. */
  #oldTold = "";
  /** The fence that the one above it replaces. */
  #replaced: FencePassage | undefined;
  /** The file in which several changes follow. */
  #series: string | undefined;
  /** That of a move, which its imports belong to. */
  #group: { readonly group: string } | undefined;
  /** The file of which parts follow. */
  #opened: string | undefined;
  readonly #retractions: Retractions;
  readonly #forms: NewForms;
  readonly #fileWith: FileWith;
  readonly #pathsAt: ReadSettings["pathsAt"];

  constructor(source: Source, passages: readonly Passage[], settings: Pick<ReadSettings, "fileWith" | "pathsAt">) {
    this.#passages = passages;
    [this.#fileWith, this.#pathsAt] = [settings.fileWith ?? WITHOUT_PROJECT, settings.pathsAt];
    this.#path = this.#subject = fileOfAnswer(passages, this.#fileWith);
    this.#forms = new NewForms(passages, this.#fileWith);
    this.edits = new Edits(source);
    this.#retractions = new Retractions(source);
    this.#toldBelow = filesToldBelow(passages);
    this.#survey = surveyOf(passages);
  }

  read(): void {
    for (const [index, passage] of this.#passages.entries()) {
      if (passage.kind === "block")
        [this.#old, this.#path] = [undefined, this.#pathsAt?.get(passage.first) ?? this.#path];
      else if (passage.kind === "prose") this.#readProse(passage, index);
      else this.#readFence(passage, index);
    }
  }

  #readProse(passage: ProsePassage, index: number): void {
    const [above, next] = [this.#passages[index - 1], this.#passages[index + 1]];
    const signed = signedPairIn(passage.text);
    const pair = signed ?? spanPairAt(this.#passages, index);
    if (pair !== undefined && this.#path !== undefined) {
      if (signed !== undefined && above?.kind === "prose" && isNoEdit(above.text)) return;
      const line = passage.sentences[0]?.first ?? 0;
      const edit = replaceSpan({ path: this.#path, old: pair[0], now: pair[1], told: passage.text });
      return this.edits.add({ first: line, next: line + (signed === undefined ? 1 : 2) }, edit);
    }
    // What a list is about.
    let lead = above?.kind === "prose" ? (above.sentences.at(-1)?.text ?? "") : "";
    if (!/[:：]\s*$/.test(lead)) lead = "";
    for (const [number, { text, first }] of passage.sentences.entries()) {
      const [only, other] = codePathsIn(text);
      const path = toldPath(text) ?? (other === undefined ? only : undefined);
      // A sentence in passing names a file that others are about.
      const isSeries = announcesSeries(text) || (/^[\W_]*step \d/i.test(text) && path !== undefined);
      if (
        path !== undefined &&
        (passage.isHeading ||
          isSeries ||
          next?.kind === "fence" ||
          this.#path === undefined ||
          VERBS.test(text) ||
          (pathTold(text) !== undefined && handsOver(text)))
      )
        this.#path = path;
      else if (path === undefined && passage.isHeading && passage.level < 3) this.#path = this.#subject;
      if (isSeries) this.#series = this.#path;
      if (path !== undefined && opensParts(text)) this.#opened = path;
      if (/[:：]\s*$/.test(text)) lead = text;
      const before = passage.sentences[number - 1]?.text ?? "";
      if (!isNoEdit(lead) && !isWithheld(lead)) this.#readSpans(text, before, first, next?.kind !== "fence");
    }
  }

  /** Reads what a sentence alone changes. If it `isAlone`, no fence shows the change. */
  #readSpans(words: string, before: string, line: number, isAlone: boolean): void {
    const [near, range] = [this.#path, { first: line, next: line + 1 }];
    const edits = spanEditsIn(words, { before, isAlone, near, fileWith: this.#fileWith });
    const orders = spanOrdersIn(words, near);
    if (edits.length + orders.length === 0 || this.#retractions.retracts(range) !== undefined) return;
    for (const { old, now, path = "", isFound, properties } of edits) {
      // Of several new texts that sentences give for a code span, none is taken.
      const texts = (this.#texts.get(`${path}\0${old}`) ?? new Set()).add(now);
      this.#texts.set(`${path}\0${old}`, texts);
      const how = { ...UNCERTAIN, ...(isFound && { isUnnamed: true }) };
      if (properties !== undefined) this.edits.add(range, properties, how, isFound ? [unnamed(path)] : [], texts);
    }
    for (const properties of orders) this.edits.add(range, properties);
  }

  #readFence(fence: FencePassage, index: number): void {
    const above = this.#passages[index - 1];
    // With nothing between them but "and", fences share the sentences above the first one.
    if (above?.kind !== "fence" && !isJoined(this.#passages, index)) {
      this.#above = above?.kind === "prose" ? above : NOTHING;
      this.#isForbidden = this.#retractions.forbids(fence) !== undefined;
    }
    const { text: intro, sentences, isHeading } = this.#above;
    const { place, path: below, isOrder: isOrderedBelow } = toldBelow(this.#passages, index, intro);
    const gathered = this.#toldBelow.get(index);
    const old = this.#old;
    this.#old = undefined;
    if (fence === this.#replaced) return;
    // In Markdown, a comment of other languages is a title.
    const isTitle = /^(?:md|mdx|markdown)$/.test(fence.language) && /^#\s/.test(fence.firstLine);
    const label = isTitle && toldPath(intro) !== undefined ? undefined : labelIn(fence.firstLine, this.#fileWith);
    // Of two files in a sentence nobody knows which is meant.
    const isTorn = codePathsIn(intro.split("\n").at(-1) ?? "").length > 1;
    const handed = fileHandedOver(sentences);
    const isSingle = above?.kind !== "fence" && this.#passages[index + 1]?.kind !== "fence";
    const both = isSingle && !fence.isDiff ? bothIn(sentences.at(-1)?.text ?? "") : [];
    const saved = both[0] ?? savedBelow(intro, { place, path: below }, this.#fileWith);
    const named =
      fence.path ?? label ?? saved ?? toldPath(intro) ?? toldPath(sentences.at(-1)?.text ?? "") ?? handed ?? below;
    const toldHere = named === undefined ? gathered : readmeThere(named, this.#fileWith);
    const near = toldHere ?? (isTorn ? undefined : this.#path);
    const labelAbove = labelOver(this.#passages, index);
    const second = both.at(named === both[0] ? 1 : 2);
    const textOf = (): string | undefined => this.#fileWith.textAt(near ?? pathOfNext(this.#passages, index) ?? "");
    const pair = pairOfFences(this.#passages, index, { intro, textOf });
    const isOfPair = old !== undefined || pair.isOld;
    this.#replaced = pair.withheld ?? this.#replaced;
    if (pair.withheld !== undefined && pair.isOld) return;
    const about = { intro, near: gathered ?? this.#path, isOfPair };
    const script = scriptFor(fence, { ...about, old }, this.#fileWith);
    const isScript = isScriptText(fence.content, about) || script !== undefined;
    const path = near ?? script;
    const file = {
      own: toldHere ?? script,
      near,
      second,
      label: isForeign(fence, labelAbove) ? undefined : labelAbove,
    };
    // Where nothing is to replace it, the old text goes.
    const isRemoval = old !== undefined && fence.isBlank && pairWords(intro) === "new";
    if ((fence.content.trim() === "" && !isRemoval) || isConflict(fence.content) || (fence.isCommand && !isScript))
      return;
    const [heading, halves] = [headingAbove(this.#passages, index), halvesOf(fence.content)];
    const before = this.#passages[index - 2];
    // What takes back the fence above may be followed by the order.
    const isTaken = before?.kind === "fence" && this.#retractions.retracts(before) !== undefined;
    const isCorrection = above?.kind === "prose" && isTaken;
    const last = leadIn(sentences, { isClause: isCorrection, isOnly: this.#survey.isOnly }) ?? intro;
    const told = { last, all: intro };
    // Where an answer tells a path, words say what is an edit.
    const isUntold = path !== undefined && path === this.#subject;
    const sentence = isUntold ? this.#forms.leadOver(fence, told, path) : last;
    const isLabelled = fence.path !== undefined || label !== undefined;
    const isMove = !isLabelled && above?.kind !== "fence" && movesCode(this.#passages, index, intro);
    if (
      (halves === undefined && !pair.isQuoted && isNoEdit(`${heading}\n${sentence}`)) ||
      ((isCrossed(intro) || isToldBelow(place)) && !pair.isOld) ||
      (isHeading && before?.kind === "prose" && showsOther(before.text)) ||
      ((isLabelled || (labelAbove !== undefined && !pair.isOld)) && showsOther(intro, !isLabelled)) ||
      (this.#isForbidden && !pair.isOld) ||
      this.#retractions.retracts(fence) !== undefined ||
      (this.#survey.hasOptions && (isOption(intro) || (isOption(heading) && !isChosen(intro)))) ||
      (this.#survey.hasOther && (isOther(intro) || isEither(intro)))
    )
      return;
    this.#path = path;
    if (!holdsOnlyImports(fence.content)) this.#group = undefined;
    if (isMove) {
      const how = { ...UNCERTAIN, ...(this.#group = { group: `plain-${fence.first}` }) };
      return this.edits.refuse(fence, MOVED, how);
    }
    if (isKindLabel(intro, before)) this.#series = path;
    const isHandedOver =
      handsOver(sentence, this.#survey.isOnly) ||
      [fence.path, labelAbove, gathered].some((one) => one !== undefined) ||
      (path !== undefined && path === handed) ||
      (proposes(sentence) && this.#fileWith.redeclares(fence)) ||
      (!isForeign(fence, path) && isPartOf(path, sentence, { opened: this.#opened, series: this.#series, fence })) ||
      (isUntold && this.#forms.shows(fence, told, path));
    if (fence.isDiff) return isHandedOver ? this.#addHunks(fence, path, intro) : undefined;
    const span = SPAN_REPLACED.exec(intro)?.[1];
    if (span !== undefined && !/^[\w$.#]+(?:\(\))?$/.test(span) && !isFilePath(span))
      return this.#add(fence, file, { content: fence.content, old: `${span}\n`, told: intro });
    if (halves !== undefined) return this.#add(fence, file, { content: halves.now, old: halves.old, told: intro });
    const [content, shown] = [fence.content, this.#shown?.content ?? ""];
    const side = old === undefined ? besideIt(intro, !isIn(shown, textOf())) : sideTold(this.#oldTold, intro);
    const given = { content, told: `${old === undefined ? "" : this.#oldTold}\n${intro}`.trim() };
    if (old !== undefined && (pairWords(intro) !== "old" || side !== undefined))
      return this.#add(fence, file, placedAt(old.content, given, side, textOf), old);
    if (pair.isOld) {
      [this.#old, this.#oldTold] = [fence, intro];
      return;
    }
    if (pair.replaced !== undefined && isHandedOver && !isNoEdit(intro)) {
      const { content: former, next } = (this.#replaced = pair.replaced);
      return this.#add(fence, file, { content, old: former, told: intro }, fence, next);
    }
    if (side !== undefined && shown !== "" && this.#shown === fenceAbove(this.#passages, index))
      return this.#add(fence, file, placedAt(shown, given, side, textOf));
    // "And the call" goes too.
    const order = GOES_ON.test(intro) && !VERBS.test(intro) && REMOVES.test(this.#order) ? this.#order : "";
    this.#order = order === "" ? sentence : order;
    const where = PLACE.test(place) || isOrderedBelow ? place : "";
    const orders = [order, inSamePlace(withoutImport(intro), shown), where].join("\n").trim();
    // Of code alone, its names tell what it is.
    const isAlone = (path === undefined || path === this.#subject) && above === undefined;
    const isNamed = isOrderedBelow || isLabelled || isBelowText(fence, above, this.#pathsAt);
    if (!isAlone && !isNamed && (intro === "" || !isHandedOver)) return;
    this.#add(fence, file, { content, told: orders, ...(label !== undefined && { label: fence.firstLine }) });
  }

  /** Reads a diff without its heads: each stretch of lines is a hunk, and the file runs as a whole. */
  #addHunks(fence: FencePassage, near: string | undefined, told: string): void {
    const [group, hunks] = [`plain-${fence.first}`, hunksOf(fence.content)];
    const path = near ?? fileOfHunks(hunks, told, this.#fileWith);
    if (path === undefined) return;
    const how = { ...UNCERTAIN, group, ...(near === undefined && { isUnnamed: true }) };
    for (const { old, now } of hunks) {
      const properties = { action: "file_edit_lines", path, old_lines: old, new_lines: now };
      if (old.trim() === "") this.#add(fence, { own: path, near: path }, { content: now, told, adds: "true" });
      else this.edits.add(fence, properties, how, near === undefined ? [unnamed(path)] : []);
    }
  }

  #add(fence: FencePassage, file: FileTold, given: Given, from = fence, end = fence.next): void {
    const { own, near, label, second } = file;
    if (second !== undefined) this.#group = { group: `plain-${fence.first}` };
    if (second !== undefined) this.#add(fence, { own: second, near: second }, given, from, end);
    const path = fileFor({ ...given, near, language: fence.language }, { own, label }, this.#fileWith);
    this.#path = second === undefined ? path : undefined;
    if (path === undefined) return;
    this.#shown = fence;
    const isUnnamed = path !== near || path === this.#subject;
    const [beside, removed] = [BESIDE.exec(given.told)?.[1], this.#survey.removedBeside(fence)];
    this.edits.add(
      { first: from.first, next: end },
      {
        action: "file_put",
        path,
        ...(fence.path === undefined && { guessed: "true" }),
        ...(removed !== "" && { removed }),
        ...given,
      },
      { ...UNCERTAIN, ...(isUnnamed && { isUnnamed }), ...(beside !== undefined && { beside }), ...this.#group },
      isUnnamed ? [unnamed(path)] : [],
    );
  }
}

const NOTHING = { text: "", sentences: [], isHeading: false };

/** Tells of sentences that order a change which they do not show, or say that it was made. */
import type { Finding } from "../../core/finding.ts";
import { namedFew, visibleOnOneLine } from "../../core/visible.ts";
import { isDuty } from "../../syntaxes/plain/clause.ts";
import { NOT_ASKED } from "../../syntaxes/plain/words.ts";
import { fileGoneIn } from "../../syntaxes/headings.ts";
import { isFilePath, MAX_SENTENCE, nameOf, pathAbove, pathTold } from "../../syntaxes/path-label.ts";
import { filesAskedFor, sentencesOfRow } from "./asked-elsewhere.ts";

interface UnreadOrder {
  readonly text: string;
  readonly line: number;
  /** The file that it is about, if another line names it. */
  readonly path: string | undefined;
  /** Whether code below it may be what it asks for. */
  readonly isSoft: boolean;
  /** Whether no block can carry it out, whatever code is below. */
  readonly isUnmade: boolean;
}

/** What is known of the blocks and their files. */
interface Known {
  readonly isUnmade: (label: string) => boolean;
  readonly isLeft: (name: string) => boolean;
}

/** Reads the lines outside blocks and fences in order. */
export class UnreadOrders {
  readonly #gone: ReadonlySet<string>;
  #lines: UnreadOrder[] = [];
  #isLast = false;
  /** Index of the order in the heading above, until code follows. */
  #heading: number | undefined;
  /** The file that the lines are about. */
  #file: string | undefined;
  /** The line above a list, or the first row of a table. */
  #above = "";

  readonly #named: ReadonlySet<string>;
  readonly #isUnmade: (label: string) => boolean;
  readonly #isLeft: (name: string) => boolean;

  /**
   * @param gone names of the files that blocks delete or move
   * @param named names of the files of all blocks
   * @param project.isUnmade tells whether a sentence orders what no block does
   * @param project.isLeft tells whether a file of the blocks declares a name that none of them has
   */
  constructor(
    gone: ReadonlySet<string>,
    named: ReadonlySet<string>,
    { isUnmade = () => false, isLeft = () => false }: Partial<Known> = {},
  ) {
    this.#gone = gone;
    this.#named = named;
    this.#isUnmade = isUnmade;
    this.#isLeft = isLeft;
  }

  /** Drops the last order, which the code carries out, unless a further order follows in its sentence. */
  passesCode(): void {
    const last = this.#lines.at(-1);
    if (this.#isLast && last?.isUnmade === false && !GOES_ON.test(last.text)) this.#lines.pop();
    if (this.#heading !== undefined) this.#lines.splice(this.#heading, 1);
    this.#lines = this.#lines.filter(({ isSoft, text }) => !isSoft || GOES_ON.test(text));
    this.#isLast = false;
    this.#heading = undefined;
    this.#above = "";
  }

  /**
   * @param text a line that is not blank
   * @param isSure whether the answer has blocks whose syntax is certain: beside them, only other files count
   */
  read(text: string, line: number, isSure: boolean): void {
    // Another finding names indented code.
    if (INDENTED.test(text) && this.#isLast && OPEN.test(this.#lines.at(-1)?.text ?? "")) return this.passesCode();
    this.#readContext(text);
    // Another finding names it.
    if (fileGoneIn(text) !== undefined) return;
    const isRow = ROW.test(text);
    for (const label of isRow ? [text.trim()] : text.trim().replace(BOLD_LABEL, "").split(SENTENCES)) {
      const [, span = ""] = /`([^`]+)`/.exec(label) ?? [];
      const isNew = EMPTY_FILE.test(label) && !this.#named.has(nameOf(span));
      // Beside blocks, such a sentence tells what they do.
      const isClaim = this.#named.size === 0 && CLAIM.test(label);
      const isUnmade = !isSure && this.#isUnmade(label);
      const isOrder = REMOVAL.test(label) || OTHER.test(label) || isNew || isClaim || isUnmade;
      const isOfFile = isFilePath(span) && !this.#named.has(nameOf(span));
      const isRead = label.length > MAX_LENGTH || this.#gone.has(nameOf(span));
      const isOfLeft = !isSure && !isRow && this.#asksLeft(label);
      const isElsewhere = this.#asksElsewhere(isRow ? sentencesOfRow(text, this.#above) : this.#withContext(label));
      const isFile = isOfFile && FILE_GOES.test(label);
      const { last, first } = IN_FILE.exec(label)?.groups ?? {};
      // A sentence about a file of the blocks tells what they do.
      const isOfOther = (last ?? first) !== undefined && !this.#named.has(nameOf(last ?? first ?? ""));
      const isSoft = !isOrder && !isElsewhere && !isFile && (isOfOther || GOES.test(label)) && !SUPPOSED.test(label);
      const isUnread = isElsewhere || (!isSure && !isRead && (isOrder || isSoft || isFile || isOfLeft));
      const isInContext = isElsewhere && !isRow && !this.#asksElsewhere([label]);
      const path = isInContext && !this.#named.has(nameOf(this.#file ?? "")) ? this.#file : undefined;
      if (isUnread)
        this.#lines.push({ text: label, line, path, isSoft, isUnmade: (isUnmade || isOfLeft) && !OPEN.test(label) });
      // A file is not shown by the code below.
      this.#isLast = isUnread && !(isOfFile && (REMOVAL.test(label) || FILE_GOES.test(label)));
      if (isUnread && HEADING.test(text)) this.#heading = this.#lines.length - 1;
    }
  }

  #readContext(text: string): void {
    const label = pathAbove(text, false);
    const path = pathTold(text) ?? label;
    if (path !== undefined || HEADING.test(text)) this.#file = path;
    // A path alone stands between a heading and its code.
    if (label === undefined && (path !== undefined || HEADING.test(text))) this.#heading = undefined;
    const isContinued = ROW.test(text) ? ROW.test(this.#above) : ITEM.test(text);
    if (!isContinued) this.#above = text.length > MAX_SENTENCE ? "" : text;
  }

  /** Returns a sentence, also with the line above its list and with the file that it is about. */
  #withContext(label: string): readonly string[] {
    const item = ITEM.exec(label)?.[0] ?? "";
    const words = label.slice(item.length);
    const isListed = item !== "" && OPEN.test(this.#above);
    return [
      label,
      ...(isListed ? [`${this.#above.trim()} ${words}`] : []),
      ...(this.#file === undefined || pathAbove(label, false) !== undefined ? [] : [`\`${this.#file}\`: ${words}`]),
    ];
  }

  /** Beside blocks, a change of another file is not among what they do. */
  #asksElsewhere(texts: readonly string[]): boolean {
    if (this.#named.size === 0) return false;
    const isNamed = (name: string): boolean => this.#named.has(name) || this.#gone.has(name);
    return texts.some((text) => filesAskedFor(text, isNamed).some((name) => !isNamed(name)));
  }

  /** Returns whether a sentence asks to change or to remove a declaration that no block has. */
  #asksLeft(label: string): boolean {
    const leftIn = (code: string): string | undefined => {
      const name = code.replace(/\(\)$/, "").replace(/^.*[.#:]/, "");
      return this.#isLeft(name) ? name : undefined;
    };
    if (LATER.test(label)) return false;
    const [, span = ""] = /`([^`]+)`/.exec(label) ?? [];
    if (leftIn(span) !== undefined && (isDuty(label) || LEFT_OVER.test(label))) return !NOT_ASKED.test(label);
    return filesAskedFor(label, (name) => !this.#isLeft(name), leftIn).length > 0;
  }

  findings(): readonly Finding[] {
    const [first] = this.#lines;
    if (first === undefined) return [];
    const named = this.#lines.map(({ text, line, path }) => {
      const about = path === undefined ? "" : `, about ${path}`;
      return `"${visibleOnOneLine(text, MAX_LENGTH)}" (line ${line}${about})`;
    });
    return [
      {
        code: "answer/not-read",
        line: first.line,
        message: `not read: ${namedFew(named, MAX_NAMED)}`,
        request: this.#lines.some(({ text, isSoft }) => REMOVAL.test(text) || (isSoft && REMOVES.test(text)))
          ? "To remove lines, show them in a code fence below such a sentence; for a whole file, write: Delete `PATH`"
          : "Show what changes in a code fence, with the path of its file above it",
      },
    ];
  }
}

/** Of a sentence that asks for a removal or for a change. */
const REMOVES = /\b(?:delet|drop|remov|rid of|can go\b)/i;
/** Between two sentences, outside of code. */
const SENTENCES = /(?<=[.!?][*_]{0,2})\s+(?=[*_`]{0,2}\p{Lu})/u;
const OPEN = /[:：]\W*$/;
const INDENTED = /^(?: {4}|\t)\s*(?![-*+•\s]|\d+[.)] )/;
const HEADING = /^\s*(?:#{1,6} |(?:\d+[.)] )?\*\*[^*]+\*\*:?\s*$)/;
const ROW = /^\s*\|.*\|\s*$/;
const ITEM = /^\s*(?:[-*+•]|\d+[.)]) /;
/** **Note:** */
const BOLD_LABEL = /^(?:[-*+•] )?\*\*[\p{L} ]{2,20}(?:[:：]\*\*|\*\*[:：])\s*(?=\S)/u;
const MAX_LENGTH = 200;
const MAX_NAMED = 4;
/** What may stand before the verb of an order. */
const LEAD =
  "^(?:[-*+\\d.)(# ]*)(?:(?:in )?`[^`]+`[:,]? |(?:first|now|then|please|also|and|next|finally|you can|you should)[ ,]+)*";
const LATER = /(?<!\p{L})(?:eventually|if|later|más tarde|nichts|plus tard|später)(?!\p{L})/iu;
/** `f` is no longer needed, can go. */
const LEFT_OVER = new RegExp(
  "^\\W*(?:(?:now|so|then),? )?(?:(?:the|your) (?:\\w+ )?)?`[^`]+`(?: \\w+)? (?:can (?:now |then |also )*go\\b|(?:is|are)(?: now| then)? (?:no longer (?:needed|used|necessary|required)(?! (?:by|here|in|there|to)\\b)|unused|obsolete|dead code)\\b)|" +
    `${LEAD}(?:afterwards,? )?(?:delete|remove|drop|get rid of)\\b[^\`]*\`[^\`]+\``,
  "i",
);
const REMOVAL = new RegExp(
  `${LEAD}(?:delete|remove|drop|get rid of)\\b[^\`]*\`[^\`]+\`|` +
    "`[^`]+`.{0,80}\\b(?:you can|you may|you should|please|just) (?:safely |now |then |also )*(?:delete|remove|drop) (?:it|them|that|this)\\b",
  "i",
);
/** `b.py` can be deleted, is not needed: remove the file. In German, French and Spanish, the order itself. */
const FILE_GOES = new RegExp(
  "^[^`]{0,20}`[^`]+`.{0,80}\\b(?:(?:can|may|must|should) (?:now |safely |also )*(?:go\\b|be (?:safely |now )?(?:deleted|dropped|removed))|" +
    "(?:delete|remove|drop) (?:it|the file|that file|this file)\\b)|" +
    "^[^`]{0,80}[:;,] (?:so |then |and )?(?:delete|remove|drop) (?:the )?(?:file )?`[^`]+`|" +
    `${LEAD}(?:lösche?|entferne?|supprime[rz]?|elimin[ae]|borra|borre)\\b[^\`]*\`[^\`]+\``,
  "iu",
);
/** Since nobody uses it, you can delete `f`; `f` is dead code and should be removed; change it to `g`. */
const GOES = new RegExp(
  "(?:^|[,;:] )(?:so |then |and )?(?:you (?:can|may|should)|please|so|and)? ?(?:safely |now |then |also |just )*(?:delete|remove|drop|get rid of)\\b" +
    "[^`.]{0,30}`[^`]+`|\\byou (?:can|may|should) (?:safely |now |then |also |just )*(?:delete|remove|drop|get rid of)\\b[^`.]{0,30}`[^`]+`|" +
    "`[^`]+`(?:[^.`]|`[^`]*`){0,80}\\b(?:(?:can|must|should) (?:now |safely |also )*be (?:safely |now )?" +
    "(?:deleted|dropped|removed)(?!\\s+(?:by|from|in)\\b)|so (?:you can )?(?:delete|remove|drop) (?:it|them)\\b)|" +
    "^[-*+\\d.)( ]*(?:then |now |also )*use `[^`]+` instead of `[^`]+` (?:everywhere|in (?:both|all|the|your|`))|" +
    "^[-*+\\d.)( ]*(?:(?:and|then|also) )*you(?:['’]ll| will)? (?:also )?need to import `[^`]+`|" +
    "^[-*+\\d.)( ]*(?:and |then |now |also )*(?:enable it\\b[^`.]{0,40}`[^`\\n]*[=:][^`\\n]*`|set `[^`\\n]*[=:][^`\\n]*` in `)|" +
    "^[-*+\\d.)( ]*`[^`]+`: `[^`]+` (?:→|->|=>) `[^`]+`|" +
    "^[-*+\\d.)( ]*(?:then |now |also )?(?:change|update|rename|set|switch) (?:it|this|that|them|the \\w+(?: \\w+)?(?: (?:in|of) [^ ,;]+)?) to `[^`]+`",
  "i",
);
/** Delete the `f` and `g` functions, and simplify the export: the code below shows the second order. */
const GOES_ON =
  /\b(?:delete|drop|remove|get rid of) (?:the |both )?(?:`[^`]+`(?:,? and |, )?)+ (?:functions?|methods?|class(?:es)?|helpers?|constants?|types?|tables?|files?)\b[^:]*,? and (?:then |also )?(?!its\b|the\b|their\b|all\b)[a-z]+\b[^:]*:\W*$/i;
/** Set `PORT=1` in `app.env`. */
const IN_FILE = new RegExp(
  "^[-*+\\d.)( ]*(?:(?:(?:and|then|now|also|please) )*(?:add|enable|put|set) `[^`]+`[^`.]{0,40} (?:in|to|into) (?:the |your )?`?(?<last>[\\w./-]+\\.\\w+)`?[.)]*$|" +
    "in (?:the |your )?`?(?<first>[\\w./-]+\\.\\w+)`?,? (?:add|enable|put|set|use) `[^`]+`)",
  "i",
);
const SUPPOSED = /^\W*(?:if|when|once|should|notes?)\b|\?\s*$/i;
const EMPTY_FILE = new RegExp(`${LEAD}(?:create|add|make) (?:an? )?(?:new )?empty\\b[^\`]{0,30}\`[^\`]+\``, "i");
/** Says that one code span has become another. */
const CLAIM =
  /^[-*+\d.)(# ]*(?:I|we)(?:['’]ve| have)? (?:also |now |then )*(?:renamed|changed|replaced|set|updated|swapped|bumped)\b[^`]*`[^`]+` (?:to|into|with|by|→|->|=>) `[^`]+`/i;
/** A rename, two code spans of which one is to replace the other, and imports to add, to remove or to think of. */
const OTHER = new RegExp(
  `${LEAD}(?:(?:rename|change|replace|set|update|swap|bump)\\b[^\`]*\`[^\`]+\` (?:to|into|with|by|→|->|=>) \`[^\`]+\`|` +
    "add\\b[^`]*`[^`]+`[^`.]{0,20}\\bimports?\\b|" +
    "(?:(?:don(?:'|’)t|do not) forget|remember|make sure|be sure|denk\\w* (?:daran|an)|vergiss nicht|n(?:'|’)oubli\\w+ pas|" +
    "pense[rz]? à|no olvides|recuerda)\\b(?:[^`.]*\\bimport\\w*[^`.]*`[^`]+`|[^`.]*`[^`]+`[^`.]{0,20}\\bimports?\\b))|" +
    "[;.,] (?:then |also |and |please |so )*(?:remove|delete|drop) (?:both|all|the|these|those|its|their)\\b[^`.]{0,30}\\bimports?\\b",
  "i",
);

/** Tells of sentences that order a code span or an import which no block of the answer has. */
import type { ReadBlock } from "../../core/block.ts";
import { once } from "../../core/once.ts";
import { asPath, MAX_SENTENCE } from "../../syntaxes/path-label.ts";
import { isNoEdit } from "../../syntaxes/plain/no-edit.ts";
import { newSpansIn } from "../../syntaxes/plain/spans.ts";
import { declarationOf, holderOf, namesIn } from "../declared.ts";

/** What of an answer's sentences its blocks do not do. */
export interface Unmade {
  /** Returns whether a line orders that a code span replaces another, and no block has it. */
  readonly replaces: (line: string) => boolean;
  /** Returns whether a sentence orders an import that no block has. */
  readonly imports: (words: string) => boolean;
  /** Returns whether a sentence puts a statement at an end of something or in the place of another, or takes it out, and no block does. */
  readonly statements: (words: string) => boolean;
  /** Returns whether a file of the blocks declares a name that none of them has. */
  readonly leaves: (name: string) => boolean;
}

/** @param textAt returns the text of a file of the project */
export function unmadeIn(blocks: readonly ReadBlock[], textAt: (path: string) => string | undefined): Unmade {
  const paths = new Set(blocks.flatMap(({ properties: { path } }) => path ?? []));
  const files = once(() => [...paths].flatMap((path) => textAt(path) ?? []));
  const declared = once(() => new Set(files().flatMap((text) => [...namesIn(text, Infinity), ...valuesIn(text)])));
  const texts = blocks.flatMap(({ properties }) => Object.values(properties));
  const known = once(() => new Set(texts.flatMap((text) => text.split(BETWEEN_WORDS))));
  /** Without the words of removals, which most blocks have nothing to do with. */
  const shown = once(() => {
    const all = blocks.flatMap(({ properties: { removed = "", ...others } }) => {
      const hasMost = namesIn(others["content"] ?? "", Infinity).size * 2 >= declared().size;
      return [...Object.values(others), ...(hasMost ? [removed] : [])];
    });
    return new Set(all.flatMap((text) => text.split(BETWEEN_WORDS)));
  });
  const firstLines = once(() =>
    blocks.flatMap(({ properties: { old, content } }) => /^.*\w.*$/m.exec(old ?? content ?? "")?.[0].trim() ?? []),
  );
  const importLines = once(() =>
    [...texts, ...files()].flatMap((text) => text.split("\n")).filter((line) => IMPORT.test(line)),
  );
  const codes = once(() => blocks.flatMap(({ properties }) => CODES.flatMap((name) => properties[name] ?? [])));
  const isThere = (span: string): boolean =>
    BETWEEN_WORDS.test(span) ? texts.some((text) => text.includes(span)) : known().has(span);
  const isImported = (span: string): boolean => {
    const name =
      span
        .replace(IMPORT, "")
        .match(/[\p{L}\p{N}_$-]+/gu)
        ?.at(-1) ?? span;
    return importLines().some((line) => line.includes(name));
  };
  /** Returns whether a block changes lines inside a declaration, without its head. */
  const isEditedIn = (name: string): boolean => {
    const lines = new Set(
      files()
        .flatMap((text) => declarationOf(text, name).split("\n"))
        .map((line) => line.trim()),
    );
    return firstLines().some((line) => lines.has(line));
  };
  /** Returns whether a line stands in a declaration that no block shows. */
  const isLeftIn = (line: string): boolean => {
    const isShown = ({ old, old_lines: lines }: ReadBlock["properties"]): boolean =>
      [old, lines].some((code) => code?.includes(line) === true);
    if (blocks.some(({ properties }) => isShown(properties))) return false;
    const words = new Set(codes().flatMap((code) => code.split(BETWEEN_WORDS)));
    return files().some((text) => {
      const name = holderOf(text, line);
      return name !== undefined && !words.has(name);
    });
  };
  /** Returns whether a sentence puts a code span in the place of one that a file still has, without a verb that says so. */
  const isSwapLeft = (words: string): boolean => {
    const [used, swapped] = [USED.exec(words), SWAPPED.exec(words)];
    const [now, old] = used ? [used[1], used[2]] : [swapped?.[2], swapped?.[1]];
    return now !== undefined && old !== undefined && !isThere(now) && files().some((text) => text.includes(old));
  };
  return {
    statements: (words) => {
      const prose = words.replaceAll(/`[^`]*`/g, "`x`");
      if (blocks.length === 0 || words.length > MAX_SENTENCE || OPEN.test(prose) || isNoEdit(words)) return false;
      const [put, out] = [PUT.exec(words)?.[1], TAKEN_OUT.exec(words)?.[1]];
      return (
        (put !== undefined && ![...codes(), ...files()].some((text) => text.includes(put))) ||
        (out !== undefined && isLeftIn(out)) ||
        isSwapLeft(words)
      );
    },
    replaces: (line) => newSpansIn(line).some((span) => !isThere(span)),
    imports: (words) => {
      const isRead = blocks.length > 0 && words.length <= MAX_SENTENCE;
      if (!isRead || OPEN.test(words) || isNoEdit(words.replace(COMPARED, ""))) return false;
      const name = IMPORTED.map((form) => form.exec(words)?.[1]).find((code) => code !== undefined);
      const names =
        name === undefined && FOREIGN.test(words)
          ? [...words.matchAll(NAME)].map(([, code = ""]) => code)
          : [name ?? ""];
      return names.length > 0 && names.every((code) => code !== "" && asPath(code) === undefined && !isImported(code));
    },
    leaves: (name) => declared().has(name) && !shown().has(name) && !isEditedIn(name),
  };
}

/** Returns the names of the values at the top of a text. */
function valuesIn(text: string): readonly string[] {
  return [...text.matchAll(/^([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=\n]+)?=(?!=)/gmu)].map(([, name = ""]) => name);
}

const BETWEEN_WORDS = /[^\p{L}\p{N}_$]+/u;
const IMPORT =
  /^\s*(?:#\s*include|export|from|import|require|use|using|(?:const|let|var)\b.*\brequire)\b|^\s*(?:\w+ )?"[\w./-]+"\s*$/;
/** What a thing comes in place of. */
const COMPARED = /\b(?:instead of|rather than)\b.*/i;
/** What is asked, left open, or not to be done. */
const OPEN =
  /\?|\b(?:if|unless|once|later|eventually|optional\w*|can|console|could|repl|scripts|shell|terminal|might|may|would|never|already|no need|not(?= `))\b|n['’]t(?! forget)/i;
const LEAD =
  "^[-*+\\d.)(# ]*(?:(?:in (?:the )?`[^`]+`,?|(?:and|also|finally|first|next|now|please|plus|then),?|" +
  "(?:don['’]t|do not) forget to|(?:make|be) sure (?:to|(?:that )?you)|remember to|you(?:['’]ll| will)? (?:also )?(?:have to|must|need to|should)(?: also)?) )*";
/** Forms that say what is to be imported. */
const IMPORTED: readonly RegExp[] = [
  new RegExp(`${LEAD}import\\b[^\`.:]{0,20}\`([^\`]+)\``, "i"),
  /`([^`]+)` (?:also |still )?(?:has to|must|needs to|should) be imported\b/i,
  /(?:^|[,;:(] ?|\band |\bplus |\bwith )`((?:#include|from|import|use|using)\b[^`]+)`(?: (?:at|on) (?:the )?(?:very )?top\b|\W*$)/i,
  // A statement, in whatever language the sentence is.
  /`((?:#include [<"]|from [\w.]+ import |import [\w.{*"'/]|use [\w]+::|using [A-Z]|const .*= require\()[^`]*)`/,
];
const CODES = ["content", "old", "old_lines", "new_lines", "old_text", "new_text"] as const;
/** A statement, and not only a name. */
const STATEMENT = "`([^`\\n]*[(=;:#<{\"'][^`\\n]*)`";
/** Call `f(x)` as the first line of `g`. */
const PUT = new RegExp(
  `(?:${LEAD}|[,;:] (?:and |then )?)(?:add|call|insert|place|put) ${STATEMENT} (?:as the (?:very )?(?:first|last) (?:line|statement|thing)|(?:at|to) the (?:very )?(?:beginning|bottom|end|start|top))\\b`,
  "i",
);
/** Remove the `f();` call from the constructor. */
const TAKEN_OUT = new RegExp(
  `(?:${LEAD}|[,;:] (?:and |then )?)(?:delete|drop|remove) (?:the )?${STATEMENT}(?: (?:call|line|statement))? (?:from|in)\\b`,
  "i",
);
/** Use `a` instead of `b`. */
const USED = /(?:^\W*|[.!;:,] (?:and |so )?)use `([^`\n]+)` instead of `([^`\n]+)`/i;
/** And, further down, `a` by `b`. */
const SWAPPED = /^\W*(?:and|e|et|und|y)\b[^`\n]{0,30}`([^`\n]+)` (?:by|durch|par|por|with) `([^`\n]+)`/i;
const FOREIGN = /(?<!\p{L})(?:importieren?|importe[rz]|importa[r]?)(?!\p{L})|导入|引入|インポート/iu;
const NAME = /`([\p{L}_$][\p{L}\p{N}_$./:-]*)`/gu;

/** Words that take code back in other languages, as parts of patterns, and those that give another way. */
import { isOther } from "./plain/words.ts";

/** Returns a pattern for one of several. */
export const any = (...forms: readonly string[]): string => `(?:${forms.join("|")})`;

/** Do not do this. */
export const OTHERS = any(
  "ne (?:faites|fais|utilisez|utilise|appliquez|écrivez|écris) pas (?:ceci|cela|ça)",
  "à éviter",
  "no (?:hagas|uses|apliques|escribas) (?:esto|eso)",
  "não (?:faça|use|escreva) (?:isso|isto)",
  "non (?:fare|usare|scrivere) (?:così|questo)",
  "(?:bitte )?nicht so",
  "(?:mach|verwende|nutze|schreib)\\w* (?:das|dies\\w*|es)(?: so)?(?: bitte)? nicht(?: so)?",
  "不要(?:这样|这么|使用|用)[^。:：]{0,12}",
  "(?:しないで|悪い例)[^。:：]{0,12}",
  "не (?:делай|пиши|используй)(?:те)? (?:так|это)",
);
/** Wrong, not like this. */
export const OTHER_LABELS = any(
  "falsch|schlecht|so nicht|(?:das )?(?:falsche|schlechte)s? (?:beispiel|weg|ansatz)|was (?:man|du|sie) nicht (?:tun|machen) soll\\w*",
  "faux|mauvais(?:e (?:pratique|méthode|façon)| exemple)?|(?:à|ce qu'il) ne (?:pas|faut pas) faire",
  "incorrecto|mal|así no|mal ejemplo|lo que no (?:debes|se debe|hay que) hacer",
  "errado|incorreto|assim não|o que não fazer|sbagliato|cosa non fare|così no",
  "(?:错误|不好|不推荐)的?(?:示例|做法|写法|方式|例子)?|反例|(?:悪い|間違った)(?:例|書き方)|неправильно|плохо|так не надо",
);
/** That was wrong, that is not needed. */
export const FALSE_SAYS = any(
  "(?:das|dies|es) (?:ist|war) (?:leider |doch |so )*(?:falsch|verkehrt|nicht (?:richtig|nötig|korrekt)|unnötig|ein fehler|quatsch)",
  "(?:das|dies|es) (?:brauchst du|brauchen (?:wir|sie)|braucht (?:es|man)|stimmt|geht|passt)(?: so| doch| hier| aber| gar)* nicht",
  "(?:vergiss|ignorier\\w*|vergessen sie) (?:das|dies\\w*|es)(?: wieder| bitte)?",
  "(?:c'est|c'était|ce n'est pas) (?:faux|incorrect|une erreur|correct|nécessaire|juste)",
  "(?:oubliez|oublie|ignorez|ignore) (?:ça|cela|ceci)",
  "(?:eso|esto) (?:está|estaba|es|era|no es|no está) (?:mal|incorrecto|un error|necesario|correcto|bien)",
  "(?:olvida|ignora|olvide|ignore) (?:eso|esto)",
);
/** I would not recommend it. */
export const ADVISED = any(
  ".{0,30}\\b(?:abraten|rate (?:ich )?davon ab|würde ich (?:hier )?nicht|lieber nicht)\\b",
  ".{0,30}\\b(?:déconseille|recommande pas|desaconsejo|no (?:te )?lo recomiendo|sconsiglio|não recomendo)\\b",
  ".{0,20}(?:不建议|不推荐|おすすめしません|не рекоменду|не советую)",
);

/** Begins the label of one of several options. */
export const OPTION = /^(?:alternative|ansatz|approach|opción|option|variante?)\s+(?:[a-d]|\d)(?=$|[\s:：.)(–—-])/i;

/** Returns whether a sentence gives what is below it as another way. "Or rather" corrects what is above. */
export function tellsAnotherWay(words: string): boolean {
  return ANOTHER_WAY.test(words) || (isOther(words) && !/^or (?:better|rather)\b/i.test(words));
}

const ANOTHER_WAY = new RegExp(
  "^(?:(?:alternatively|as an alternative|alternativ|sinon|alternativamente)\\b[^.:：]*[:：]?|" +
    "(?:an |the )?(?:alternative|another|other)(?: (?:approach|fix|idea|implementation|option|solution|version|way)\\b[^.:：]*)?" +
    "(?:[:：]|$).{0,80})$",
  "i",
);

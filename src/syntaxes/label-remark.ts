/** Reads the remark behind the path in a label: `src/app.ts` (old), **src/app.ts** - for reference. */
import { isFilePath } from "./path-label.ts";

/**
 * Returns whether a line is a path with a remark that the code below it is old, left as it is, an example or another
 * way. One that says more, as "unchanged but for `load`" does, is none.
 */
export function isRemarkedAsShown(line: string): boolean {
  if (line.length > MAX_LABEL) return false;
  const [, path = "", inBrackets, behind = ""] = REMARKED.exec(line.trim().replaceAll("’", "'")) ?? [];
  return isFilePath(path) && STATES.test((inBrackets ?? behind).trim());
}

/** UTF-16 units. */
const MAX_LABEL = 160;
const REMARKED =
  /^(?:#{1,6} |[-*+] )?[*_]{0,3}(?:\d{1,3}[.)] )?[*_]{0,3}(?:(?:in|file|path|datei|fichier|archivo)[:：]? )?[*_]{0,3}`?([^\s`*:：()（]+)`?[*_]{0,3}[:：]?[*_]{0,3} ?(?:[(（]([^()（）]+)[)）]|[-–—][-–—]? ?([^-–—:：.()*]+))[*_]{0,3}[:：]?[*_]{0,3}$/iu;
const VERSION =
  "(?: (?:class|code|contents?|form|function|implementation|method|one|state|text|version|fassung|stand))?";
const STATE = [
  `(?:before|current(?:ly)?|former|legacy|old|original|outdated|previous|prior)${VERSION}`,
  "existing (?:class|code|function|implementation|method|version)",
  "(?:left |stays? |remains? )?(?:as (?:it )?(?:is|was)(?: now)?|unchanged|unmodified|untouched|the same)",
  "no (?:change|edit|modification|update)s?(?: (?:is |are )?(?:made|necessary|needed|required))?",
  "not (?:be )?(?:changed|edited|modified|touched|to be changed)",
  "(?:please )?(?:do not|don't|never) (?:apply|change|copy|edit|modify|touch|use)(?: (?:it|this))?",
  "(?:(?:just|only) )?(?:for|as an?) (?:your )?(?:comparison|context|example|illustration|orientation|reference)(?: only)?",
  "(?:comparison|context|example|illustration|reference|usage)(?: only| usage| code)?",
  `(?:an )?alternative(?: way)?${VERSION}`,
  "(?:alt|bisher|vorher|bisherige|alte|aktuelle|ursprüngliche|vorherige)(?: (?:fassung|version)|r (?:code|stand))?",
  "(?:bleibt )?unverändert|keine änderung(?:en)?(?: nötig)?|nicht (?:ändern|geändert)|(?:nur )?(?:zum vergleich|als beispiel|beispiel)",
  "(?:reste )?inchangée?|(?:ancien(?:ne)?|avant|actuel(?:le)?|original)(?: (?:code|version))?|(?:ancienne )?version (?:actuelle|originale)|ne pas (?:modifier|changer)|(?:par )?exemple|pour (?:référence|comparaison)",
  "sin cambios|antes|(?:código|versión) (?:anterior|actual|original)|no (?:cambiar|modificar)|(?:por )?ejemplo|como referencia",
  "旧|旧版|旧代码|原来|原代码|修改前|变更前|変更前|不变|无需修改|未修改|变更なし|変更なし|仅供参考|参考|示例",
].join("|");
const STATES = new RegExp(
  `^(?:(?:the|your|my|this is the|der|die|das|le|la|el) )?(?:${STATE})(?:(?:[,;]| [–—-]) (?:${STATE}))*$`,
  "iu",
);

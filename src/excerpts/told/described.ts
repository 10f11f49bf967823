/** Tells a place that describes what is changed from one where something is added. */

const VERBS =
  "adapt|adjust|change|correct|edit|fix|modify|rename|replace|rewrite|simplify|swap|tweak|update|" +
  "änder[en]|aktualisiere?|ersetze?|korrigiere?|change[rz]?|modifie[rz]?|corrige[rz]?|remplace[rz]?|" +
  "actualiza|cambia|corrige|modifica|reemplaza";
/** What a sentence changes may have several words, but is none that holds others. */
const THING =
  "(?:(?:the|your|this|that|den|die|das|le|la|les|el|los|las)\\s+|l['’])(?:(?!(?:and|by|so|to|with)\\b)[\\p{L}`-]+\\s+){1,4}?" +
  "(?<!\\b(?:class|code|component|file|function|method|module|script|section)\\s+)";
const PLACE =
  "(?:(?:right|just|directly|immediately)\\s+)?(?:above|after|at|before|below|beneath|near|under|am|vor|nach|unter|über|à|en haut|au|avant|après|al|antes|después)(?!\\p{L})";
const CHANGED = new RegExp(
  `^\\W*(?:at|near) the (?:very )?(?:beginning|bottom|end|start|top)(?: of [^,\\n]*)?, (?:${VERBS}|bump|switch|upgrade)\\s|(?:^|[^\\p{L}])(?:${VERBS})\\s+(?:${THING}${PLACE}|the\\s+(?:beginning|bottom|end|start|top)\\s+of\\b)|(?:^|[^\\p{L}])${THING}${PLACE}[^.:\\n]*\\b(?:becomes|is now|must be|reads|should (?:be|become|read))\\b`,
  "iu",
);

/** Returns whether a place in some sentences says which lines are changed: change the call at the end of `main`. */
export function isDescribed(prose: string): boolean {
  return CHANGED.test(prose);
}

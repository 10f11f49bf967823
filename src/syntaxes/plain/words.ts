/** The words by which a plain answer says what a code fence is. */

/**
 * Returns whether the last sentence of some only supposes the file below them. Where a path stands at the fence, fewer
 * words say so than above code alone.
 */
export function isSupposed(sentences: string): boolean {
  const last =
    sentences
      .replace(/\s+/g, " ")
      .split(/(?<=[.!?]) (?=\S)/)
      .at(-1) ?? "";
  return SUPPOSED.test(last);
}

const SUPPOSED = new RegExp(
  [
    /^\W*(?:if|when|where|unless) .*\b(?:instead|e\.g\.|for (?:example|instance))\b/,
    /\b(?:would|could|might) (?:\w+ )?look (?:\w+ )?like\b|\bwould (?:be|become|mean|need|require)\b[^,;]*:$/,
    /\bwürde\b.* aussehen\b|\bressemblerait\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/** Returns whether a text below a fence continues the sentence above it: "The first function:" … "is called twice." */
export const isToldBelow = (below: string): boolean => TOLD_BELOW.test(below) || LEFT_BELOW.test(below);
const TOLD_BELOW =
  /^(?:are|calls?|does|fails|gets|has|have|is|never|returns?|runs?|takes?|throws?|uses|was|were|will|would)\b/;

/** So nothing needs to change. */
const LEFT_BELOW =
  /^\W*(?:so |which means )?(?:nothing (?:has|needs) to (?:be )?chang\w*|(?:there(?:'s| is) )?no (?:change|need to change)\b|(?:it|that|this) is (?:(?:the|your) (?:code|file|function) )?(?:fine )?as it (?:is|stands))/i;

/** Returns whether a sentence introduces another way than the one above it: or this. */
export function isOther(text: string): boolean {
  return OTHER_WAY.test(text.trim());
}

const OTHER_WAY =
  /^(?:(?:or|oder|ou|ou bien|o|o bien|或者|или)\b[^.]{0,60}[:：]?\s*$|another (?:approach|option|way) (?:is|would be) to\b(?!.*, but\b))/iu;

/** Returns whether a sentence begins with the first of two ways. */
export function isEither(text: string): boolean {
  return /\b(?:either|entweder|soit)\b|\b(?:one of (?:these|two)|two (?:ways|options|choices))\b/i.test(text);
}

/** Returns whether a heading or a sentence begins one of several ways to choose from. */
export function isOption(text: string): boolean {
  return OPTION.test(text);
}

/** Returns whether sentences take one of several ways: I'd go with A. */
export function isChosen(text: string): boolean {
  return CHOSEN.test(text);
}

const CHOSEN = new RegExp(
  "\\bI(?:['’]d| would|['’]ll| will)? (?:go with|pick|choose|recommend|suggest|take|use) " +
    "(?:[A-D]|(?:option|approach|variant) \\w+|the (?:first|second|third|last))\\b",
  "i",
);
const OPTION =
  /^(?:[#*\s\d.)-]*)(?:option|approach|alternative|variant|variante|opción|ansatz|method|solution|方案|选项)\s*(?:[a-d]|\d|[一二三])\b/im;

/** Returns whether a sentence introduces the old or the new text of a pair. */
export function pairWords(text: string): "old" | "new" | undefined {
  const line = withoutStep(text.trim().split("\n").at(-1) ?? "");
  const order = line.split(/(?<=[.!?]) (?=\p{Lu})/u).at(-1) ?? "";
  if (NEW.test(line) || NEW.test(order) || REPLACES_IT.test(order)) return "new";
  return OLD.test(line) && !/^with\b/i.test(line) ? "old" : undefined;
}

/** Returns whether a sentence below code says what replaces it: replace this block with a plain import in `a.py`. */
export function replacesIt(text: string): boolean {
  const order = withoutStep(text).split(/(?<=[.!?]) (?=\p{Lu})/u).at(-1) ?? "";
  return REPLACES_IT.test(order) || CHANGES_TO.test(order);
}

/** Returns a sentence without the number of its step. */
function withoutStep(text: string): string {
  return text.replace(/^\W*step \d+\W*(?=[\p{L}`])/iu, "");
}

/** What is asked, or not to be done, though it may be that no line is needed. */
export const NOT_ASKED =
  /(?:^\W*|, )(?:avoid|option(?:al)?\b|could|do not|don['’]t|if|never|shall|should|unless|when|would)\b(?! need)|\b(?:I|we|you) (?:could|might|should|would)(?:n['’]t| not)\b|\?/i;

/** Change it to. */
const CHANGES_TO =
  /^\W*(?:and |now |please |so |then )?(?:change|convert|correct|edit|modify|rewrite|turn|update) (?:it|this|that|them|these|those)(?: (?:block|call|code|lines?|part))? (?:in)?to(?: be)?(?: (?:this|the following))?\W*$/i;

const REPLACES_IT =
  /^\W*(?:and |now |please |so |then )?(?:replace|swap) (?:it|this|that|them|these|those)(?: (?:block|class|code|function|lines?|method|part|section|snippet))? (?:with|by|for)\b(?:.*[:：]|(?: this| the following)?\W*)$/i;
const NEW =
  /^(?:[#*_\d.)\s-]*)(?:and |then |now )?(?:with(?: this)?|to(?: this)?|by|into|after|becomes?|new|(?:replace|change|swap)(?: (?:it|this|that|them))? (?:with|to|by|for)|(?:it |this )?should (?:be|become)|por(?: esto)?|durch|nach(?:her)?|zu|par|en|nuevo|después|neu|après|改为|替换为|改成)\b[^`\n]{0,40}[*_]*[:：]?[*_]*$/i;
const OLD =
  /(?:\b(?:change|replace|find|you wrote|swap|from|before|old|look for|locate|instead of|cambia|reemplaza|sustituye|busca|remplace[zr]?|trouve[zr]?|ersetze?|ändere?|finde?|suche?|vorher|avant|antes)\b|把|将|找到|原来)[^\n]{0,120}$/i;

/** Verbs and phrases that ask for a change. */
export const VERBS =
  /(?<!\p{L})(?:add|adds|adding|append|insert|put|place|include|create|creates|update|updates|updated|change|changes|changed|replace|modify|edit|adjust|rewrite|write|save|fix|fixed|make|use|pull|hand|extend|give|set|turn|remove|delete|drop|rename|move|extract|adapt|return|log|read|here(?:'|’)s|here is|needs? to (?:change|be)|should (?:be|become|look)|an(?:zu)?pass\p{L}*|(?:ge)?änder\p{L}*|ersetz\p{L}*|füge?|ergänz\p{L}*|erstell\p{L}*|lösch\p{L}*|hier|neue?|modifie\p{L}*|remplace\p{L}*|ajoute\p{L}*|crée\p{L}*|créer|supprime\p{L}*|voici|cambia\p{L}*|reemplaz\p{L}*|añad\p{L}*|agreg\p{L}*|crea\p{L}*|modific\p{L}*|aquí|new file|the (?:change|fix))(?!\p{L})|修改|替换|添加|新建|创建|改为|更新|删除|应该|変更|замен|измен|добав|обнов|удал|substitu|adicion|alter[ae]|sostitu|aggiung|cambia/iu;

/** Orders to change something in other languages, and words for what is new. */
const FOREIGN_ORDER =
  /(?<!\p{L})(?:anpass\w*|passe[nt]?|ändere?|änderst|ersetz\w*|modifi(?:e|ez|er)|remplace\w*|cambi(?:a|ar|e)|reemplaz\w*|modific\w*|substitu\w*|sostitu\w*|actualiz\w*|aktualisier\w*|atualiz\w*|füge?|ergänz\w*|entfern\w*|lösch\w*|ajoute\w*|supprim\w*|añad\w*|agreg\w*|elimin\w*|adicion\w*|aggiung\w*|korrigier\w*|erweiter\w*|schreibe?|überarbeit\w*|verwende|nutze|nimm|tausche?|behoben|corri[gj]\w*|corrett\w*|met(?:s|tez) à jour|(?:ré)?écri(?:s|vez)|utilise[zr]?|(?:re)?escrib\w*|reescrev\w*|usa|haz|sustitu\w*|alter[ae]|riscriv\w*|neue?[mnrs]?|geändert\w*|nouve(?:au|lle)|nuev[ao]|nov[ao]|nuov[ao]|ohne|statt|sans|sin|sem)(?!\p{L})|改|添加|删除|добав|удал|替换|更新|変更|修正|замен|измен|обнов|исправ|应|换成|写成|重写|修复|使用(?!方法)|書き換え|置き換え|直し|перепиш|используй|нов(?:ая|ое|ый)/iu;

/** Returns whether a sentence in another language tells what is there, what is wrong, or how it is used, and orders nothing. */
export function isForeignNoEdit(text: string): boolean {
  // What it is for, and what else is said of it, tells nothing of the code.
  const [main = "", ...rest] = text.split(ASIDE);
  if (FOREIGN_IF.test(main)) return !rest.some((clause) => FOREIGN_ORDER.test(clause));
  return FOREIGN_SIGNS.test(main) && !FOREIGN_ORDER.test(text);
}

const ASIDE = /[,，;；]|(?<!^\W*)(?<!\p{L})(?:um|damit|pour|para|per|чтобы)(?!\p{L})/iu;
/** Supposes something, or lists a way that could be. */
const FOREIGN_IF =
  /^\W*(?:angenommen|falls|man (?:kann|könnte)|se (?:você|vuoi)|si (?:on|quieres|tu|usas|vous)|sofern|wenn)(?!\p{L})/iu;
const FOREIGN_SIGNS = new RegExp(
  [
    "(?<!\\p{L})(?:im moment|momentan|derzeit\\w*|aktuelle?[mnrs]?|bisher\\w*|bislang|alte[mnrs]?|ursprünglich\\w*|vorherige\\w*|vorher|früher\\w*|sah|waren?|(?:das|ein) problem|fehler (?:ist|kommt|liegt|steckt|tritt)|ursache|ruf(?:e|st)? (?:du|man)|aufruf\\w*|aufgerufen|zu[mr] (?:testen?|prüfen|vergleich)|vermeide\\w*)(?!\\p{L})",
    "(?<!\\p{L})(?:actuel\\w*|ancien\\w*|d'origine|était|(?:le|un) problème|(?:l'|une )erreur (?:est|se|vient)|appeler|appelez|pour (?:comparer|tester|vérifier))(?!\\p{L})",
    "(?<!\\p{L})(?:actualmente|(?:código|función|versión) actual|anterior(?:es)?|antigu[ao]s?|viej[ao]s?|(?:el|un) problema|error (?:es|está|viene)|se llama|llamar|para probar|(?:o|um) problema|atual(?:mente)?|antig[ao]s?|(?:il|un) problema|attual\\w*|vecchi[ao])(?!\\p{L})",
    "目前|当前|现在的|原来|原先|旧的|之前的|问题(?:出|在|是)|例如|比如|現在の|元の|以前の|古い|問題|例えば",
    "(?<!\\p{L})(?:сейчас|текущ\\p{L}*|стар(?:ая|ое|ой|ый)|прежн\\p{L}*|исходн\\p{L}*|проблема|например)(?!\\p{L})",
  ].join("|"),
  "iu",
);

export function toBeMade(text: string): boolean {
  return VERBS.test(text) || /[:：]\s*$/.test(text);
}

/** Returns whether a sentence says of a part of what is shown that it stays: the one before it tells the change. */
export function isNoChange(text: string): boolean {
  return /`[^`]+` (?:stays?|remains?|is) (?:the same|unchanged|as (?:it )?is)\W*$/i.test(text);
}

/** Replace `x` with, above the fence that has the new text. */
export const SPAN_REPLACED =
  /\b(?:replace|change|swap|and|ersetze?|remplace[zr]?|reemplaza|cambia)\b\s+(?:the (?:line|call) )?`([^`\n]+)`[^`\n]*(?:`[^`\n]+`[^`\n]*)?\b(?:with|to|by|durch|par|por)\b[^`\n]{0,20}[:：]\s*$/i;
/** Says where what stands above it goes: put this below `f`. What it adds besides is none of that. */
export const PLACE = new RegExp(
  "^(?:(?:(?:you (?:can|should|(?:may |might )?want to) )?(?:put|place|add|insert|paste) " +
    "(?:it|this|that|these|them|the (?:new |above )?(?:block|class|code|constant|function|helper|lines?|method|rule|section|snippet))|" +
    "(?:it|this|that) (?:(?:must|should|has to) go|goes))(?: in)? (?:right |just |directly )?" +
    "(?:above|after|at|before|below|beneath|between|in|inside|into|next to|on|to|under|underneath)\\b|" +
    "(?:right|just|directly) (?:above|after|before|below) (?:the |your )?(?:\\w+ )?`[^`]+`(?: \\w+)?[.)]*$)",
  "i",
);
/** Returns whether a sentence above a fence ends below it: add the import … to `a.kt`. */
export const goesOn = (above: string, below: string): boolean =>
  /\p{L}\s*$/u.test(above) && /^(?:to|into|in|at)\s+(?:the\s+)?`/i.test(below);
export const isPlace = (text: string): boolean => PLACED.test(text);
const PLACED =
  /^\(?(?:save|put|store|place|copy|paste|add|name|(?:apply this|make this change|(?:this|that|it) (?:goes|belongs|replaces (?:the |your )?(?:(?:existing|old|whole) )?(?:\w+|`[^`\n]+`)(?: \w+)?))(?: in(?:to)?| to) (?:the )?[`*]*[\w.@+\x2f-]+[`*]*(?:\W*$|,? (?:replacing|instead of|in place of)\b|,? and replaces (?:the|your) (?:current|existing|old)\b))/i;
/** Begins a sentence that continues the order above it: "And the call". */
export const GOES_ON = /^(?:and|und|et|y|e)\s+(?:the|its|an?|this|these|also|die|den|das|la|el|le|les)\b/i;
/** Nothing but a path: `File: src/a.ts`. */
export const LABEL_BELOW = /^\(?(?:in|file|path|datei|fichier|archivo)\b:?\s*[`*]*[\w.@+\x2f-]+[`*]*\)?\.?$/i;
/** A path of a shell's script. */
export const SCRIPT = /\.(?:(?:ba|z|fi)?sh|ps1|bat|cmd)$/;
/** Create `b.java` next to `a.java`. */
export const BESIDE =
  /\b(?:next to|beside|alongside|in the same (?:folder|directory|package) as|neben|à côté de|junto a) `([^`\n]+)`/i;

/** Tells that a file was looked for. */
export function unnamed(path: string): string {
  return `no path is given: only '${path}' fits the code and its sentence`;
}

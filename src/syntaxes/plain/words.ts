/** The words by which a plain answer says what a code fence is. */

/** Returns whether a heading or sentence says that the fence below it is no edit. A label tells what is wrong. */
export function isNoEdit(text: string): boolean {
  const told = text.replace(LABEL, "").replace(RESULT, "");
  return NO_EDIT.test(told.replace(NAMES, (name) => name.replace(/[\w./-]/g, "-")));
}

/** Returns whether a sentence shows what comes of the lines above: so the end of `main` looks like this. */
export function isResult(text: string): boolean {
  return text.search(RESULT) !== -1;
}

const RESULT =
  /^so the (?:end|bottom|top|whole|rest|file|function|method|class|component|block|section)\b[^:\n]{0,120}\blooks? like(?: this)?:\s*$/gim;
/** **Wrong type** –, at the beginning of a sentence. */
const LABEL = /^(?:[\s\d.)*-]*)\*\*[^*\n]+\*\*\s*[–—:-]\s+(?=\S)/gm;
/** Code and paths, in which words mean nothing: `bad.rs`. */
const NAMES = /`[^`\n]*`|[\w-]+(?:\/[\w.-]+)+|[\w-]{2,}\.[a-z]\w{0,5}\b/g;

const NO_EDIT = new RegExp(
  [
    // What is there now, and what comes out of it.
    "\\b(?:currently|at the moment|right now|as it is now|at present|existing code is|you (?:currently )?have(?: (?:now|this|something))?:|it comes from|comes from this line|is (?:caused|produced) by|this line in|(?:here(?:'|’)s|here is) (?:what(?! (?:change[sd](?= in `)|I(?:'|’)d|I would|you (?:should|need|have)|to) )|how(?! (?:the )?(?:(?:new|updated|fixed|whole|final) )?`[^`]*`(?: \\w+)?(?: in `[^`]*`)? should (?:now )?look(?: like(?: this)?)?:)|why|the (?:existing|current|original|problem))|the (?:bug|problem|culprit|issue) is)",
    "\\b(?:produces|outputs|prints|(?<!what it |what they )returns|gives you|gives|you(?:'|’)?ll (?:get|see)|you (?:get|should see)|(?<!`[^`\\n]{1,80}` (?:file )?should (?:now |then )?)looks? like(?: this| that)?):?\\s*$",
    "\\byou(?:(?:'|’)?ll| should| will)? (?:now )?(?:see|get)\\b[^`\\n]{0,80}:\\s*$|\\b(?:should|will) (?:now )?(?:print|output|show|log|report)\\b[^`\\n]{0,80}:\\s*$",
    "^[#*\\W\\d]*(?:(?:the|sample|expected|example|actual) )?(?:output|response|result)s?[*\\W]*$",
    "\\b(?:gets?|sees?|gives?|throws?|raises?|hits?|shows?)\\b.{0,40}\\b(?:error|traceback|exception|warning|stack ?trace|message)\\b.{0,60}:\\s*$",
    // How it is used, run or checked.
    "^[#*\\W\\d]*(?:usage|examples?)\\b[\\w ]*[*:]*$",
    "\\b(?:for example|for instance|e\\.g\\.|use it like|used? like this|call it(?! (?:in|from) `)|you can (?:now )?(?:call|use|run|test|verify|try)|try it|test it|run it|to (?:confirm|verify|check|reproduce)|take this)\\b",
    // What is not meant, or not for now.
    "\\b(?:(?:returns?|prints?|outputs?|shows?) (?:this|the following|something like)|compare (?:this|that|it|these|the two)|pseudo-?code|mistake|pitfall|anti-?pattern)\\b",
    "\\b(?:was|were)\\W*$",
    "\\bno (?:changes?|edits?|modifications?) (?:(?:is|are) )?(?:needed|required|necessary)\\b|(?<!`[^`\\n]{1,80}` )\\bstays? the same\\b|\\b(?:does(?:n(?:'|’)t| not) (?:need to )?change|already (?:correct|fine|right))\\b",
    "\\b(?:should I|shall I|do you want|would you like|want me to)\\b|^\\W*should (?:the|this|we|`)",
    "\\b(?:tell me|let me know|not sure|unsure|wonder(?:ing)?|undecided|do(?:n(?:'|’)t| not) know|can(?:no|n?(?:'|’))t (?:say|tell)) (?:if|whether)\\b[^.:]*:\\s*$",
    "\\b(?:(?:would|could|might|will) look|would (?:become|have to|need|mean|require)|you(?:'|’)d need|looks? roughly|roughly like|something like this|wherever|later,|if you(?:'d| would)? (?:\\w+ )?(?:already|prefer|ever|want|like|rather|really)|alternatively|as an alternative|(?<!^\\W*(?:in [`\\w./-]+ )?use `[^`]*` )(?<!`[^`]*`[^.:`]{0,40}, since it \\w+ )instead of|instead of what|not like this|(?:(?:don(?:'|’)t|do not)(?! forget)|never|avoid)\\b.{0,120}:|wrong|bad)",
    // What nobody has to do.
    "^[#*\\W\\d]*optional(?:ly)?\\b|\\(optional\\)|\\b(?:that(?:'|’)s|it(?:'|’)s|this is) (?:\\w+ )?optional\\b|\\b(?:could|might|may) also\\b",
    // What comes later, what only explains, and what a user has.
    "\\b(?:once you have (?:more|many|a lot)|simplified, it|(?:is|are) what \\w+ makes of)\\b",
    // What others have to do.
    "\\b(?:teams?|maintainers?|colleagues?|vendors?|hosters?) (?:has|have|needs?|must|should|will|would)\\b",
    // What holds for some, and what a type promises.
    "\\bif you(?:(?:'|’)re| are)? (?:still |already )?(?:on|using|running|use|run)\\b|\\bhas (?:this|the following) (?:interface|shape|signature|structure|form|type)\\b",
    "\\b(?:n(?:'|’|e )\\S+ .{0,40}\\b(?:pas|jamais)|nicht so|bitte \\W*nicht|niemals|auf keinen fall|não vale a pena|errore comune|non cambiare|no (?:hagas|escribas|uses|cambies)|nunca|não (?:faça|use|escreva|mude)|non (?:fare|usare|scrivere))\\b|évitez|à éviter|^> .*:\\s*$|不要|别(?:这样|用)|しないで|悪い例|(?:^|\\s)не (?:пиш|дела|использ|меня)",
    "\\b(?:Beispiel|Ausgabe|Verwendung|derzeit|momentan|exemple|sortie|utilisation|actuellement|ejemplo|salida|uso|actualmente)\\b|示例|输出|用法|目前的",
  ].join("|"),
  "im",
);

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

/** Returns whether a sentence introduces another way than the one above it: or this. */
export function isOther(text: string): boolean {
  return /^(?:or|oder|ou|ou bien|o|o bien|或者|или)\b[^.]{0,60}[:：]?\s*$/iu.test(text.trim());
}

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
  "\\bI(?:['’]d| would|['’]ll| will)? (?:go with|pick|choose|take|use) " +
    "(?:[A-D]|(?:option|approach|variant) \\w+|the (?:first|second|third|last))\\b",
  "i",
);
const OPTION =
  /^(?:[#*\s\d.)-]*)(?:option|approach|alternative|variant|variante|opción|ansatz|method|solution|方案|选项)\s*(?:[a-d]|\d|[一二三])\b/im;

/** Returns whether a sentence introduces the old or the new text of a pair. */
export function pairWords(text: string): "old" | "new" | undefined {
  const line = text.trim().split("\n").at(-1) ?? "";
  const order = line.split(/(?<=[.!?]) (?=\p{Lu})/u).at(-1) ?? "";
  if (NEW.test(line) || NEW.test(order)) return "new";
  return OLD.test(line) ? "old" : undefined;
}

const NEW =
  /^(?:[#*_\d.)\s-]*)(?:and |then |now )?(?:with(?: this)?|to(?: this)?|by|into|after|becomes?|new|(?:replace|change|swap)(?: (?:it|this|that|them))? (?:with|to|by|for)|(?:it |this )?should (?:be|become)|por(?: esto)?|durch|nach(?:her)?|zu|par|en|nuevo|después|neu|après|改为|替换为|改成)\b[^`\n]{0,40}[*_]*[:：]?[*_]*$/i;
const OLD =
  /(?:\b(?:change|replace|find|you wrote|swap|from|before|old|look for|locate|instead of|cambia|reemplaza|sustituye|busca|remplace[zr]?|trouve[zr]?|ersetze?|ändere?|finde?|suche?|vorher|avant|antes)\b|把|将|找到|原来)[^\n]{0,120}$/i;

/** Verbs and phrases that ask for a change. */
export const VERBS =
  /\b(?:add|adds|adding|append|insert|put|place|include|create|creates|update|updates|updated|change|changes|changed|replace|modify|edit|adjust|rewrite|write|save|fix|fixed|make|use|pull|hand|extend|give|set|turn|remove|delete|drop|rename|move|extract|adapt|return|log|read|here(?:'|’)s|here is|needs? to (?:change|be)|should (?:be|become|look)|an(?:zu)?pass\w*|änder\w*|ersetz\w*|füge?\b|ergänz\w*|erstell\w*|lösch\w*|hier\b|neue?\b|modifie\w*|remplace\w*|ajoute\w*|crée\w*|créer|supprime\w*|voici|cambia\w*|reemplaz\w*|añad\w*|agreg\w*|crea\w*|modific\w*|aquí|new file|the (?:change|fix))\b|修改|替换|添加|新建|创建|改为|更新|删除|应该|変更|замен|измен|добав|обнов|удал|substitu|adicion|alter[ae]|sostitu|aggiung|cambia/i;

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
  /^\(?(?:save|put|store|place|copy|paste|add|name|(?:apply this|make this change|(?:this|that|it) (?:goes|belongs))(?: in(?:to)?| to) (?:the )?[`*]*[\w.@+\x2f-]+[`*]*\W*$)/i;
/** Begins a sentence that continues the order above it: "And the call". */
export const GOES_ON = /^(?:and|und|et|y|e)\s+(?:the|its|an?|this|these|also|die|den|das|la|el|le|les)\b/i;
export const SAME_PLACE =
  /\b(?:to|in|into|inside|within) the same (?:impl|class|struct|type|module|block|object|trait|interface)\b/i;
export const DECLARED = /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:<[^>\n]*>)?\(/u;
/** Nothing but a path: `File: src/a.ts`. */
export const LABEL_BELOW = /^\(?(?:in|file|path|datei|fichier|archivo)\b:?\s*[`*]*[\w.@+\x2f-]+[`*]*\)?\.?$/i;
/** Create `b.java` next to `a.java`. */
export const BESIDE =
  /\b(?:next to|beside|alongside|in the same (?:folder|directory|package) as|neben|à côté de|junto a) `([^`\n]+)`/i;

/** Tells a sentence about a whole file from one about a part of it. */

/** Returns whether the sentences say that it is the whole file, and not a whole part of it. */
export function tellsWholeFile(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  // A path has dots.
  const words = text.replaceAll(path, PATH).replaceAll(name, PATH);
  const [, object = ""] = WHOLE_OF.exec(words) ?? [];
  const isOfFile = object.includes(PATH) && !DECLARATION_IN.test(object);
  const isWhole = isOfFile || ONLY.test(words) || IN_LABEL.test(words);
  return isWhole || /^[^`]*\b(?:file|datei|fichier|archivo)\b|文件/i.test(object);
}

const PATH = "\0";
/** `a.js` is then just, boils down to, now only contains. */
const ONLY =
  /^[^\w\0]*(?:(?:and|finally|now|so|then|with (?:that|this)) )*[,\s`*]*(?:the (?:new |whole )?)?[`*]*\0[`*]* (?:(?:is|becomes|can be|gets|turns into) (?:now |then )?(?:just|only|simply|cut (?:down )?to|(?:merely|nothing but|no more than)|reduced to)|(?:now |then |can (?:now |then )?){0,2}(?:boils? down|collapses?|reduces?|shrinks?|shortens?) to|(?:now |then )?(?:only|just|simply) (?:consists of|contains?|has|holds?|keeps?|needs?)|(?:now |then )?(?:consists of|contains?|has|holds?|needs?) (?:only|just|simply|nothing but|no more than))(?: (?:the following|these|this)(?: (?:\w+ )?lines?)?| \w+ lines| this)?:\s*$/im;
/** `a.js` (complete). */
const IN_LABEL = /\0[`*]*:? \((?:the )?(?:complete|entire|full|whole)(?: code| file| version)?\)/i;
/** A part of a file: the full class in `a.py`. */
const DECLARATION_IN =
  /\b(?:class|enum|function|handler|hook|impl|interface|method|rule|section|struct|trait|type)\b[^\0]*\b(?:from|in|inside|of)\b/i;
const WHOLE_OF =
  /(?:\b(?:full|complete|whole|entire|contents? of|komplett\w*|vollständig\w*|ganze\w*|compl[eè]te?|entier|completo|entero)\b|完整|整个)([^.\n]{0,60})/i;

/** Tells blocks apart by what their heads name: `model User {` and `model Post {`, `describe "a" do` and `describe "b" do`. */

/**
 * Returns whether two texts begin with blocks that have different names: one is no new form of the other.
 *
 * @param told the sentences: where they speak of a change, the old name may be what changes
 */
export function areOtherBlocks(old: string, now: string, told = ""): boolean {
  const [names, others] = [old, now].map(namesOf);
  if (names === undefined || others === undefined) return false;
  const words = RENAMES.test(told) ? told.split(/[\s"'`,:;()]+/) : [];
  return !names.some((name) => others.includes(name) || name.split(" ").every((word) => words.includes(word)));
}

const RENAMES = /\b(?:chang|renam|replac|turn|instead)/i;

/** Returns what names the block that a text begins with: of a rule of styles, each of its selectors. */
function namesOf(text: string): readonly string[] | undefined {
  const [first = "", ...body] = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (first.length > MAX_HEAD) return undefined;
  const [, item] = NAMED_ITEM.exec(first) ?? [];
  if (item !== undefined) return [item];
  if (ONE_OF_MANY.test(first)) {
    const [, name] = body.map((line) => NAMED_LINE.exec(line)).find((match) => match !== null) ?? [];
    return name === undefined ? undefined : [name];
  }
  const [, section] = /^\[([^[\]]+)\]$/.exec(first) ?? /^<\w+ ([^<>="]+)>$/.exec(first) ?? [];
  if (section !== undefined) return [section];
  if (!OPENER.test(first) || NO_NAME.test(first)) return undefined;
  const head = first.replace(OPENER_SIGN, "").trim();
  if (SELECTOR.test(head)) return head.split(/\s*,\s*/);
  const [, name] = NAMED_BY_TEXT.exec(head) ?? CALLED.exec(head.replace(/ @.*/, "")) ?? NAMED.exec(head) ?? [];
  return name === undefined ? undefined : [name.replaceAll(/["'`,\s]+/g, " ").trim()];
}

/** UTF-16 units. */
const MAX_HEAD = 200;
const NAMED_ITEM = /^- ["']?(?:id|key|name)["']?: *["']?(.+?)["']?$/;
/** What lists of tables begin each of theirs with. */
const ONE_OF_MANY = /^\[\[[^[\]]+\]\]$|^\w+ \{$/;
const NAMED_LINE = /^(?:id|key|name) *[=:] *["']?(.+?)["']?,?$/;
const OPENER = /(?:[{([]|\bdo(?:\s*\|[^|]*\|)?)$|^(?:(?:local )?function|class|def|module)\b/;
const OPENER_SIGN = /\s*(?:[{([]|\bdo(?:\s*\|[^|]*\|)?)$/;
/** What the flow of a program passes, and what gives a name to a value. */
const NO_NAME =
  /^(?:[^\w.#&@]|@(?:media|supports|layer|container)\b|(?:await|const|do|else|finally|for|foreach|if|let|loop|match|return|switch|throw|try|unless|until|val|var|when|while|with|yield)\b)|^[^"'`(]*[^=!<>]=(?![=>~]) *(?!\/|~)/;
const SELECTOR = /^[.#&][\w&-]/;
/** `describe "a"`, `resource "a" "b"`, `router.get("/a", (request) =>`. */
const NAMED_BY_TEXT = /^[\w.$@:]+[\s(]+((?:"[^"]*"[,\s]*|'[^']*'[,\s]*|`[^`]*`[,\s]*)+)/;
/** `void load(int count)`. */
const CALLED = /^[^("'`]*?([\p{L}_$][\p{L}\p{N}_$?!-]*)(?:<[^()]*>)?\s*\(/u;
/** `model User`, `location = /a`, `resources :users`. */
const NAMED =
  /^(?:(?:abstract|async|data|export|extend|final|internal|open|private|protected|pub|public|sealed|static) )*[\w.$@-]+ (?:[=~^*]+ )?([^\s({<,]+)/;

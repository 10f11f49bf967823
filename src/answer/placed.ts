/** Prepares the texts of edits in other tools' syntaxes, which chats, web pages and tags have put white space into. */
import { counted } from "../core/counted.ts";
import { findWith, type Match } from "../edit/passes.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import type { TailFinder } from "./locate.ts";
import type { Action } from "./resolve.ts";

const INDENTATION = /(?<=^|\n)[\t\p{Zs}]+/gu;
const TYPOGRAPHIC = /(?! )\p{Zs}/gu;
/** Cheap, and nearly always the answer. */
const SIGN = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
/** Actions name the texts that they put into a file like this. */
const NEW_TEXT = /^(?:content$|new_)/;

interface Site {
  readonly tails: TailFinder;
  readonly workspace: AddressedFiles;
  readonly match: Match;
}

/** Returns an action with resolved paths and, if another tool's syntax carries it, with plain indentation. */
export function placed(action: Action, { tails, workspace, match }: Site): Action {
  const located = tails.place(action);
  // NESL, CSL and the replacer take texts verbatim.
  if (action.meant?.paths !== "by-tail-with-warning") return located;
  return withPlainIndentation(fittingTexts(located, workspace, match), workspace, match);
}

/** Returns an action with the values of its texts that fit the file, if there are others. */
function fittingTexts(action: Action, workspace: AddressedFiles, match: Match): Action {
  const { params, meant } = action;
  const { path, old_text: old, new_text: fresh } = params;
  const { old_text = old, new_text = fresh } = meant?.otherwise ?? {};
  if (typeof path !== "string" || (old_text === old && new_text === fresh)) return action;
  const bytes = Buffer.from(workspace.peek(path) ?? "");
  const isThere = (text: unknown): boolean =>
    typeof text === "string" && text !== "" && findWith(match, bytes, text, 0, 1).count > 0;
  return isThere(old) || isThere(fresh) ? action : { ...action, params: { ...params, old_text, new_text } };
}

/**
 * Returns an action with plain spaces in the indentation of its texts, except for characters that the file has there
 * too.
 *
 * Texts to find are changed as well if matching tolerates the difference. Otherwise an edit would seem to change the
 * lines that its old and its new text share.
 */
function withPlainIndentation(action: Action, workspace: AddressedFiles, match: Match): Action {
  const { definition, params } = action;
  const texts = Object.entries(params).flatMap(([name, value]) =>
    typeof value === "string" &&
    definition.needs[name] === undefined &&
    (match === "tolerant" || NEW_TEXT.test(name)) &&
    SIGN.test(value)
      ? [[name, value] as const]
      : [],
  );
  const { path } = params;
  if (texts.length === 0 || typeof path !== "string") return action;
  const file = workspace.peek(workspace.split(path).file) ?? "";
  const used = new Set(SIGN.test(file) ? (file.match(INDENTATION) ?? []).join("") : "");
  let lines = 0;
  const plain = texts.map(([name, text]) => [
    name,
    text.replace(INDENTATION, (blanks) => {
      const made = blanks.replace(TYPOGRAPHIC, (space) => (used.has(space) ? space : " "));
      if (made !== blanks && NEW_TEXT.test(name)) lines += 1;
      return made;
    }),
  ]);
  const warning = `the indentation of ${counted(lines, "line")} had typographic spaces, which were read as plain ones`;
  return {
    ...action,
    params: { ...params, ...Object.fromEntries(plain) },
    warnings: lines === 0 ? action.warnings : [...action.warnings, warning],
  };
}

/** Tells whether sentences place code in another file than the one above it, and do so in words: "in the client". */
import { basename } from "node:path";
import type { CodeShown } from "../syntaxes/syntax.ts";

/** A file that code without a path may go on with. */
interface Near {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the names of other files, lower case and without their extensions, if the sentences above some code tell
 * another file than the last one: the other one, both, a test, one by its name without a path, or a place of which the
 * last file has no word. There may be none.
 *
 * @param told the sentences, the order last
 * @param paths returns the files of the project
 */
export function filesToldElsewhere(
  { told, content }: CodeShown,
  near: Near,
  paths: () => readonly string[],
): ReadonlySet<string> | undefined {
  const prose = told.replaceAll(/`[^`\n]*`/g, "it");
  if (ANOTHER.test(prose)) return NONE;
  const known = `${near.path}\n${near.text}`.toLowerCase();
  const isKnown = (word: string): boolean => known.includes(word.toLowerCase().replace(/e?s$/, ""));
  if (TEST.test(prose) && !isKnown("test") && !content.includes("cfg(test)")) return NONE;
  const order = prose.split(/(?<=[.!?])\s+|\n/).findLast((sentence) => sentence.trim() !== "") ?? "";
  const places = [PLACE, SUBJECT, ...(ADDS.test(order) ? [TARGET] : [])]
    .flatMap((words) => [...order.matchAll(words)])
    .map(([, whose, name = "", next = ""]) => ({
      name: name.toLowerCase(),
      isSure: isKind(next) || (whose !== undefined && !isCommon(next)),
    }))
    .filter(({ name }) => !COMMON.has(name));
  if (places.length === 0) return undefined;
  const stems = new Set(paths().map(stemOf));
  stems.delete(stemOf(near.path));
  const others = places.filter(({ name, isSure }) => stems.has(name) || (isSure && !isKnown(name)));
  return others.length === 0 ? undefined : new Set(others.map(({ name }) => name));
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the name of a file without its extensions, lower case. */
export function stemOf(path: string): string {
  return basename(path).replace(/\..*$/s, "").toLowerCase();
}

const KIND = "(?:files?|modules?|components?|pages?|templates?|views?|scripts?|packages?|crates?|stylesheets?)";
const ANOTHER = new RegExp(
  `\\b(?:other|another|both|each|every|second|third|separate|different|new|next)\\s+(?:\\p{L}+\\s+)?${KIND}\\b|\\b(?:andere\\w*|beide\\w*|zweite\\w*) (?:Datei|Modul)\\w*|\\b(?:autre|deux|nouveau) (?:fichier|module)s?|\\b(?:otro|ambos|nuevo) (?:archivo|módulo)s?`,
  "iu",
);
const TEST = /\b(?:an?|the|this|these|following|new|another) (?:\p{L}+ )?tests?\b/iu;
const isCommon = (word: string): boolean => COMMON.has(word) || COMMON.has(word.replace(/e?s$/, ""));
const isKind = (word: string): boolean => new RegExp(`^${KIND}$`, "i").test(word);
/** A name, with the word behind it, which tells its kind. */
const NAMED = "(?:(the|your|our)\\s+)?(\\p{L}[\\p{L}\\p{N}_-]*)(?:\\s+(\\p{L}+))?";
/** In the client module. */
const PLACE = new RegExp(`\\b(?:in|into|inside|within)\\s+${NAMED}`, "giu");
/** For client: */
const SUBJECT = new RegExp(`(?<=^|^(?:and|then|also) |, (?:and )?)for\\s+${NAMED}(?=[,:])`, "giu");
/** To your settings. */
const TARGET = new RegExp(`\\bto\\s+${NAMED}`, "giu");
const ADDS = /\b(?:add|append|insert|apply|put|same)\b/i;
/** Words for places in a file, or for the file itself. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "it this that these those them each all any every one same way end ending top bottom start beginning begin middle head header " +
    "following first last next previous above below right left file module code class struct interface enum trait type " +
    "function method constructor body block loop branch case condition list array object map dict dictionary table call " +
    "line lines statement import imports section part place spot order component page existing current original body rest " +
    "project codebase repository app script other others"
  ).split(" "),
);

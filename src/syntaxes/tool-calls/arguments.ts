/** The arguments of calls: their JSON, also damaged, and whatever products call them. */
import { tryOr } from "../../core/errors.ts";

/** What products call the same parameter. */
export const WORDS = {
  path: "path file_path filepath target_file targetfile target_filepath filename file relative_path absolutepath absolute_path",
  old: "old_str old_string oldstr oldstring old_text oldtext search find before old targetcontent target_content",
  new: "new_str new_string newstr newstring new_text newtext replace after new replacementcontent replacement_content",
  content: "content contents file_text filetext text code file_content codecontent code_content",
  lazy: "code_edit changes code",
  inserted: "insert_text new_str new_text content",
  from: "source old_path from source_path src",
  to: "destination new_path to destination_path dst",
  all: "replace_all replaceall allow_multiple allowmultiple",
  count: "expected_replacements expected_count count",
  edits: "edits replacements replacementchunks str_replace_entries edit",
  after: "insert_line",
  line: "line",
  blocks: "input patch patchtext diff content",
  dry: "dryrun dry_run",
  range: "view_range",
  regex: "use_regex",
  command: "command cmd",
  folder: "workdir cwd",
} as const;

/** The arguments of a call by the words above. */
export class Arguments {
  readonly #given: ReadonlyMap<string, unknown>;
  /** Whether a list that was asked for stood as JSON in a text, and was repaired. */
  isRepaired = false;
  readonly warnings: string[] = [];

  constructor(given: Readonly<Record<string, unknown>>) {
    // Augment numbers them: `old_str_1`.
    const named = ([key, value]: [string, unknown]) => [key.toLowerCase().replace(/_1$/, ""), value] as const;
    this.#given = new Map(Object.entries(given).map(named));
  }

  text(name: keyof typeof WORDS): string | undefined {
    const value = this.get(name);
    return typeof value === "string"
      ? value
      : typeof value === "number" || typeof value === "boolean"
        ? String(value)
        : undefined;
  }

  get(name: keyof typeof WORDS): unknown {
    const values = WORDS[name].split(" ").map((word) => this.#given.get(word));
    return values.find((value) => value !== undefined && value !== null);
  }

  has(word: string): boolean {
    return this.#given.has(word);
  }

  /** Returns a list that may be written as JSON in a text. */
  list(name: keyof typeof WORDS): readonly unknown[] | undefined {
    const given = this.get(name);
    const value = isObject(given) ? [given] : given;
    const parsed = typeof value === "string" ? parsedJson(value) : { value, isRepaired: false };
    if (parsed === undefined || !Array.isArray(parsed.value)) return undefined;
    this.isRepaired ||= parsed.isRepaired;
    return parsed.value;
  }
}

/** Returns what a call names the texts that Loaf's actions call otherwise. The entries of a list name them alike. */
export function wordsOf(given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = new Arguments(given).list("edits") ?? [];
  const values = [...Object.values(given), entries];
  const lists = values.flatMap((value) => (Array.isArray(value) ? value.filter(isObject) : []));
  const keys = [given, ...lists].flatMap((each) => Object.keys(each));
  const keyFor = (name: "old" | "new"): string | undefined =>
    keys.find((key) => WORDS[name].split(" ").includes(key.toLowerCase()));
  const [old_text, new_text] = [keyFor("old"), keyFor("new")];
  return { ...(old_text !== undefined && { old_text }), ...(new_text !== undefined && { new_text }) };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface ParsedJson {
  readonly value: unknown;
  /** Whether the text had a slip. */
  readonly isRepaired: boolean;
}

/**
 * Returns the value of a text, whose objects and lists may end with a comma, and whose strings may hold line breaks and
 * tabs as they are; CRLF is read as LF. Undefined for other damage: an unescaped quote may end a text at several
 * places, and a missing bracket means that the answer was cut off. Never throws. Runs in linear time.
 */
export function parsedJson(text: string): ParsedJson | undefined {
  return parsed(text, false) ?? parsed(repaired(text), true);
}

function parsed(text: string, isRepaired: boolean): ParsedJson | undefined {
  return tryOr(() => ({ value: JSON.parse(text) as unknown, isRepaired }), undefined);
}

function repaired(text: string): string {
  let result = "";
  /** Offset from which the text is not yet in the result. */
  let from = 0;
  /** Offset of a comma after which only white space came so far. */
  let comma: number | undefined;
  let isQuoted = false;
  const replace = (at: number, by: string): void => {
    result += text.slice(from, at) + by;
    from = at + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    const escape = ESCAPES[unit];
    if (isQuoted) {
      if (unit === "\\") at += 1;
      else if (unit === '"') isQuoted = false;
      else if (text.startsWith("\r\n", at)) replace(at, "");
      else if (escape !== undefined) replace(at, escape);
    } else if (unit === ",") comma = at;
    else if (unit !== " " && escape === undefined) {
      if (comma !== undefined && (unit === "}" || unit === "]")) replace(comma, "");
      comma = undefined;
      isQuoted = unit === '"';
    }
  }
  return result + text.slice(from);
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

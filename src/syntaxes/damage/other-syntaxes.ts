/** Detects markers of Loaf's other syntaxes, and lines that almost are such markers. */
import type { Finding } from "../../core/finding.ts";
import { type Delimiters, OPENERS } from "../csl/marker.ts";
import type { Format } from "../format.ts";
import { listed } from "./words.ts";

/** Reads the lines outside blocks in order. */
export class OtherSyntaxReader {
  readonly #format: Format;
  readonly #csl: Delimiters;
  readonly #others: Record<"csl" | "replacer", number[]> = { csl: [], replacer: [] };
  readonly #near = new Map<string, { readonly kind: NearKind; readonly lines: number[] }>();

  constructor(format: Format, csl: Delimiters) {
    this.#format = format;
    this.#csl = csl;
  }

  read(line: string, number: number): void {
    const { start } = this.#csl;
    const isCsl = line.startsWith(start) && OPENERS.some((name) => line.startsWith(name, start.length));
    if (isCsl) return void (this.#format !== "csl" && this.#others.csl.push(number));
    if (/^<<<FILE>>>\s*$/.test(line)) return void (this.#format !== "replacer" && this.#others.replacer.push(number));
    const near = line.length > MAX_LENGTH ? undefined : this.#nearMarker(line);
    if (near === undefined) return;
    const known = this.#near.get(near.name);
    if (known === undefined) this.#near.set(near.name, { kind: near.kind, lines: [number] });
    else known.lines.push(number);
  }

  findings(): Finding[] {
    const others = (["csl", "replacer"] as const).flatMap((other) => (this.#others[other].length === 0 ? [] : [otherSyntax(other, this.#others[other], this.#format)]));
    // Sections belong to the FILE above them.
    const hasFile = this.#others.replacer.length > 0 || this.#near.has("<<<FILE>>>");
    const near = [...this.#near].filter(([, { kind }]) => !(kind === "section" && hasFile));
    return [...others, ...near.map(([name, { kind, lines }]) => nearMarker(kind, { name, lines, csl: this.#csl }))];
  }

  #nearMarker(line: string): { readonly kind: NearKind; readonly name: string } | undefined {
    const text = line.replace(LIST_OR_QUOTE, "").trim();
    const section = /^<{2,4}\s*(FILE|SEARCH|OVERWRITE)\s*>{2,4}$/i.exec(text)?.[1]?.toUpperCase();
    // In the replacer's syntax, a stray section is already an error.
    if (section !== undefined) return section === "FILE" || this.#format !== "replacer" ? { kind: section === "FILE" ? "replacer" : "section", name: `<<<${section}>>>` } : undefined;
    const name = NEAR_CSL.exec(text)?.[1] ?? (text.startsWith(this.#csl.start) ? /^\s*([A-Za-z]+)/.exec(text.slice(this.#csl.start.length))?.[1] : undefined);
    if (name === undefined || !(ENDED.test(text) || text.endsWith(this.#csl.end) || ATTRIBUTE.test(text))) return undefined;
    if (OPENERS.includes(name.toUpperCase())) return { kind: "csl", name: this.#csl.start + name.toUpperCase() };
    return UNKNOWN.has(name) ? { kind: "unknown", name } : undefined;
  }
}

/**
 * The kind of an almost correct line: a marker of CSL or the replacer, a section without its FILE, an unknown
 * operation.
 */
type NearKind = "csl" | "replacer" | "section" | "unknown";

/** Maximum length of a line to look at, in UTF-16 units. */
const MAX_LENGTH = 1_000;
const LIST_OR_QUOTE = /^\s*(?:(?:[>*+-]|\d{1,3}[.)])\s+)?/;
const NEAR_CSL = /^<\s?[-\u2010-\u2015\u2212]{1,6}\s*([A-Za-z]+)(?![A-Za-z])/;
const ENDED = /[-\u2010-\u2015\u2212]{1,6}\s?>$/;
const ATTRIBUTE = /\s(?:file|dir|path|count|append)\s*=/i;
/** Operations that models expect in addition to CSL's own. */
const UNKNOWN: ReadonlySet<string> = new Set(["DELETE", "REMOVE", "MOVE", "RENAME", "COPY", "READ", "APPEND", "CREATE", "EDIT", "UPDATE", "INSERT", "OVERWRITE", "MKDIR", "EXEC", "PATCH"]);

const NAMES: Readonly<Record<Format, string>> = { nesl: "NESL", csl: "CSL", replacer: "the replacer's syntax" };
const SENT_AS: Readonly<Record<Format, string>> = { nesl: "NESL blocks", csl: "CSL operations", replacer: "blocks that begin with <<<FILE>>>" };

function otherSyntax(other: "csl" | "replacer", lines: readonly number[], format: Format): Finding {
  const [first = 0] = lines;
  const isOne = lines.length === 1;
  const what = other === "csl" ? (isOne ? "an operation in CSL" : `${lines.length} operations in CSL`) : isOne ? "a block in the replacer's syntax" : `${lines.length} blocks in the replacer's syntax`;
  return {
    code: "answer/other-syntax",
    line: first,
    message: `${listed(lines)}: ${what}, not run: a text is read in one syntax, and this one is in ${NAMES[format]}`,
    request: `Send ${isOne ? "it" : "them"} again as ${SENT_AS[format]}, or alone in a text of ${isOne ? "its" : "their"} own`,
  };
}

function nearMarker(kind: NearKind, { name, lines, csl }: { readonly name: string; readonly lines: readonly number[]; readonly csl: Delimiters }): Finding {
  const [first = 0] = lines;
  const are = lines.length === 1 ? "is" : "are";
  const finding = (what: string, request: string): Finding => ({ code: "answer/near-marker", line: first, message: `${listed(lines)} ${are} ${what}: read as prose, and nothing there was run`, request });
  switch (kind) {
    case "csl":
      return finding(`nearly the marker ${name} of CSL`, `Send what begins there again, each marker alone on its line, from the first column and exactly as in ${EXAMPLES[name.slice(csl.start.length)]?.(csl) ?? name}`);
    case "unknown":
      return finding(`written like CSL, which has no ${name}`, `Send it again as a NESL block, or with one of CSL's operations: ${OPENERS.map((opener) => csl.start + opener).join(", ")}`);
    case "replacer":
      return finding(`nearly the replacer's marker ${name}`, `Send what begins there again, each marker alone on its line, from the first column and exactly as in ${name}`);
    case "section":
      return finding(`the replacer's marker ${name} without <<<FILE>>>`, "Send it again with <<<FILE>>> and the file's path on two lines before it, from the first column");
  }
}

const EXAMPLES: Readonly<Record<string, (csl: Delimiters) => string>> = {
  WRITE: ({ start, end }) => `${start}WRITE file="src/a.txt"${end}`,
  SEARCH: ({ start, end }) => `${start}SEARCH file="src/a.txt"${end}`,
  RUN: ({ start, end }) => `${start}RUN${end}`,
  TASKS: ({ start, end }) => `${start}TASKS${end}`,
};

/**
 * Detects lines that almost are those of a block, and blocks in a syntax that was not to be read. Edits that the chat's
 * page has changed, in a blockquote or with HTML entities for `<` and `>`, are named and never run: their text may be
 * changed too.
 */
import type { Finding } from "../../core/finding.ts";
import { listed, nearMarker } from "../../syntaxes/advice.ts";
import { syntaxes } from "../../syntaxes/index.ts";
import type { NearLine, ReadSettings, Syntax } from "../../syntaxes/syntax.ts";
import { unifiedDiff } from "../../syntaxes/unified-diff/index.ts";

/** What was read of a text. */
export interface ReadSyntaxes {
  /** Those that the text is in. */
  readonly own: readonly Syntax[];
  /** Those that were not to be read, because another one was asked for. */
  readonly unread: readonly Syntax[];
  /** Whether the text has a block, so that edits in a quote are only shown. */
  readonly hasBlock: boolean;
}

/** Reads the lines outside blocks in order. */
export class OtherSyntaxReader {
  readonly #read: ReadSyntaxes;
  readonly #settings: ReadSettings;
  /** Lines that open a block, by syntax. */
  readonly #opened = new Map<Syntax, number[]>();
  readonly #near = new Map<string, NearOf & { readonly lines: number[] }>();

  constructor(read: ReadSyntaxes, settings: ReadSettings) {
    this.#read = read;
    this.#settings = settings;
  }

  /** @returns whether the line opens a block of any syntax */
  read(line: string, number: number): boolean {
    const opened = syntaxes.find((syntax) => syntax.opens(line, this.#settings));
    if (opened !== undefined) {
      const lines = this.#opened.get(opened);
      if (lines === undefined) this.#opened.set(opened, [number]);
      else lines.push(number);
    } else if (line.length <= MAX_LENGTH) this.#readNear(line, number);
    return opened !== undefined;
  }

  #readNear(line: string, number: number): void {
    const match = this.#nearIn(line) ?? (this.#read.hasBlock ? undefined : changedByPage(line, this.#settings));
    if (match === undefined) return;
    const known = this.#near.get(match.near.name);
    if (known === undefined) this.#near.set(match.near.name, { ...match, lines: [number] });
    else known.lines.push(number);
  }

  #nearIn(line: string): NearOf | undefined {
    for (const of of syntaxes) {
      const near = of.near?.(line, { ...this.#settings, isOwn: this.#read.own.some(({ name }) => name === of.name) });
      if (near !== undefined) return { of, near };
    }
    return undefined;
  }

  findings(): Finding[] {
    const others = [...this.#opened].filter(([syntax]) => this.#read.unread.includes(syntax));
    const near = [...this.#near.values()];
    const hasBlock = (syntax: Syntax): boolean =>
      this.#opened.has(syntax) || near.some(({ of, near: { isInner } }) => of === syntax && isInner !== true);
    const reported = near.filter(({ of, near: { isInner } }) => isInner !== true || !hasBlock(of));
    return [
      ...others.map(([other, lines]) => unreadFinding(other, lines, this.#read.own[0])),
      ...reported.map((entry) => entry.near.finding(entry.lines)),
    ];
  }
}

/** A line that is almost one of a syntax. */
interface NearOf {
  readonly of: Syntax;
  readonly near: NearLine;
}

/** Maximum length of a line to look at, in UTF-16 units. */
const MAX_LENGTH = 1_000;

/** Returns what a line outside blocks was before the page changed it, if that begins a block of a syntax. */
function changedByPage(line: string, settings: ReadSettings): NearOf | undefined {
  const decoded = line.replace(/&[lg]t;/g, (entity) => (entity === "&lt;" ? "<" : ">"));
  const plain = decoded.replace(QUOTE, "");
  if (plain === line) return undefined;
  const of = syntaxes.find((syntax) =>
    syntax === unifiedDiff ? plain.startsWith("+++ ") : syntax.opens(plain, settings),
  );
  return of && { of, near: nearLine(of, decoded === line ? "quote" : "entities") };
}

const QUOTE = /^ {0,3}(?:> ?)+/;

function nearLine({ name, called }: Syntax, change: "quote" | "entities"): NearLine {
  const [how, sent] =
    change === "quote"
      ? ["in a blockquote", "outside a blockquote"]
      : ["with &lt; or &gt; in place of < or >", "as plain text"];
  return nearMarker(
    `${change} of ${name}`,
    `in ${called}, but ${how}`,
    `Send the edit again ${sent}, in a code fence; for the user: copy the answer with the chat's own button`,
  );
}

/** @param wanted the syntax that was asked for */
function unreadFinding({ unit, called }: Syntax, lines: readonly number[], wanted: Syntax | undefined): Finding {
  const [first = 0] = lines;
  const isOne = lines.length === 1;
  const what = isOne ? `${unit === "operation" ? "an" : "a"} ${unit}` : `${lines.length} ${unit}s`;
  return {
    code: "answer/not-read",
    line: first,
    message: `${listed(lines)}: ${what} in ${called}, not run: only ${wanted?.called ?? "another syntax"} was to be read`,
    request: `Send ${isOne ? "it" : "them"} again as ${wanted?.asked.as ?? "blocks of that"}`,
  };
}

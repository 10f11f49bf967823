/** What a generated case is, and the files and texts that it is made of. What must come out is put together here, without any matching. */
import type { NewLine, Passage } from "./passage.ts";
import type { Random } from "./random.ts";

export interface Made {
  /** Bytes of the file before. */
  readonly file: Buffer;
  readonly oldText: string;
  readonly newText: string;
  /** Bytes of the file afterwards; undefined where the edit must be refused. */
  readonly expected: Buffer | undefined;
}

/** Makes a case at a passage, or nothing where the passage has not what it takes. */
export type Maker = (passage: Passage, random: Random) => Made | undefined;

/** A line as it stands in a file: its text and its ending. */
export type FileLine = readonly [text: string, ending: string];

export function endedWith(lines: readonly string[], ending: string): FileLine[] {
  return lines.map((line) => [line, ending]);
}

export function bytesOf(lines: readonly FileLine[], mark = ""): Buffer {
  return Buffer.from(mark + lines.map((line) => line.join("")).join(""));
}

/** The lines of a source around a passage. */
export function around({ source: { lines }, start, end }: Passage): { readonly before: readonly string[]; readonly after: readonly string[] } {
  return { before: lines.slice(0, start), after: lines.slice(end) };
}

export interface Parts {
  readonly before: readonly FileLine[];
  /** The passage as it stands in the file. */
  readonly inside: readonly FileLine[];
  readonly after: readonly FileLine[];
  readonly newLines: readonly NewLine[];
  /** A byte order mark. */
  readonly mark?: string;
}

/**
 * The file before and after: what the new text leaves as it is stays byte for byte, a new line ends as the line in its place does. The
 * last line of the passage keeps its ending, whatever stands in it.
 */
export function filesOf({ before, inside, after, newLines, mark = "" }: Parts): { readonly file: Buffer; readonly expected: Buffer } {
  const last = inside.at(-1)?.[1] ?? "";
  const usual = inside[0]?.[1] ?? "";
  const replaced = newLines.map(({ text, same, longer }, index): FileLine => {
    const [own, ending] = inside[same ?? index] ?? [text, usual];
    const made = longer === undefined ? text : `${inside[longer.line]?.[0].trimEnd()}${longer.by}`;
    return [same === undefined ? made : own, index === newLines.length - 1 ? last : ending || usual];
  });
  return { file: bytesOf([...before, ...inside, ...after], mark), expected: bytesOf([...before, ...replaced, ...after], mark) };
}

export function textOf(lines: ReadonlyArray<string | NewLine>): string {
  return lines.map((line) => (typeof line === "string" ? line : line.text)).join("\n");
}

/** The same lines, each changed as a model's copy is. */
export function mapText(lines: readonly NewLine[], change: (text: string) => string): NewLine[] {
  return lines.map((line) => ({ ...line, text: change(line.text) }));
}

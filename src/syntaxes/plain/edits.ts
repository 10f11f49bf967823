/** Collects the edits of an answer, without code that it shows again further below. */
import type { Source } from "../source.ts";
import { LineBlocks } from "../line-blocks.ts";

type Lines = Parameters<LineBlocks["add"]>[0];
type Properties = Parameters<LineBlocks["add"]>[1];
type How = NonNullable<Parameters<LineBlocks["add"]>[2]>;

export const UNCERTAIN = { uncertain: "plain" } as const;

export class Edits {
  readonly #blocks: LineBlocks;
  readonly #added: Added[] = [];

  constructor(source: Source) {
    this.#blocks = new LineBlocks(source);
  }

  /** Returns the edits in their order: what a later fence shows again is one with it, and of several new texts none is meant. */
  all(): LineBlocks["all"] {
    for (const block of withoutRepeated(this.#added)) block.add();
    return this.#blocks.all;
  }

  /** @param texts the new texts that the answer gives for a code span */
  add(
    lines: Lines,
    properties: Properties,
    how: How = UNCERTAIN,
    warnings?: readonly string[],
    texts?: ReadonlySet<string>,
  ): void {
    const { path = "", content, old } = properties;
    this.#added.push({
      path,
      lines: old === undefined && content !== undefined ? linesIn(content) : undefined,
      texts,
      add: () => this.#blocks.add(lines, properties, how, warnings),
    });
  }

  refuse(lines: Lines, reason: Parameters<LineBlocks["refuse"]>[1], how: How): void {
    const add = (): void => this.#blocks.refuse(lines, reason, how);
    this.#added.push({ path: "", lines: undefined, texts: undefined, add });
  }
}

/** A block of the answer. */
interface Added {
  readonly path: string;
  /** Of a fence that only shows a new text, trimmed, each between line feeds. */
  readonly lines: string | undefined;
  /** The new texts that the answer gives for its code span. */
  readonly texts: ReadonlySet<string> | undefined;
  add(): void;
}

/** Returns whether a fence shows all lines of an earlier one, and further ones. */
function repeats({ lines = "" }: Added, earlier: Added): boolean {
  return earlier.lines !== undefined && lines !== earlier.lines && lines.includes(earlier.lines);
}

function withoutRepeated(added: readonly Added[]): readonly Added[] {
  const last = new Map<string, readonly Added[]>();
  for (const block of added) last.set(block.path, [...(last.get(block.path) ?? []), block].slice(-MAX_REPEATED));
  return added.filter((block) => {
    const ofFile = last.get(block.path) ?? [];
    const later = ofFile.slice(ofFile.indexOf(block) + 1);
    return !later.some((other) => repeats(other, block)) && (block.texts?.size ?? 1) === 1;
  });
}

function linesIn(text: string): string {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return `\n${lines.join("\n")}\n`;
}

/** The last fences of a file, in which earlier ones may be shown again. */
const MAX_REPEATED = 5;

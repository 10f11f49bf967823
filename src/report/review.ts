/** What the user left out of an answer, and said about it, as sections of the report for the chat. */
import { visibleOnOneLine } from "../core/visible.ts";
import { masked, type Section } from "./sections.ts";

export interface ReviewNote {
  /** Of the block, as the report lists it. */
  readonly label: string;
  readonly path: string;
  /** Lines that the answer would have changed. */
  readonly leftOut?: {
    readonly wanted: readonly string[];
    /** The lines that stay, and the number of the first one if they are still in the file. */
    readonly kept: readonly string[];
    readonly first?: number;
  };
  /** The line that the comments are about, with its number. */
  readonly about?: { readonly line: number; readonly text: string };
  readonly comments: readonly string[];
}

/** Returns a section for each note. They come first, since the user wants an answer to them. */
export function reviewSections(notes: readonly ReviewNote[]): Section[] {
  return notes.map(({ label, path, leftOut, about, comments }) =>
    masked({
      label,
      failed: true,
      title: visibleOnOneLine(
        `[${label}] ${path} ${leftOut === undefined ? "comment of the user" : "left out by the user"}`,
      ),
      pieces: [
        ...(leftOut === undefined
          ? []
          : [
              { title: keptTitle(leftOut), text: leftOut.kept.join("\n") },
              { title: "not taken", text: leftOut.wanted.join("\n") },
            ]),
        ...(about === undefined ? [] : [{ title: `line ${about.line}`, text: about.text }]),
        ...comments.map((text) => ({ title: "the user says", text })),
      ],
      remarks: [],
    }),
  );
}

function keptTitle({ kept, first }: NonNullable<ReviewNote["leftOut"]>): string {
  if (kept.length === 0) return first === undefined ? "nothing was added" : `nothing was added above line ${first}`;
  if (first === undefined) return "these lines stay as they are";
  return kept.length === 1
    ? `line ${first} stays as it is`
    : `lines ${first}-${first + kept.length - 1} stay as they are`;
}

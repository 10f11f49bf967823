/** Finds the declaration of a file that a sentence names. */
import type { Part } from "../../addresses/part.ts";
import { everyPart, type Found } from "../parts.ts";
import { ownName, plain, type Told, typeOf } from "./told.ts";

export interface File {
  readonly text: string;
  readonly parts: readonly Part[];
  /** Whether a declaration is to stand there, and not statements. */
  readonly isForDeclaration?: boolean | undefined;
  /** The first line of what is to stand there. */
  readonly shown?: string | undefined;
}

export function rowsWith(rows: readonly string[], has: (row: string) => boolean): readonly number[] {
  return [...rows.keys()].filter((at) => has(rows[at] ?? ""));
}

export function partsNamed(code: string, { parts }: File): readonly Found[] {
  const all = everyPart(parts);
  const [, of] = /([\p{L}\p{N}_$]+)(?:[.#]|::)[\p{L}\p{N}_$]+(?:\(.*)?$/u.exec(code) ?? [];
  const exact = all.filter(({ part }) => part.name === code || ownName(part) === plain(code));
  const named =
    exact.length > 0 ? exact : all.filter(({ part }) => part.kind === "impl" && typeOf(part.name) === plain(code));
  // `Cart.add` is none of another class.
  return of === undefined || !all.some(({ part }) => part.name === of)
    ? named
    : named.filter((candidate) => isWithinTold(candidate, new Set([of])) || candidate.part.name === code);
}

/**
 * Returns the declaration of a name: the only one, or the one whose head or container the sentences have. A class is
 * no rival of its constructor.
 */
export function partNamed(code: string, { names }: Told, file: File, second?: string): Part | undefined {
  const all = partsNamed(code, file);
  // `price(List<Item> items)` is one of several.
  const isBeside = (around: Part | undefined): boolean =>
    everyPart(file.parts).some(({ part, around: outer }) => outer.at(-1) === around && ownName(part) === second);
  const choices = [
    all,
    all.filter(
      ({ part }) =>
        /\(.*\S.*\)/.test(code) && file.text.slice(part.start, part.end).includes(code.replace(/^.*[.#](?=\w+\()/, "")),
    ),
    second === undefined ? [] : all.filter(({ around }) => isBeside(around.at(-1))),
    all.filter((candidate) => isWithinTold(candidate, names)),
    all.filter(({ part }) => all.every((other) => other.part === part || other.around.includes(part))),
  ];
  return choices.find(({ length }) => length === 1)?.[0]?.part;
}

/** Returns whether what a declaration stands in, or its receiver, is one of the names. */
function isWithinTold({ part, around }: Found, names: ReadonlySet<string>): boolean {
  const receiver = part.name.slice(0, Math.max(0, part.name.lastIndexOf(".")));
  return names.has(receiver) || around.some(({ name }) => name !== part.name && names.has(name));
}

import { Failed, type Failure } from "../core/failure.ts";
import { hintForMany } from "./hints/hint-for-many.ts";
import { hintForMiss } from "./hints/hint-for-miss.ts";
import { findWith, type Proposed, type Search } from "./passes.ts";

/** The only place, and the pass that found it. */
export interface OnlyPlace extends Proposed {
  readonly pass: NonNullable<ReturnType<typeof findWith>["pass"]>;
}

/** Returns the only place of a text. Throws `text/empty`, or the failure in `none` or `several`, with a hint. */
export function onlyPlace(search: Search, none: Failure, several: (count: number) => Failure): OnlyPlace {
  refuseEmpty(search.wanted, search.parameter);
  const { pass, ...found } = findWith(search.match, search.bytes, search.wanted, search.from);
  const [place] = found.places;
  // Places that match except for formatting appear only in the hint, because the text itself was not found.
  if (pass === undefined || place === undefined || found.gaveUp || (pass === "formatting" && found.count > 1)) {
    throw new Failed(none, hintForMiss(search, search.match === "tolerant" ? found : undefined));
  }
  if (found.count > 1) throw new Failed(several(found.count), hintForMany({ ...search, ...found }));
  return { ...place, pass };
}

export function refuseEmpty(text: string, parameter: string): void {
  if (text === "") throw new Failed({ code: "text/empty", parameter });
}

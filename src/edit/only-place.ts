import { Failed, type Failure } from "../core/failure.ts";
import { hintForMany } from "./hints/hint-for-many.ts";
import { hintForMiss } from "./hints/hint-for-miss.ts";
import { findWith, type Proposed, type Search } from "./passes.ts";

/** The one place that the first pass found which found any. */
export interface OnlyPlace extends Proposed {
  readonly pass: NonNullable<ReturnType<typeof findWith>["pass"]>;
}

/** Throws `text/empty`; and what `none` and `several` say, with a hint, where there is not exactly one place. */
export function onlyPlace(search: Search, none: Failure, several: (count: number) => Failure): OnlyPlace {
  refuseEmpty(search.wanted, search.parameter);
  const { pass, ...found } = findWith(search.match, search.bytes, search.wanted, search.from);
  const [place] = found.places;
  // Places that fit but for formatting are told in the hint: the text itself was not found.
  if (pass === undefined || place === undefined || found.gaveUp || (pass === "formatting" && found.count > 1)) {
    throw new Failed(none, hintForMiss(search, search.match === "tolerant" ? found : undefined));
  }
  if (found.count > 1) throw new Failed(several(found.count), hintForMany({ ...search, ...found }));
  return { ...place, pass };
}

export function refuseEmpty(text: string, parameter: string): void {
  if (text === "") throw new Failed({ code: "text/empty", parameter });
}

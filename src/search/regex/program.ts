import { Failed } from "../../core/failure.ts";
import { utf8Sequences, type Range } from "./code-points.ts";
import type { Edge, Regex } from "./parse.ts";

/** A state of an automaton that reads bytes. States are named by their position. */
export type State =
  /** Reads one byte. Several steps may fit it. */
  | { readonly type: "step"; readonly steps: readonly Step[] }
  | { readonly type: "split"; readonly to: readonly number[] }
  | { readonly type: "edge"; readonly edge: Edge; readonly to: number }
  | { readonly type: "match" };

interface Step {
  readonly bytes: Range;
  readonly to: number;
}

export interface Program {
  readonly states: readonly State[];
  readonly start: number;
}

/** Maximum number of states. The time for a byte is proportional to it at worst. */
const MAX_STATES = 10_000;

/** Builds the automaton of a regular expression. Throws `pattern/regex` if it would be too large. */
export function compileRegex(regex: Regex): Program {
  const states: State[] = [{ type: "match" }];
  let work = 0;
  const spend = (): void => {
    work += 1;
    if (work > MAX_STATES) {
      throw new Failed(
        { code: "pattern/regex", problem: "too many alternatives or repetitions" },
        "shorten the pattern, or use * and + instead of counts",
      );
    }
  };
  const add = (state: State): number => {
    spend();
    return states.push(state) - 1;
  };
  /** Returns the state from which `part` leads to `next`. */
  const build = (part: Regex, next: number): number => {
    spend();
    switch (part.type) {
      case "set":
        return buildSet(part.ranges, next, add);
      case "edge":
        return add({ type: "edge", edge: part.edge, to: next });
      case "sequence":
        return part.parts.reduceRight((to, one) => build(one, to), next);
      case "either":
        return add({ type: "split", to: part.options.map((option) => build(option, next)) });
      case "repeat":
        return buildRepeat(part, next);
    }
  };
  const buildRepeat = ({ of, least, most }: Regex & { readonly type: "repeat" }, next: number): number => {
    let first = next;
    if (most === undefined) {
      const to = [next];
      first = add({ type: "split", to });
      to.push(build(of, first));
    }
    for (let left = (most ?? least) - least; left > 0; left--)
      first = add({ type: "split", to: [build(of, first), next] });
    for (let left = least; left > 0; left--) first = build(of, first);
    return first;
  };
  return { start: build(regex, 0), states };
}

function buildSet(ranges: readonly Range[], next: number, add: (state: State) => number): number {
  // The ends of many sequences are the same.
  const known = new Map<string, number>();
  const stepTo = (bytes: Range, to: number): number => {
    const key = `${bytes[0]} ${bytes[1]} ${to}`;
    const state = known.get(key) ?? add({ type: "step", steps: [{ bytes, to }] });
    known.set(key, state);
    return state;
  };
  const steps = utf8Sequences(ranges).flatMap(([first, ...rest]): Step[] =>
    first === undefined ? [] : [{ bytes: first, to: rest.reduceRight((to, bytes) => stepTo(bytes, to), next) }],
  );
  return add({ type: "step", steps });
}

import { actions } from "../../actions/index.ts";
import { closest } from "../../config/closest.ts";
import type { Failure } from "../../core/failure.ts";

/** Facts to build hints from. */
export interface HintFacts {
  /** The project's root, absolute. */
  readonly root: string;
  /** Names of allowed actions; all of them if undefined. */
  readonly allowed?: readonly string[] | undefined;
}

/** Returns a hint for the model on how to fix a block. Undefined if there is none. */
export function hintOn(failure: Failure, { root, allowed }: HintFacts): string | undefined {
  switch (failure.code) {
    case "action/unknown":
      return hintOnName(failure.action, actions.map(({ name }) => name).filter((name) => allowed?.includes(name) ?? true));
    case "params/path":
      return `the project's root is ${root}`;
    default:
      return undefined;
  }
}

function hintOnName(written: string, names: readonly string[]): string | undefined {
  const words = wordsOf(written);
  const near = names.find((name) => wordsOf(name) === words) ?? closest(written, names);
  if (near !== undefined) return `did you mean '${near}'?`;
  return names.length === 0 ? undefined : `the actions are ${names.join(", ")}`;
}

/** `write_file` and `WriteFile` are `file_write`. */
function wordsOf(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z]+/).sort().join(" ");
}

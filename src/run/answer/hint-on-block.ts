import { actions } from "../../actions/index.ts";
import { closest } from "../../config/closest.ts";
import type { Failure } from "../../core/failure.ts";

/** What a hint can be made of. */
export interface Known {
  /** Of the project, absolute. */
  readonly root: string;
  /** The names of the actions that may run; without it all of them. */
  readonly allowed?: readonly string[] | undefined;
}

/** What a block that cannot run should have said, for the model that wrote it; undefined where that cannot be told. */
export function hintOn(failure: Failure, { root, allowed }: Known): string | undefined {
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

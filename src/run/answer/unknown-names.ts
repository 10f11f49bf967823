import { actionByName } from "../../actions/index.ts";
import { didYouMean } from "../../config/closest.ts";
import type { Settings } from "../../config/schema.ts";
import { FORMATS } from "../../syntaxes/index.ts";

/** Returns a sentence for each unknown name in allowed-actions and syntaxes, which would silently allow nothing. */
export function unknownNames({ "allowed-actions": actions = [], syntaxes }: Pick<Settings, "allowed-actions" | "syntaxes">): string[] {
  return [...unknownIn("allowed-actions", actions, [...actionByName.keys()], "action"), ...unknownIn("syntaxes", syntaxes, FORMATS, "syntax")];
}

function unknownIn(setting: string, names: readonly string[], known: readonly string[], kind: string): string[] {
  return names.filter((name) => !known.includes(name)).map((name) => `${setting} names '${name}', which is no ${kind}${didYouMean(name, known)}`);
}

import { actionByName } from "../../actions/index.ts";
import { didYouMean } from "../../config/closest.ts";
import type { Settings } from "../../config/schema.ts";

/** Returns a sentence for each unknown name in allowed-actions, which would silently allow nothing. */
export function unknownActions({ "allowed-actions": allowed = [] }: Pick<Settings, "allowed-actions">): string[] {
  const known = [...actionByName.keys()];
  return allowed.filter((name) => !known.includes(name)).map((name) => `allowed-actions names '${name}', which is no action${didYouMean(name, known)}`);
}

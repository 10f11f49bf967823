import { actionByName } from "../../actions/index.ts";
import { didYouMean } from "../../config/closest.ts";
import type { Settings } from "../../config/schema.ts";

/** A sentence for each name in allowed-actions that no action has: it allows nothing, and nobody would notice. */
export function unknownActions({ "allowed-actions": allowed = [] }: Pick<Settings, "allowed-actions">): string[] {
  const known = [...actionByName.keys()];
  return allowed.filter((name) => !known.includes(name)).map((name) => `allowed-actions names '${name}', which is no action${didYouMean(name, known)}`);
}

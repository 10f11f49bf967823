/** What a sandbox makes in the project to cover it, remembered in the state folder: where Loaf is killed meanwhile, the next turn removes it. */
import * as z from "zod/mini";
import { type Place, removePlaces } from "../../exec/places.ts";
import { readStateFile, removeStateFile, writeStateFile } from "../../host/state-file.ts";
import { attempt } from "../../workspace/volume/system-error.ts";

const NAME = "covered-places";
/** Milliseconds in which a sandbox has made its places, also on a busy machine. What is made later is not its own. */
const SETTING_UP = 10_000;

const remembered = z.object({ since: z.number(), places: z.array(z.object({ path: z.string(), kind: z.enum(["file", "directory"]) })) });

/** Removes the places once the sandbox has ended, whatever becomes of Loaf. Throws where the state folder cannot be written. */
export async function withPlaces<Value>(root: string, places: readonly Place[], act: () => Promise<Value>): Promise<Value> {
  if (places.length === 0) return act();
  const since = Date.now();
  writeStateFile(root, NAME, JSON.stringify({ since, places }));
  try {
    return await act();
  } finally {
    removePlaces(places, since);
    attempt(() => removeStateFile(root, NAME));
  }
}

/** To be called while nobody else runs commands in the project: removes what is left there, as far as it is empty still. */
export function removeLeftPlaces(root: string): void {
  attempt(() => {
    const text = readStateFile(root, NAME);
    if (text === undefined) return;
    const { success, data } = z.safeParse(remembered, parsed(text));
    if (success) removePlaces(data.places, data.since, data.since + SETTING_UP);
    removeStateFile(root, NAME);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Outlines texts for the tests of languages. */
import { addresses } from "../../../src/paths/address.ts";
import { loadStructure, partsOf } from "../../../src/addresses/structure.ts";

/** Returns the text of each part by address, with ` (read only)` after the address of an uncertain one. */
export async function outline(file: string, text: string): Promise<Record<string, string>> {
  await loadStructure(file);
  return Object.fromEntries(Array.from(addresses(partsOf(file, text)), ({ address, part }) => [address + (part.isUncertain ? " (read only)" : ""), text.slice(part.start, part.end)]));
}

/** Returns only the addresses. */
export async function addressesIn(file: string, text: string): Promise<string[]> {
  return Object.keys(await outline(file, text));
}

/** What a text's outline is, for the tests of the languages. */
import { addresses } from "../../../src/paths/address.ts";
import { loadStructure, partsOf } from "../../../src/addresses/structure.ts";

/** Address to the text of the part; ` (read only)` follows the address of one that is uncertain. */
export async function outline(file: string, text: string): Promise<Record<string, string>> {
  await loadStructure(file);
  return Object.fromEntries(Array.from(addresses(partsOf(file, text)), ({ address, part }) => [address + (part.isUncertain ? " (read only)" : ""), text.slice(part.start, part.end)]));
}

/** The addresses alone. */
export async function addressesIn(file: string, text: string): Promise<string[]> {
  return Object.keys(await outline(file, text));
}

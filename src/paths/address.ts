/** Addresses: `@@Server@@start` names a part by its steps, from the file inwards. */
import type { Kind, Part } from "../addresses/part.ts";

export const STEP = "@@";

/** A part under its whole address. */
export interface Addressed {
  /** `@@Server@@start`: what comes after the file's path. */
  readonly address: string;
  readonly part: Part;
}

/** These only group: an address may leave them out. */
const GROUPS: ReadonlySet<Kind> = new Set<Kind>(["section", "namespace", "module"]);

/** Returns every part that an address may mean: one where it is right, several where it is ambiguous. Names come before aliases. */
export function find(parts: readonly Part[], address: string): Addressed[] {
  const found = new Finder(address, false).below(parts, STEP.length, "");
  return found.length > 0 ? found : new Finder(address, true).below(parts, STEP.length, "");
}

/**
 * A name may itself hold `@@`, so the address is compared with the names there are and not split. Direct parts come before parts inside groups.
 * Each list of parts is searched at most once for each rest of the address: a search that failed is remembered, else nested groups of one name take exponential time.
 */
class Finder {
  readonly #address: string;
  readonly #takesAliases: boolean;
  /** The offsets in the address from which nothing was found, for each list. */
  readonly #failed = new Map<readonly Part[], Set<number>>();

  constructor(address: string, takesAliases: boolean) {
    this.#address = address;
    this.#takesAliases = takesAliases;
  }

  /** @param at where the steps still to be found begin in the address */
  below(parts: readonly Part[], at: number, above: string): Addressed[] {
    const failed = this.#failed.get(parts);
    if (failed?.has(at) === true) return [];
    const found = this.#direct(parts, at, above);
    if (found.length === 0) for (const part of parts) if (GROUPS.has(part.kind)) found.push(...this.below(part.children, at, `${above}${STEP}${part.step}`));
    if (found.length === 0) {
      if (failed === undefined) this.#failed.set(parts, new Set([at]));
      else failed.add(at);
    }
    return found;
  }

  #direct(parts: readonly Part[], at: number, above: string): Addressed[] {
    const found: Addressed[] = [];
    for (const part of parts) {
      const end = this.#endOf(part.step, at) ?? this.#endOf(part.name, at) ?? (this.#takesAliases && part.alias !== undefined ? this.#endOf(part.alias, at) : undefined);
      if (end === undefined) continue;
      const address = `${above}${STEP}${part.step}`;
      if (end === this.#address.length) found.push({ address, part });
      else found.push(...this.below(part.children, end + STEP.length, address));
    }
    return found;
  }

  /** Where a name ends that begins at an offset of the address: at its end or before the next step. */
  #endOf(name: string, at: number): number | undefined {
    const end = at + name.length;
    return this.#address.startsWith(name, at) && (end === this.#address.length || this.#address.startsWith(STEP, end)) ? end : undefined;
  }
}

/** All parts under their addresses, in the order of the file, down to so many levels. */
export function* addresses(parts: readonly Part[], levels = Infinity, above = ""): Generator<Addressed> {
  if (levels <= 0) return;
  for (const part of parts) {
    const address = `${above}${STEP}${part.step}`;
    yield { address, part };
    yield* addresses(part.children, levels - 1, address);
  }
}

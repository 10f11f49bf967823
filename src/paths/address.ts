/** Addresses such as `@@Server@@start`: the steps to a part, from the file inwards. */
import type { Kind, Part } from "../addresses/part.ts";
import { append } from "../core/lists.ts";

export const STEP = "@@";

/** A part with its full address. */
export interface Addressed {
  /** What follows the file's path, e.g. `@@Server@@start`. */
  readonly address: string;
  readonly part: Part;
}

/** Kinds that only group parts: an address may omit them. */
const GROUPS: ReadonlySet<Kind> = new Set<Kind>(["section", "namespace", "module"]);

/** Returns every part that an address may refer to: several if it is ambiguous. Prefers names to aliases. */
export function find(parts: readonly Part[], address: string): Addressed[] {
  const named = new Finder(address, false).below(parts, STEP.length, "");
  return named.length > 0 ? named : new Finder(address, true).below(parts, STEP.length, "");
}

/**
 * Matches an address against the names of parts. Does not split it, because a name may contain `@@`. Prefers direct
 * parts to parts inside groups.
 * Remembers failed searches by list and offset. Otherwise nested groups of the same name take exponential time.
 */
class Finder {
  readonly #address: string;
  readonly #takesAliases: boolean;
  /** Offsets in the address from which nothing was found, by list. */
  readonly #failed = new Map<readonly Part[], Set<number>>();

  constructor(address: string, takesAliases: boolean) {
    this.#address = address;
    this.#takesAliases = takesAliases;
  }

  /** @param at offset of the first step not yet matched */
  below(parts: readonly Part[], at: number, above: string): Addressed[] {
    const failed = this.#failed.get(parts);
    if (failed?.has(at) === true) return [];
    const matches = this.#direct(parts, at, above);
    if (matches.length === 0) {
      for (const part of parts)
        if (GROUPS.has(part.kind)) append(matches, this.below(part.children, at, `${above}${STEP}${part.step}`));
    }
    if (matches.length === 0) {
      if (failed === undefined) this.#failed.set(parts, new Set([at]));
      else failed.add(at);
    }
    return matches;
  }

  #direct(parts: readonly Part[], at: number, above: string): Addressed[] {
    const matches: Addressed[] = [];
    for (const part of parts) {
      const end =
        this.#endOf(part.step, at) ??
        this.#endOf(part.name, at) ??
        (this.#takesAliases && part.alias !== undefined ? this.#endOf(part.alias, at) : undefined);
      if (end === undefined) continue;
      const address = `${above}${STEP}${part.step}`;
      if (end === this.#address.length) matches.push({ address, part });
      else append(matches, this.below(part.children, end + STEP.length, address));
    }
    return matches;
  }

  /**
   * Returns the end of a name that starts at an offset of the address. The next step or the end of the address must
   * follow.
   */
  #endOf(name: string, at: number): number | undefined {
    const end = at + name.length;
    return this.#address.startsWith(name, at) && (end === this.#address.length || this.#address.startsWith(STEP, end))
      ? end
      : undefined;
  }
}

/** Yields all parts with their addresses in file order, down to a number of levels. */
export function* addresses(parts: readonly Part[], levels = Infinity, above = ""): Generator<Addressed> {
  if (levels <= 0) return;
  for (const part of parts) {
    const address = `${above}${STEP}${part.step}`;
    yield { address, part };
    yield* addresses(part.children, levels - 1, address);
  }
}

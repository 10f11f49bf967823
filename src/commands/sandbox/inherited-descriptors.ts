import { readdirSync, readFileSync } from "node:fs";
import { tryOr } from "../../core/try-or.ts";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Returns descriptors above the standard ones that this process inherited, and would pass on to every program. Node's
 * own close themselves. Returns none without /proc; on macOS Node passes on only what is named.
 */
export function inheritedDescriptors(): number[] {
  return namesIn("/proc/self/fdinfo").map(Number).filter((descriptor) => descriptor > 2 && staysOpen(descriptor));
}

function namesIn(folder: string): string[] {
  return tryOr(() => readdirSync(folder), []);
}

function staysOpen(descriptor: number): boolean {
  const info = tryOr(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"), undefined);
  // Otherwise it was the descriptor of the listing itself.
  return info !== undefined && (Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8) & CLOSE_ON_EXEC) === 0;
}

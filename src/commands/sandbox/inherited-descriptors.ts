import { readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Returns descriptors above the standard ones that this process inherited, and would pass on to every program. Node's own close themselves.
 * Returns none without /proc; on macOS Node passes on only what is named.
 */
export function inheritedDescriptors(): number[] {
  return namesIn("/proc/self/fdinfo").map(Number).filter((descriptor) => descriptor > 2 && staysOpen(descriptor));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function staysOpen(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was the descriptor of the listing itself.
    return false;
  }
}

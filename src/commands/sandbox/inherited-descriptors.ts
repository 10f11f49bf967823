import { readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors above the standard ones that whoever started this process left open, and that every program it starts would get too. Those that Node opens
 * close by themselves. None where there is no /proc: on macOS Node hands on nothing but what is named.
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
    // It was that of the listing itself.
    return false;
  }
}

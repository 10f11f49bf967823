/**
 * Turns off V8's garbage collection of small heaps in an idle program. It takes 30 to 60 ms after eight seconds, for
 * nothing. Large heaps are still collected.
 *
 * Must run before any code is loaded: V8 reads the flag early, and a code cache is only valid for the same flags.
 */
export function leaveSmallHeap({ setFlagsFromString }: typeof import("node:v8")): void {
  // Other versions may not know the flag, and V8 prints an error for unknown ones.
  if (process.versions.v8.startsWith("11.")) setFlagsFromString("--no-memory-reducer-for-small-heaps");
}

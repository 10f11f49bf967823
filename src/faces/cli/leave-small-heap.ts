/**
 * Eight seconds after a program has become quiet V8 looks for garbage, however small the heap is: 30 to 60 ms of work for nothing, which a program that waits
 * should not do. Large heaps are cleared as before. This comes before any code is loaded: V8 makes its plans early, and a code cache is for the flags it was made with.
 */
export function leaveSmallHeap({ setFlagsFromString }: typeof import("node:v8")): void {
  // Elsewhere this flag may mean something else, and V8 complains of those that it does not know.
  if (process.versions.v8.startsWith("11.")) setFlagsFromString("--no-memory-reducer-for-small-heaps");
}

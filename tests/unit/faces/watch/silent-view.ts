import type { WatchedRun, WatchView } from "../../../../src/faces/watch/watcher.ts";

/** Records messages and runs. */
export function silentView(told: string[] = [], runs: WatchedRun[] = []): WatchView {
  return {
    starting: () => ({}),
    finished: async (run) => void runs.push(run),
    nothingToRun: () => {},
    tell: (sentence) => void told.push(sentence),
  };
}

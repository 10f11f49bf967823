import { complain } from "./output.ts";

/**
 * Lets Ctrl-C end a run cleanly while it is going on: the first one after the current action, the second one at once, which the next run or
 * `loaf recover` puts right. What the operating system sends to end a program counts as the first.
 */
export async function stoppable<Value>(act: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
    complain("Stopping after the action that is going on; Ctrl-C again stops at once");
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    return await act(stop.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The signals that end a program, and who handles them. No handler runs during synchronous work, and with one set the signal would wait for its end. */

/** What the operating system sends. */
const ENDS = ["SIGTERM", "SIGHUP"] as const;

const handlers = new Set<() => void>();

/** Calls `handle` on each. Returns what takes the handler off again. */
export function onEndSignal(handle: () => void): () => void {
  handlers.add(handle);
  listen("on", [handle]);
  return () => {
    handlers.delete(handle);
    listen("off", [handle]);
  };
}

/** Does work during which such a signal ends the process at once. Handlers that a host program has set by itself stay. */
export function whileSignalsEnd<Value>(act: () => Value): Value {
  listen("off", handlers);
  try {
    return act();
  } finally {
    listen("on", handlers);
  }
}

function listen(change: "on" | "off", handles: Iterable<() => void>): void {
  for (const handle of handles) for (const name of ENDS) process[change](name, handle);
}

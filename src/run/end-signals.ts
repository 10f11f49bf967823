/**
 * The signals that end a program, and their handlers. Handlers do not run during synchronous work, and a signal with a
 * handler has to wait for its end.
 */

/** Signals that the operating system sends. */
const ENDS = ["SIGTERM", "SIGHUP"] as const;

const handlers = new Set<() => void>();

/** Calls `handle` on each signal. Returns a function that removes the handler. */
export function onEndSignal(handle: () => void): () => void {
  handlers.add(handle);
  listen("on", [handle]);
  return () => {
    handlers.delete(handle);
    listen("off", [handle]);
  };
}

/** Runs work during which such a signal ends the process at once. Keeps handlers that a host program has set itself. */
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

import { type Log } from "./read-log.ts";
import { doneOperations } from "./inverse.ts";
import { PastFiles } from "./past-files.ts";

/** Returns a file's pre-image from before an action's command, taken from the run's log. Undefined where the log has none. */
export function bytesBeforeCommand(log: Log | undefined, path: string, author: number): Buffer | undefined {
  if (log === undefined) return undefined;
  const steps = doneOperations(log);
  const step = steps.findIndex(({ intent: { operation, authors } }) => operation.kind === "write" && operation.path === path && authors.includes(author));
  const before = steps[step]?.intent.before;
  return before?.kind === "file" ? new PastFiles([log]).find(path, before, step) : undefined;
}

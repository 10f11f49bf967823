import type { Peeked } from "../core/outcome.ts";
import { resultInTime } from "./in-time.ts";
import type { Session } from "./session.ts";

/** Returns a file or an addressed part as it is in a session. Undefined if it cannot or may not be read. */
export function peek({ workspace, guard }: Session, path: string): Peeked | undefined {
  const text = resultInTime(() => workspace.peek(path), MAX_PEEK_MS);
  if (text === undefined) return undefined;
  const { file, address } = workspace.split(path);
  const place = guard.admit({ path: file, access: ["read"], of: "target", names: "file", syscall: "open" });
  return { text, path: place.path + address, firstLine: resultInTime(() => workspace.firstLine(path), MAX_PEEK_MS) };
}

/** A report reads files again, some of which have just used up the time of an action. */
const MAX_PEEK_MS = 1_000;

import { type Access, Failed, type Failure } from "../core/failure.ts";
import { denied } from "./guard.ts";

/** Maximum attempts before a path that keeps changing is refused. */
const MAX_TRIES = 8;

/**
 * Retries an action that judges and uses a path, if the path led elsewhere when it was used.
 *
 * @param path to name in the refusal
 */
export function settled<Value>(path: string, access: Access, act: () => Value): Value {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return act();
    } catch (thrown) {
      if (!(thrown instanceof Failed) || !isStale(thrown.failure)) throw thrown;
    }
  }
  throw denied(path, access, "what it leads to keeps changing");
}

function isStale(failure: Failure): boolean {
  return failure.code === "file/system" && failure.errno === "ESTALE";
}

import { type Access, Failed, type Failure } from "../core/failure.ts";
import { denied } from "./guard.ts";

/** A path that changes faster than it can be judged and used is refused. */
const MOST_TRIES = 8;

/**
 * Judges and acts, and does both again where the path led elsewhere by the time of the act.
 *
 * @param path to name in the refusal in the end
 */
export function settled<Value>(path: string, access: Access, act: () => Value): Value {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
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

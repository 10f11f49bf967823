import { type Access, Failed, type Failure } from "../../core/failure.ts";
import { denied } from "./guard.ts";

/** Who changes the way faster than it can be judged and gone does not get through. */
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

/**
 * The same for an act that may first guess that there is no link in the path, as there mostly is none. Where the system refuses what
 * was guessed, that tells nothing, not even the failure: it is done again without.
 */
export function settledByGuess<Value>(path: string, access: Access, act: (mayGuess: boolean) => Value): Value {
  try {
    return act(true);
  } catch (thrown) {
    if (!(thrown instanceof Failed) || !isOfSystem(thrown.failure)) throw thrown;
  }
  return settled(path, access, () => act(false));
}

function isOfSystem({ code }: Failure): boolean {
  return code === "file/system" || code === "file/not-found" || code === "file/permission";
}

function isStale(failure: Failure): boolean {
  return failure.code === "file/system" && failure.errno === "ESTALE";
}

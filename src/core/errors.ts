import { plainSystemError } from "./plain-words.ts";

/** Returns the value of `act`, or a fallback if it throws anything. */
export function tryOr<Value, Fallback>(act: () => Value, fallback: Fallback): Value | Fallback {
  try {
    return act();
  } catch {
    return fallback;
  }
}

/** Returns the message of anything thrown, for a person. */
export function messageOf(thrown: unknown): string {
  return plainSystemError(thrown) ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

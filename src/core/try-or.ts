/** Returns the value of `act`, or a fallback if it throws anything. */
export function tryOr<Value, Fallback>(act: () => Value, fallback: Fallback): Value | Fallback {
  try {
    return act();
  } catch {
    return fallback;
  }
}

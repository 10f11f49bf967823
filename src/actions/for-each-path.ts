import { explain, Failed, failureOf, type PathFailure } from "../core/failure.ts";
import { pathList } from "./params.ts";

/** Result for one path of a list: a value, or an error sentence. */
interface PathOutcome<Value> {
  readonly path: string;
  readonly value?: Value;
  readonly error?: string;
}

/** Applies a function to each path of a list, in order. Continues after a path that is refused or missing. */
export function forEachPath<Value>(
  list: string,
  act: (path: string) => Value,
): { done: PathOutcome<Value>[]; failures: PathFailure[] } {
  const paths = pathList(list);
  if (paths.length === 0) throw new Failed({ code: "paths/none" });
  const failures: PathFailure[] = [];
  const done = paths.map((path): PathOutcome<Value> => {
    try {
      return { path, value: act(path) };
    } catch (thrown) {
      const failure = failureOf(thrown);
      // Memory exhaustion fails the whole action.
      if (failure.code === "limit/memory") throw thrown;
      failures.push({ path, failure });
      return { path, error: explain(failure) };
    }
  });
  return { done, failures };
}

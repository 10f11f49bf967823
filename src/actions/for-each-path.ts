import { explain } from "../core/explain.ts";
import { Failed, failureOf, type PathFailure } from "../core/failure.ts";
import { pathList } from "./params.ts";

/** What became of one path of a list: a value, or the sentence that says why there is none. */
interface PathOutcome<Value> {
  readonly path: string;
  readonly value?: Value;
  readonly error?: string;
}

/** Does one thing to each path of a list, in order. A refused or missing path is that path's failure; the others go on. */
export function forEachPath<Value>(list: string, act: (path: string) => Value): { done: PathOutcome<Value>[]; failures: PathFailure[] } {
  const paths = pathList(list);
  if (paths.length === 0) throw new Failed({ code: "paths/none" });
  const failures: PathFailure[] = [];
  const done = paths.map((path): PathOutcome<Value> => {
    try {
      return { path, value: act(path) };
    } catch (thrown) {
      const failure = failureOf(thrown);
      // It is the action's.
      if (failure.code === "limit/memory") throw thrown;
      failures.push({ path, failure });
      return { path, error: explain(failure) };
    }
  });
  return { done, failures };
}

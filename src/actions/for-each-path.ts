import type { ActionContext } from "./define.ts";
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
export async function forEachPath<Value>(list: string, step: ActionContext["step"], act: (path: string) => Value): Promise<{ done: PathOutcome<Value>[]; failures: PathFailure[] }> {
  const paths = pathList(list);
  if (paths.length === 0) throw new Failed({ code: "paths/none" });
  const failures: PathFailure[] = [];
  const done: PathOutcome<Value>[] = [];
  for (const path of paths) {
    try {
      done.push({ path, value: await step(() => act(path)) });
    } catch (thrown) {
      const failure = failureOf(thrown);
      failures.push({ path, failure });
      done.push({ path, error: explain(failure) });
    }
  }
  return { done, failures };
}

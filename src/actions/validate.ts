import { isAbsolute } from "node:path";
import type { Access, Failure } from "../core/failure.ts";
import type { AnyAction } from "./define.ts";
import { pathsIn, takesAddresses } from "./params.ts";

/** Parameters converted by the schema, and the names of undeclared ones; or the first problem. */
export type Validated = { readonly params: Readonly<Record<string, unknown>>; readonly undeclared: readonly string[] } | { readonly failure: Failure };

/** @param given the block's text by parameter */
export function validate(definition: AnyAction, given: Readonly<Record<string, string>>, options: { readonly relativePaths: boolean }): Validated {
  const { shape } = definition.params;
  const missing = Object.keys(shape).find((key) => !Object.hasOwn(given, key) && shape[key]?._zod.optin !== "optional");
  if (missing !== undefined) return { failure: { code: "params/missing", parameter: missing } };
  const isPath = (path: string): boolean => isAbsolute(path) || (options.relativePaths && path !== "");
  const invalid = neededPaths(definition, given).find(({ path }) => !isPath(path));
  if (invalid !== undefined) return { failure: { code: "params/path", value: invalid.path } };
  const parsed = definition.params.safeParse(given);
  if (!parsed.success) return { failure: typeFailure(parsed.error.issues, given) };
  return { params: parsed.data, undeclared: Object.keys(given).filter((key) => !Object.hasOwn(shape, key)) };
}

/** Returns every path in an action's parameters, with the required access. */
export function neededPaths({ params: { shape }, needs }: AnyAction, params: Readonly<Record<string, unknown>>): NeededPath[] {
  return Object.entries(needs).flatMap(([key, access = []]) => pathsIn(shape[key], params[key]).map((path) => ({ path, access, takesAddress: takesAddresses(shape[key]) })));
}

interface NeededPath {
  readonly path: string;
  readonly access: readonly Access[];
  readonly takesAddress: boolean;
}

/** The messages of the schemas in `params.ts` are failure codes. */
function typeFailure([issue]: ReadonlyArray<{ message: string; path: readonly PropertyKey[]; values?: unknown }>, given: Readonly<Record<string, string>>): Failure {
  const value = given[String(issue?.path[0])] ?? "";
  switch (issue?.message) {
    case "params/integer":
    case "params/boolean":
      return { code: issue.message, value };
    case "params/enum":
      return { code: issue.message, value, allowed: issue.values as string[] };
    default:
      return { code: "bug", message: `a schema without a failure code: ${issue?.message}` };
  }
}

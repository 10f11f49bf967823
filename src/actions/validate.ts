import { isAbsolute } from "node:path";
import type { Access, Failure } from "../core/failure.ts";
import { meansParameter } from "../core/synonyms.ts";
import type { AnyAction } from "./define.ts";
import { pathsIn, takesAddresses, wordMeant } from "./params.ts";

/** Parameters converted by the schema, or the first problem. */
export type Validated =
  | {
      readonly params: Readonly<Record<string, unknown>>;
      /** Names of undeclared parameters. */
      readonly undeclared: readonly string[];
      /** Other names and words that were taken for declared ones, as sentences. */
      readonly taken: readonly string[];
    }
  | { readonly failure: Failure };

/** @param written the block's text by parameter */
export function validate(
  definition: AnyAction,
  written: Readonly<Record<string, string>>,
  options: { readonly relativePaths: boolean },
): Validated {
  const { shape } = definition.params;
  const { given, taken } = withDeclaredNames(definition, written);
  const missing = Object.keys(shape).find((key) => !Object.hasOwn(given, key) && shape[key]?._zod.optin !== "optional");
  if (missing !== undefined) return { failure: { code: "params/missing", parameter: missing } };
  const isPath = (path: string): boolean => isAbsolute(path) || (options.relativePaths && isRelative(path));
  const invalid = neededPaths(definition, given).find(({ path }) => !isPath(path));
  if (invalid !== undefined)
    return { failure: { code: "params/path", parameter: invalid.parameter, value: invalid.path } };
  const parsed = definition.params.safeParse(given);
  if (!parsed.success) return { failure: typeFailure(parsed.error.issues, given) };
  return { params: parsed.data, undeclared: Object.keys(given).filter((key) => !Object.hasOwn(shape, key)), taken };
}

/** Returns false for a path that begins with `~`, which only a shell expands, or with a drive of Windows. */
function isRelative(path: string): boolean {
  return path.trim() !== "" && !/^\s*(?:~(?:$|[\\/])|[a-z]:[\\/])/i.test(path);
}

/**
 * Renames parameters that plainly mean a declared one, such as `file_path` for `path`, and words such as `python3` for
 * `python`. Leaves a name alone that could mean several parameters, or one that is there already.
 */
function withDeclaredNames(
  { params: { shape } }: AnyAction,
  written: Readonly<Record<string, string>>,
): { readonly given: Readonly<Record<string, string>>; readonly taken: readonly string[] } {
  const taken: string[] = [];
  const free = Object.keys(shape).filter((key) => !Object.hasOwn(written, key));
  const undeclared = Object.keys(written).filter((key) => !Object.hasOwn(shape, key));
  const meant = new Map(undeclared.map((key) => [key, free.filter((parameter) => meansParameter(key, parameter))]));
  const given: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(written)) {
    const [parameter, ...others] = meant.get(key) ?? [];
    const isOnly =
      parameter !== undefined &&
      others.length === 0 &&
      ![...meant].some(([other, parameters]) => other !== key && parameters.includes(parameter));
    const name = isOnly ? parameter : key;
    const word = wordMeant(shape[name], value);
    if (isOnly) taken.push(`parameter '${key}' was read as '${name}'`);
    if (word !== undefined) taken.push(`${name} '${value}' was read as '${word}'`);
    given[name] = word ?? value;
  }
  return { given, taken };
}

/** Returns every path in an action's parameters, with the required access. */
export function neededPaths(
  { params: { shape }, needs }: AnyAction,
  params: Readonly<Record<string, unknown>>,
): NeededPath[] {
  return Object.entries(needs).flatMap(([parameter, access = []]) =>
    pathsIn(shape[parameter], params[parameter]).map((path) => ({
      parameter,
      path,
      access,
      takesAddress: takesAddresses(shape[parameter]),
    })),
  );
}

interface NeededPath {
  readonly parameter: string;
  readonly path: string;
  readonly access: readonly Access[];
  readonly takesAddress: boolean;
}

/** The messages of the schemas in `params.ts` are failure codes. */
function typeFailure(
  [issue]: ReadonlyArray<{ message: string; path: readonly PropertyKey[]; values?: unknown }>,
  given: Readonly<Record<string, string>>,
): Failure {
  const parameter = String(issue?.path[0]);
  const value = given[parameter] ?? "";
  switch (issue?.message) {
    case "params/integer":
    case "params/boolean":
      return { code: issue.message, parameter, value };
    case "params/nul":
      return { code: issue.message, parameter };
    case "params/enum":
      return { code: issue.message, parameter, value, allowed: issue.values as string[] };
    default:
      return { code: "bug", message: `a schema without a failure code: ${issue?.message}` };
  }
}

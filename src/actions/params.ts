/** The kinds of parameters that actions have. In a block every value is text; these convert it. A message is the failure's code. */
import * as z from "zod/mini";

/** A path of one file or directory. Whether it has to be absolute is the run's setting, so `run/answer/resolve.ts` judges that. */
export const path = (description: string) => z.string().check(z.meta({ description, format: "path" }));

/** Paths, one a line; see `pathList`. */
export const paths = (description: string) => z.string().check(z.meta({ description: `${description}, one a line`, format: "paths" }));

/** A path of a file, or an address of a part in it: `/p/app.ts@@Server@@start`. */
export const address = (description: string) => z.string().check(z.meta({ description, format: "address" }));

/** The same, one a line. */
export const addresses = (description: string) => z.string().check(z.meta({ description: `${description}, one a line`, format: "addresses" }));

/** Any text, taken verbatim. */
export const text = (description: string) => z.string().check(z.describe(description));

/** Digits. */
export const integer = (description: string) =>
  z.pipe(z.string().check(z.regex(/^[0-9]+$/, "params/integer"), z.describe(description)), z.transform(Number));

/** `true` or `false`. */
export const boolean = (description: string) =>
  z.pipe(z.enum(["true", "false"], "params/boolean").check(z.describe(description)), z.transform((value) => value === "true"));

/** One of a few words. */
export const choice = <const Word extends string>(description: string, words: readonly Word[]) => z.enum(words, "params/enum").check(z.describe(description));

/** The paths in a `paths` parameter: one a line, trimmed, blank lines ignored. */
export function pathList(value: string): string[] {
  return value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** `(3 files)`, for a report line. */
export function countPaths(value: string): string {
  const { length } = pathList(value);
  return length === 1 ? "(1 file)" : `(${length} files)`;
}

/** The paths in a value, by the kind of its parameter; none where it holds no paths. */
export function pathsIn(parameter: z.core.$ZodType | undefined, value: unknown): string[] {
  const format = formatOf(parameter);
  if (typeof value !== "string") return [];
  if (format === "path" || format === "address") return [value];
  return format === "paths" || format === "addresses" ? pathList(value) : [];
}

/** Whether the paths in a parameter may be addresses. */
export function takesAddresses(parameter: z.core.$ZodType | undefined): boolean {
  return ["address", "addresses"].includes(String(formatOf(parameter)));
}

function formatOf(parameter: z.core.$ZodType | undefined): unknown {
  const declared = parameter instanceof z.ZodMiniOptional ? parameter._zod.def.innerType : parameter;
  return declared === undefined ? undefined : z.globalRegistry.get(declared)?.["format"];
}

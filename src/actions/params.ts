/** The types of action parameters. Every value in a block is text, which these convert. Messages are failure codes. */
import * as z from "zod/mini";

/**
 * The path of a file or directory. `run/answer/resolve.ts` decides whether it must be absolute, because that is a
 * setting.
 */
export const path = (description: string) => z.string().check(z.meta({ description, format: "path" }));

/** Paths, one per line; see `pathList`. */
export const paths = (description: string) => z.string().check(z.meta({ description: `${description}, one a line`, format: "paths" }));

/** The path of a file, or the address of a part of it, e.g. `/p/app.ts@@Server@@start`. */
export const address = (description: string) => z.string().check(z.meta({ description, format: "address" }));

/** Addresses, one per line. */
export const addresses = (description: string) => z.string().check(z.meta({ description: `${description}, one a line`, format: "addresses" }));

/** Any text, taken verbatim. */
export const text = (description: string) => z.string().check(z.describe(description));

export const integer = (description: string) =>
  z.pipe(z.string().check(z.regex(/^[0-9]+$/, "params/integer"), z.describe(description)), z.transform(Number));

export const boolean = (description: string) =>
  z.pipe(z.enum(["true", "false"], "params/boolean").check(z.describe(description)), z.transform((value) => value === "true"));

export const choice = <const Word extends string>(description: string, words: readonly Word[]) => z.enum(words, "params/enum").check(z.describe(description));

/** Splits the value of a `paths` parameter into lines. Trims them and skips blank ones. */
export function pathList(value: string): string[] {
  return value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** Returns `(3 files)` for a report line. */
export function countPaths(value: string): string {
  const { length } = pathList(value);
  return length === 1 ? "(1 file)" : `(${length} files)`;
}

/** Returns the paths in a value, depending on its parameter's type. Returns none if it contains no paths. */
export function pathsIn(parameter: z.core.$ZodType | undefined, value: unknown): string[] {
  const format = formatOf(parameter);
  if (typeof value !== "string") return [];
  if (format === "path" || format === "address") return [value];
  return format === "paths" || format === "addresses" ? pathList(value) : [];
}

export function takesAddresses(parameter: z.core.$ZodType | undefined): boolean {
  return ["address", "addresses"].includes(String(formatOf(parameter)));
}

function formatOf(parameter: z.core.$ZodType | undefined): unknown {
  const declared = parameter instanceof z.ZodMiniOptional ? parameter._zod.def.innerType : parameter;
  return declared === undefined ? undefined : z.globalRegistry.get(declared)?.["format"];
}

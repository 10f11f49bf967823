/** The types of action parameters. Every value in a block is text, which these convert. Messages are failure codes. */
import * as z from "zod/mini";
import { counted } from "../core/counted.ts";

/**
 * The path of a file or directory. `answer/resolve.ts` decides whether it must be absolute, because that is a
 * setting.
 */
export const path = (description: string) => z.string().check(z.meta({ description, format: "path" }));

/** The path of a file, or the address of a part of it, e.g. `/p/app.ts@@Server@@start`. */
export const address = (description: string) => z.string().check(z.meta({ description, format: "address" }));

/** Ends the description of `addressLines`. */
export const ONE_PER_LINE = ", one per line";

/** Addresses, one per line; see `pathList`. */
export const addressLines = (description: string) =>
  z.string().check(z.meta({ description: description + ONE_PER_LINE, format: "addresses" }));

/** Any text, taken verbatim. */
export const text = (description: string) => z.string().check(z.describe(description));

/** Text for a program. */
export const commands = (description: string) => text(description).check(z.regex(/^[^\0]*$/, "params/nul"));

/** The tag of the file as it was shown, of an edit. Only the report on an edit that finds no place reads it. */
export const base = z.optional(text("The file's `base` as it was shown"));

export const integer = (description: string) =>
  z.pipe(z.string().check(z.regex(/^[0-9]+$/, "params/integer"), z.describe(description)), z.transform(Number));

/** An integer that is not 0. */
export const positive = (description: string) =>
  z.pipe(z.string().check(z.regex(/^0*[1-9][0-9]*$/, "params/integer"), z.describe(description)), z.transform(Number));

export const boolean = (description: string) =>
  z.pipe(
    z.enum(["true", "false"], "params/boolean").check(z.describe(description)),
    z.transform((value) => value === "true"),
  );

/** @param others other names for a word, in small letters and separated by spaces */
export const choice = <const Word extends string>(
  description: string,
  words: readonly Word[],
  others: { readonly [Name in Word]?: string } = {},
) => {
  const schema = z.enum(words, "params/enum").check(z.describe(description));
  const meant = words.flatMap((word) =>
    [word.toLowerCase(), ...(others[word]?.split(" ") ?? [])].map((name) => [name, word] as const),
  );
  wordsMeant.set(schema, new Map(meant));
  return schema;
};

const wordsMeant = new WeakMap<z.core.$ZodType, ReadonlyMap<string, string>>();

/** Returns the word of a `choice` that a value means by another name. */
export function wordMeant(parameter: z.core.$ZodType | undefined, value: string): string | undefined {
  const declared = withoutOptional(parameter);
  const word = declared && wordsMeant.get(declared)?.get(value.toLowerCase());
  return word === value ? undefined : word;
}

/** Returns the description of a parameter. */
export function descriptionOf(parameter: z.core.$ZodType | undefined): string {
  const declared = withoutOptional(parameter);
  const inner = declared instanceof z.ZodMiniPipe ? (declared._zod.def.in as z.core.$ZodType) : declared;
  return (inner && z.globalRegistry.get(inner)?.description) ?? "";
}

/** Splits the value of an `addresses` parameter into lines. Trims them and skips blank ones. */
export function pathList(value: string): string[] {
  return value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** Returns `(3 files)` for a report line. */
export function countPaths(value: string): string {
  return `(${counted(pathList(value).length, "file")})`;
}

/** Returns the paths in a value, depending on its parameter's type. Returns none if it contains no paths. */
export function pathsIn(parameter: z.core.$ZodType | undefined, value: unknown): string[] {
  const format = formatOf(parameter);
  if (typeof value !== "string") return [];
  if (format === "path" || format === "address") return [value];
  return format === "addresses" ? pathList(value) : [];
}

export function takesAddresses(parameter: z.core.$ZodType | undefined): boolean {
  return ["address", "addresses"].includes(String(formatOf(parameter)));
}

function formatOf(parameter: z.core.$ZodType | undefined): unknown {
  const declared = withoutOptional(parameter);
  return declared === undefined ? undefined : z.globalRegistry.get(declared)?.["format"];
}

function withoutOptional(parameter: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return parameter instanceof z.ZodMiniOptional ? parameter._zod.def.innerType : parameter;
}

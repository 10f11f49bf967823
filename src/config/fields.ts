/** The kinds of values in loaf.yml, each with the sentences that say what is wrong with another value. */
import { sep } from "node:path";
import * as z from "zod/mini";

const MAX_TIMEOUT_MS = 86_400_000;

/** A time limit in milliseconds. */
export const timeout = (description: string) => {
  const message = `must be milliseconds, a whole number from 1 to ${MAX_TIMEOUT_MS}`;
  return z
    .int(message)
    .check(z.minimum(1, message), z.maximum(MAX_TIMEOUT_MS, message), z.describe(description));
};

const NUL = "contains a NUL character, which a command cannot contain";

/** A text that a command can contain. */
export const plainField = (message: string) =>
  z.string(message).check(z.refine((text) => !text.includes("\0"), NUL));

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** The default of each key, in the form of the file. */
type Defaults<Keys extends Shape> = { readonly [Key in keyof Keys]?: z.input<Keys[Key]> | object };

type Filled<Keys extends Shape, Given> = {
  [Key in keyof Keys]: Keys[Key] extends z.ZodMiniPrefault
    ? Keys[Key]
    : Key extends keyof Given
      ? z.ZodMiniDefault<Keys[Key]>
      : z.ZodMiniExactOptional<Keys[Key]>;
};

/** Gives keys their defaults. Those without one are optional. */
export const withDefaults = <Keys extends Shape, Given extends Defaults<Keys> = {}>(keys: Keys, given?: Given) =>
  Object.fromEntries(
    Object.entries(keys).map(([key, schema]) => {
      if (schema instanceof z.ZodMiniPrefault) return [key, schema];
      const value: unknown = given?.[key];
      return [key, value === undefined ? z.exactOptional(schema) : z._default(schema, structuredClone(value))];
    }),
  ) as Filled<Keys, Given>;

const mapping = <Keys extends z.core.$ZodLooseShape>(description: string, keys: Keys) =>
  z.strictObject(keys, "must be a mapping of keys").check(z.describe(description));

/** A mapping with optional keys. */
export const section = <Keys extends Shape>(description: string, keys: Keys) =>
  mapping(description, withDefaults(keys));

/** A mapping whose keys have defaults. It may be left out. */
export const settings = <Keys extends Shape, Given extends Defaults<Keys>>(
  description: string,
  given: Given,
  keys: Keys,
) => z.prefault(mapping(description, withDefaults(keys, given)), {} as never);

export const flag = (description: string) => z.boolean("must be true or false").check(z.describe(description));

export const choiceField = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  z.enum(values, `must be ${values.join(" or ")}`).check(z.describe(description));

/** The default maximum fits into a string or buffer of Node with room to spare. */
export const count = (description: string, largest = 2 ** 28, least = 1) => {
  const message = `must be a whole number from ${least} to ${largest}`;
  return z.int(message).check(z.minimum(least, message), z.maximum(largest, message), z.describe(description));
};

/** White space could get lost. A letter or a quote would look like part of the framed text. */
export const delimiter = (description: string) => {
  const message = "must be 2 to 16 characters, without white space, letters, digits, quotes, = and \\";
  return z.string(message).check(z.regex(/^[^\s\p{L}\p{N}_"'=\\]{2,16}$/u, message), z.describe(description));
};

/** `loaf watch` must not write outside the project, nor to files that control actions. */
export const ownFile = (description: string) => {
  const message =
    "must be a file's path relative to the project's root, with / between names, without . and .., and neither loaf.yml nor in .git";
  return z.string(message).check(
    z.refine(
      (path) =>
        path
          .split("/")
          .every((name) => name.trim() !== "" && name !== "." && name !== ".." && !/[\\:\0-\x1f]/.test(name)),
      message,
    ),
    z.refine((path) => !/^(?:loaf\.yml$|\.git(?:\/|$))/i.test(path), message),
    z.describe(description),
  );
};

export const names = (description: string) =>
  z.array(z.string("must be a name"), "must be a list of names").check(z.describe(description));

/** Longest name in common file systems, in bytes. */
const MAX_NAME_BYTES = 255;

/**
 * Rejects patterns that no path can match, since they would silently refuse nothing. The guard's matcher treats braces
 * and `!` literally, which authors do not expect.
 */
const pattern = z.string("must be a path pattern").check(
  z.minLength(1, "must not be empty"),
  z.refine((text) => !text.includes("\0"), "contains a NUL character, which no path does"),
  z.refine((text) => !text.includes("//"), "has an empty name between two slashes, which no path does"),
  z.refine(
    (text) => text.split("/").every((name) => Buffer.byteLength(name.replaceAll("*", "")) <= MAX_NAME_BYTES),
    `has a name of more than ${MAX_NAME_BYTES} bytes, which no path does`,
  ),
  z.refine(
    (text) => !/^!|\{[^{},]*,/.test(text),
    "contains `!` or `{a,b}`, which patterns do not support: write one pattern for each, and refusals under deny",
  ),
  z.refine(
    (text) => sep === "\\" || !text.includes("\\"),
    "contains `\\`, which escapes nothing here: write / between folders, and ? for a literal special character",
  ),
  z.refine(
    (text) => !/\[[!^]?\[[:.=]/.test(text),
    "contains a class such as `[[:alpha:]]`, which patterns do not support: write a set such as [a-z]",
  ),
  z.refine(
    (text) =>
      !text
        .slice(text.search(/[*?]|$/))
        .split("/")
        .includes(".."),
    "contains `..` after a wildcard, where it never matches",
  ),
);

export const patterns = (description: string) =>
  z.array(pattern, "must be a list of path patterns").check(z.describe(description));

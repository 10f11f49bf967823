/** The schema of loaf.yml: keys, descriptions and defaults. Documentation and the JSON Schema are generated from it. */
import { sep } from "node:path";
import * as z from "zod/mini";
import { LANGUAGES } from "../core/command.ts";
import { defaults } from "./defaults.ts";
import { guardRules } from "./guard-rules.ts";
import { hooksSchema, varsSchema } from "./hook-schema.ts";

/** A mapping with optional keys. Defaults are in the form of the file. */
const section = <Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) =>
  z.strictObject(shape, "must be a mapping of keys").check(z.describe(description));

const flag = (description: string) => z.boolean("must be true or false").check(z.describe(description));

const choice = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  z.enum(values, `must be ${values.join(" or ")}`).check(z.describe(description));

/** The default maximum fits into a string or buffer of Node with room to spare. */
const count = (description: string, largest = 2 ** 28, least = 1) => {
  const message = `must be a whole number from ${least} to ${largest}`;
  return z.int(message).check(z.minimum(least, message), z.maximum(largest, message), z.describe(description));
};

/** White space could get lost. A letter or a quote would look like part of the framed text. */
const delimiter = (description: string) => {
  const message = "must be 2 to 16 characters, without white space, letters, digits, quotes, = and \\";
  return z.string(message).check(z.regex(/^[^\s\p{L}\p{N}_"'=\\]{2,16}$/u, message), z.describe(description));
};

/** `loaf watch` must not write outside the project, nor to files that control actions. */
const ownFile = (description: string) => {
  const message = "must be a file's path from the project's root on, with / between names and without . and .., and neither loaf.yml nor in .git";
  return z.string(message).check(
    z.refine((path) => path.split("/").every((name) => name.trim() !== "" && name !== "." && name !== ".." && !/[\\:\0-\x1f]/.test(name)), message),
    z.refine((path) => !/^(?:loaf\.yml$|\.git(?:\/|$))/i.test(path), message),
    z.describe(description),
  );
};

const names = (description: string) => z.array(z.string("must be a name"), "must be a list of names").check(z.describe(description));

/** Longest name in common file systems, in bytes. */
const MAX_NAME_BYTES = 255;

/**
 * Rejects patterns that no path can match, since they would silently refuse nothing. The guard's matcher treats braces
 * and `!` literally, which authors do not expect.
 */
const pattern = z
  .string("must be a path pattern")
  .check(
    z.minLength(1, "must not be empty"),
    z.refine((text) => !text.includes("\0"), "holds a NUL character, which no path has"),
    z.refine((text) => !text.includes("//"), "has an empty name between two slashes, which no path has"),
    z.refine(
      (text) => text.split("/").every((name) => Buffer.byteLength(name.replaceAll("*", "")) <= MAX_NAME_BYTES),
      `has a name of more than ${MAX_NAME_BYTES} bytes, which no path has`,
    ),
    z.refine((text) => !/^!|\{[^{},]*,/.test(text), "holds `!` or `{a,b}`, which patterns do not have: write one pattern for each, and refusals under deny"),
    z.refine((text) => sep === "\\" || !text.includes("\\"), "holds `\\`, which escapes nothing here: write / between folders, and ? for a character that is to stand for itself"),
    z.refine((text) => !/\[[!^]?\[[:.=]/.test(text), "holds a class such as `[[:alpha:]]`, which patterns do not have: write a set such as [a-z]"),
    z.refine((text) => !text.slice(text.search(/[*?]|$/)).split("/").includes(".."), "holds `..` after a wildcard, where it never matches"),
  );

const patterns = (description: string) => z.array(pattern, "must be a list of path patterns").check(z.describe(description));

const access = (verb: string) =>
  section(`Which paths actions may ${verb}.`, {
    allow: z.exactOptional(patterns("Allowed paths; absent: all below the root. An empty list allows nothing.")),
    deny: z.exactOptional(patterns("Refused paths, besides those that are refused by default.")),
  });

const guard = section("Which paths actions may touch. `*`, `?` and `**` are understood; `./` is the root.", {
  read: z.exactOptional(access("read")),
  write: z.exactOptional(access("change")),
  allowed: z.exactOptional(patterns("Short for `allow` under both read and write, where those have none of their own.")),
  denied: z.exactOptional(patterns("Short for `deny` under both read and write.")),
  hard_links: z.exactOptional(
    choice(["report", "deny"], "A file with several names (hard links) may be refused by another of them. `report`, also when absent: it is read, with a warning; `deny`: it is not."),
  ),
});

export const configSchema = z.strictObject(
  {
    version: z._default(z.literal(1, "must be 1").check(z.describe("Version of this file's format.")), defaults.version),
    "allowed-actions": z.exactOptional(names("The only actions that a text may use; absent: all.")),
    relative_paths: z._default(flag("Whether actions may name paths relative to the root."), defaults.relative_paths),
    "fs-guard": z.prefault(z.pipe(guard, z.transform((rules) => guardRules(rules))), {}),
    edits: z.prefault(
      section("How files are edited.", {
        match: z._default(choice(["exact", "tolerant"], "How the text to be replaced is compared with the file. `exact`: only line endings may differ; `tolerant`: all formatting, where only one place fits."), defaults.edits.match),
        final_newline: z._default(choice(["as-is", "ensure"], "`ensure` ends each file that `file_write` writes with a newline."), defaults.edits.final_newline),
      }),
      {},
    ),
    exec: z.prefault(
      section("How commands run.", {
        sandbox: z._default(
          choice(["required", "auto", "off"], "Whether commands are kept in a sandbox. `required`: always; `auto`: where there is one; `off`: never. A project's file can only say `required`."),
          defaults.exec.sandbox,
        ),
        view: z._default(
          choice(["auto", "overlay", "clone", "copy"], "How a command gets the project to work on, apart from the files themselves. `auto`: the best that this machine can make."),
          defaults.exec.view,
        ),
        copy_limit: z._default(count("How many bytes a project may have for `copy`.", 2 ** 40), defaults.exec.copy_limit),
        network: z._default(flag("Whether commands in the sandbox reach the network."), defaults.exec.network),
        timeout: z._default(count("How long a command may take unless its block says otherwise, in milliseconds.", 86_400_000), defaults.exec.timeout),
        env: z._default(names("Variables of the environment that commands get. HOME and LANG they always have."), [...defaults.exec.env]),
        languages: z._default(
          z.array(choice(LANGUAGES, "A language."), "must be a list of languages").check(z.describe("The languages that commands may be written in.")),
          [...defaults.exec.languages],
        ),
      }),
      {},
    ),
    transaction: z._default(
      choice(["keep", "all-or-nothing"], "What a run of which something fails leaves: what succeeded, or nothing."),
      defaults.transaction,
    ),
    git: z.prefault(
      section("What a run leaves in the git repository that the project is in, where it is in one.", {
        commit: z._default(flag("Whether each run that changed something ends in a commit of just the files that it changed."), defaults.git.commit),
        push: z._default(flag("Whether each commit is pushed."), defaults.git.push),
        message: z._default(
          z.string("must be a text").check(z.regex(/^[^\0]*\S[^\0]*$/, "must not be empty"), z.describe("The commit's message; `{operation_summary}` stands for what the run did.")),
          defaults.git.message,
        ),
      }),
      {},
    ),
    hooks: z.exactOptional(hooksSchema),
    vars: z.exactOptional(varsSchema),
    history: z.prefault(
      section("What is kept to undo runs, for each project. What is beyond either is dropped, the oldest runs first; the last run always stays.", {
        max_age: z._default(count("How long runs can be undone, in days."), defaults.history.max_age),
        max_size: z._default(count("How much is kept, in bytes.", 2 ** 40), defaults.history.max_size),
      }),
      {},
    ),
    limits: z.prefault(
      section("What is too much.", {
        max_file_size: z._default(count("Largest file that is read or written, in bytes."), defaults.limits.max_file_size),
        max_input: z._default(count("Largest text that is run, in bytes."), defaults.limits.max_input),
        max_blocks: z._default(count("Most blocks of a text that is run."), defaults.limits.max_blocks),
        action_time: z._default(count("Longest that one action may take, in milliseconds. Commands have a limit of their own."), defaults.limits.action_time),
        action_memory: z._default(count("Most that one action may write, in bytes, and a whole run that keeps all of it in memory: a dry run, or one that is all or nothing.", 2 ** 40), defaults.limits.action_memory),
      }),
      {},
    ),
    csl: z.prefault(
      section("What CSL's markers begin and end with.", {
        start: z._default(delimiter("Before the marker's name, from the first column."), defaults.csl.start),
        end: z._default(delimiter("After its attributes."), defaults.csl.end),
      }),
      {},
    ),
    report: z.prefault(
      section("The report that is pasted into the chat.", {
        max_tokens: z._default(count("Longest report, in tokens, estimated from its length."), defaults.report.max_tokens),
      }),
      {},
    ),
    watch: z.prefault(
      section("What `loaf watch` works with. No action can write either file.", {
        input: z._default(ownFile("The file to paste answers into; results are put above them."), defaults.watch.input),
        output: z._default(ownFile("The file for the whole report of the last run."), defaults.watch.output),
        debounce: z._default(count("How long the input file has to rest after a save before it is read, in milliseconds.", 60_000, 0), defaults.watch.debounce),
        clipboard: z.prefault(
          section("What `loaf watch` does with the clipboard.", {
            read: z._default(flag("Whether to run what is copied: of two copies within 1.8 s that share an end marker, the shorter one."), defaults.watch.clipboard.read),
            write: z._default(flag("Whether to put each report on it."), defaults.watch.clipboard.write),
          }),
          {},
        ),
      }),
      {},
    ),
  },
  "must be a mapping of keys",
);

/** As written in a file: all keys are optional. */
export type Config = z.input<typeof configSchema>;

/** With defaults filled in and the guard's short form expanded. */
export type Settings = z.output<typeof configSchema>;

/** The schema of loaf.yml: keys, descriptions and defaults. Documentation and the JSON Schema are generated from it. */
import * as z from "zod/mini";
import { LANGUAGES } from "../core/command.ts";
import { problemWithMessage } from "./commit-message.ts";
import { defaults } from "./defaults.ts";
import {
  choiceField, count, delimiter, flag, names, ownFile, patterns, plainField, section, settings, timeout, withDefaults
} from "./fields.ts";
import { guardRules } from "./guard-rules.ts";

const hook = z.strictObject(
  {
    run: plainField("must be a command").check(
      z.regex(/\S/, "must be a command"),
      z.describe("The command, for the shell. `${NAME}` stands for a value, `\\$` for a plain `$`."),
    ),
    ...withDefaults({
      cwd: plainField("must be a folder").check(
        z.describe("Folder in which it runs, relative to the root. Default: the root."),
      ),
      timeout: timeout("Time limit in milliseconds. Default: 30000."),
      continueOnError: flag("Whether the next hook runs if this one fails. This one still counts as failed."),
    }),
  },
  "must be a mapping with the key run",
);

const hooks = (description: string) =>
  z.array(hook, "must be a list of hooks, such as [{run: npm test}]").check(z.describe(description));

const hooksSchema = z
  .strictObject(
    withDefaults({
      before: hooks("Before an answer is read. If one fails, nothing is run."),
      after: hooks(
        "After the actions, before the commit. If one fails, the run counts as failed and its changes stay.",
      ),
    }),
    "must be a mapping of keys, such as {after: [{run: npm test}]}",
  )
  .check(z.describe("Your own commands around a run. They run as you would run them, outside the sandbox."));

/** Names with a meaning to the shell or the system. Some shells ignore values for them from the environment. */
const RESERVED =
  /^(?:_|IFS|ENV|PATH|HOME|PWD|OLDPWD|SHELL|CDPATH|PS[0-9]|PPID|UID|EUID|GROUPS|LINENO|OPT(?:IND|ARG|ERR)|RANDOM|SECONDS|SHLVL|SHELLOPTS|POSIXLY_CORRECT|BASH.*|FUNC.*|LD_.*|DYLD_.*|NODE_OPTIONS|COMSPEC|PATHEXT|SYSTEMROOT)$/i;
const NAME = "must have a name of letters, digits and _ that the shell and the system do not use themselves";

const varsSchema = z
  .record(
    z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, NAME), z.refine((name) => !RESERVED.test(name), NAME)),
    plainField("must be text: put it in quotes"),
    "must be a mapping of names to texts",
  )
  .check(z.describe("Names for `${NAME}` in hooks. Their values are in the hooks' environment, too."));

const check = z.strictObject(
  {
    run: plainField("must be a command").check(
      z.regex(/\S/, "must be a command"),
      z.describe("The command, for bash, in the root."),
    ),
    ...withDefaults({
      on: plainField("must be a path pattern").check(
        z.minLength(1, "must not be empty"),
        z.describe(
          "It runs if a changed file matches this pattern, such as `src/**` or `*.{ts,tsx}`. Default: any file.",
        ),
      ),
      timeout: timeout("Time limit in milliseconds. Default: `exec.timeout`."),
    }),
  },
  "must be a mapping with the key run",
);

const checksSchema = z
  .array(check, "must be a list of checks, such as [{run: npm test, on: src/**}]")
  .check(
    z.describe(
      "Your own commands after the actions, in the sandbox. What they change is discarded; their output is in the report. If one fails, the run does not.",
    ),
  );

export type Check = z.output<typeof check>;
export type Hook = z.output<typeof hook>;
export type Hooks = z.output<typeof hooksSchema>;

const access = (verb: string) =>
  section(`Which paths actions may ${verb}.`, {
    allow: patterns("Allowed paths. Default: all below the root. An empty list allows nothing."),
    deny: patterns("Refused paths, in addition to those refused by default."),
  });

const guard = section("Which paths actions may touch. Patterns use `*`, `?` and `**`; `./` is the root.", {
  read: access("read"),
  write: access("change"),
  allowed: patterns("Short for `allow` under read and write, if these have none of their own."),
  denied: patterns("Short for `deny` under read and write."),
  hard_links: choiceField(
    ["report", "deny"],
    "What to do with a file that has several names (hard links), one of which may be refused. `report` (default): read it, with a warning; `deny`: refuse it.",
  ),
});

export const configSchema = z.strictObject(
  withDefaults(
    {
      version: z.literal(1, "must be 1").check(z.describe("Version of this file's format.")),
      "allowed-actions": names("The only actions that a text may use. Default: all."),
      relative_paths: flag("Whether actions may name paths relative to the root."),
      "fs-guard": z.prefault(z.pipe(guard, z.transform((rules) => guardRules(rules))), {}),
      edits: settings("How files are edited.", defaults.edits, {
        match: choiceField(
          ["exact", "tolerant"],
          "How the text to be replaced is compared with the file. `exact`: only line endings may differ; `tolerant`: formatting may differ, if only one place matches.",
        ),
        final_newline: choiceField(["as-is", "ensure"], "`ensure`: `file_write` ends each file with a newline."),
      }),
      exec: settings("How commands run.", defaults.exec, {
        sandbox: choiceField(
          ["required", "auto", "off"],
          "Whether commands run in a sandbox. `required`: always; `auto`: if available; `off`: never. A project's file can only set `required`.",
        ),
        view: choiceField(
          ["auto", "overlay", "clone", "copy"],
          "How a command gets its own view of the project. `auto`: the best that this machine supports.",
        ),
        copy_limit: count("Maximum size of a project for `copy`, in bytes.", 2 ** 40),
        network: flag("Whether commands in the sandbox can use the network."),
        timeout: count("Time limit of a command whose block sets none, in milliseconds.", 86_400_000),
        env: names("Environment variables passed to commands. HOME and LANG always are."),
        languages: z
          .array(choiceField(LANGUAGES, "A language."), "must be a list of languages")
          .check(z.describe("The languages that commands may be written in.")),
      }),
      transaction: choiceField(
        ["keep", "all-or-nothing"],
        "What to keep of a run in which something fails: what succeeded, or nothing.",
      ),
      git: settings("What a run does in the project's git repository, if it has one.", defaults.git, {
        commit: flag("Whether each run that changed something ends in a commit of only the files that it changed."),
        push: flag("Whether each commit is pushed."),
        hooks: flag(
          "Whether the repository's git hooks run in Loaf's commits and pushes. They may run the project's code, and so what an answer has just written.",
        ),
        message: z
          .string("must be text")
          .check(
            z.regex(/^[^\0]*\S[^\0]*$/, "must not be empty"),
            z.refine((text) => problemWithMessage(text) === undefined, {
              error: ({ input }) => problemWithMessage(String(input)) ?? "",
            }),
            z.describe(
              "The commit's message. `{operation_summary}` stands for what the run did; `{success}`, `{executedActions}`, `{totalBlocks}`, `{modifiedFiles}`, `{operations}`, `{errors}` and `{errorCount}` for what hooks get.",
            ),
          ),
      }),
      hooks: hooksSchema,
      vars: varsSchema,
      checks: checksSchema,
      history: settings(
        "How much is kept to undo runs, for each project. Beyond either limit the oldest runs are dropped, but never the last run.",
        defaults.history,
        {
          max_age: count("How long runs can be undone, in days."),
          max_size: count("Maximum size, in bytes.", 2 ** 40),
        },
      ),
      limits: settings("Limits of a run.", defaults.limits, {
        max_file_size: count("Largest file that is read or written, in bytes."),
        max_input: count("Largest text that is run, in bytes."),
        max_blocks: count("Maximum number of blocks in a text that is run."),
        action_time: count("Time limit of one action, in milliseconds. Commands have their own."),
        action_memory: count(
          "Maximum bytes that one action may write. Also the limit for all changes of a run that keeps them in memory: a dry run, or one that is all or nothing.",
          2 ** 40,
        ),
      }),
      syntaxes: names(
        "The syntaxes in which answers are run. Those of `whole-file` and `lazy` that are not named are shown and asked about.",
      ),
      csl: settings("Delimiters of CSL's markers.", defaults.csl, {
        start: delimiter("Before the marker's name, in the first column."),
        end: delimiter("After its attributes."),
      }),
      report: settings("The report to paste into the chat.", defaults.report, {
        max_tokens: count("Longest report, in tokens, estimated from its length."),
        on_miss: choiceField(
          ["excerpt", "file"],
          "What it shows of a file of more than 40 lines in which an edit failed. `excerpt`: the closest places, with 15 lines before and after; `file`: all of it.",
        ),
      }),
      mcp: settings("Settings of `loaf mcp`.", defaults.mcp, {
        commit: choiceField(
          ["session", "call"],
          "When the changes of tool calls are committed, if `git.commit` is true. `session`: in one commit at the end, or after 60 s without a call; `call`: each call in its own.",
        ),
      }),
      watch: settings("Settings of `loaf watch`. No action can write either file.", defaults.watch, {
        input: ownFile("The file to paste answers into; results are inserted above them."),
        output: ownFile("The file for the whole report of the last run."),
        debounce: count("Time without changes after a save before the input file is read, in milliseconds.", 60_000, 0),
        clipboard: settings("How `loaf watch` uses the clipboard.", defaults.watch.clipboard, {
          read: choiceField(
            ["off", "ask", "twice"],
            "Which copied answers to run. `off`: none; `ask`: each one that did not run before, after it was shown and you agreed at the terminal; `twice`: of two different copies within 1.8 s that share a block, the shorter one.",
          ),
          write: flag("Whether to copy each report."),
        }),
      }),
    },
    defaults,
  ),
  "must be a mapping of keys",
);

/** As written in a file: all keys are optional. */
export type Config = z.input<typeof configSchema>;

/** With defaults filled in and the guard's short form expanded. */
export type Settings = z.output<typeof configSchema>;

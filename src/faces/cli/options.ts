/** The options of the commands as data. Their help, their completions and the types of their values are made from it. */
import { FORMATS, TAUGHT_FORMATS } from "../../syntaxes/index.ts";
import { HOSTS } from "../mcp/hosts.ts";
import type { OptionSpec, OptionsOf } from "./command-spec.ts";

/** Returns options with the types of their literals. */
const options = <const Specs extends readonly OptionSpec[]>(...specs: Specs): Specs => specs;

export const ROOT = options([
  "--root <dir>",
  "the project's root; by default the nearest parent folder with loaf.yml or .git",
]);
export type RootOption = OptionsOf<typeof ROOT>;

export const JSON_ROOT = options(["--json", "print only JSON"], ...ROOT);
export type CommandOptions = OptionsOf<typeof JSON_ROOT>;

const FORMAT = options(["--format <syntax>", "the syntax to read, if the text leaves it open", FORMATS]);
const MAKES_NO_COMMIT = options(["--no-git", "make no commit"]);
const YES = options([
  "-y, --yes",
  "answer yes to all questions of this run, except whether to trust loaf.yml or to apply an edit again",
]);
const RUNS_LESS = options(
  ["--no-exec", "run no commands from the answer"],
  ["--no-hooks", "run none of the hooks and checks in loaf.yml"],
);
const COPIES = options(["--copy", "put it on the clipboard; a terminal does not show it then"]);

const PRINTS_CONTEXT = options(
  ["--git", "add the commits and the diff of this branch, against its upstream or main"],
  ["--max-tokens <number>", "the budget; by default report.max_tokens. Shows outlines of files that do not fit"],
  [
    "--split <tokens>",
    "all of it, in numbered parts of at most this many tokens; with --copy, Enter copies the next one",
  ],
  ...COPIES,
);
export const PICK_CONTEXT = options(...PRINTS_CONTEXT, ...ROOT);
export const SHOW_CONTEXT = options(
  ...PRINTS_CONTEXT,
  ["--changed", "only what has changed since it was last shown"],
  ...ROOT,
);
export type ShowOptions = OptionsOf<typeof SHOW_CONTEXT>;

export const SHOW_GRAPH = options(["--mermaid", "as a Mermaid diagram"], ...JSON_ROOT);
export type GraphOptions = OptionsOf<typeof SHOW_GRAPH>;

export const SHOW_COMPONENT = options(["--max-tokens <number>", "leave out what does not fit"], ...COPIES, ...ROOT);
export type ComponentOptions = OptionsOf<typeof SHOW_COMPONENT>;

export const RUN = options(
  ["--paste", "run the answer on the clipboard; asks before it runs the same answer again"],
  ["-n, --dry-run", "change nothing: print what each block would do and the diff of all changes"],
  ["--ask", "show each action and its changes, and ask before it runs"],
  ...YES,
  ["--again", "also apply edits that an earlier run applied and that are not undone, and run a pasted answer again"],
  ...RUNS_LESS,
  ...MAKES_NO_COMMIT,
  ["--copy", "put the full report on the clipboard"],
  ["--context", "append the changes in the context set since it was last shown"],
  ["--report", "at a terminal, print the report for the chat instead of the list"],
  ["--json", "print only JSON; a dry run includes the diff"],
  ["--stream", "run each block as soon as it is complete, before the text ends"],
  ...FORMAT,
  [
    "--sandbox <use>",
    "whether commands run in a sandbox: always, if available, or never; by default as in your own settings",
    ["required", "auto", "off"],
  ],
  ...ROOT,
);
export type RunFlags = OptionsOf<typeof RUN>;

export const PASTE = options(
  ...YES,
  ["--again", "also run an answer that ran before, and edits that an earlier run applied"],
  ...RUNS_LESS,
  ...MAKES_NO_COMMIT,
  ...FORMAT,
  ...ROOT,
);

export const REVIEW = options(
  ["--paste", "show the answer on the clipboard first"],
  ["--no-open", "print the page's address instead of opening a browser"],
  ...RUNS_LESS,
  ...MAKES_NO_COMMIT,
  ...ROOT,
);
export type ReviewOptions = OptionsOf<typeof REVIEW>;

export const WATCH = options(
  ["--again", "run the file's text at the start, even if it ran before"],
  ["--ask", "show each action and its changes, and ask before it runs"],
  ["-y, --yes", "answer yes to all questions, except whether to trust loaf.yml or to run a copied answer"],
  ...RUNS_LESS,
  ["--no-git", "make no commits"],
  ["--copy", "put each report on the clipboard"],
  ...ROOT,
);
export type WatchOptions = OptionsOf<typeof WATCH>;

export const SERVE = options(
  ["--read-only", "offer only tools that change nothing"],
  ["--tools <set>", "which tools: read, edit, all, or names separated by commas", undefined, "all"],
  ["--transaction", "keep nothing of a call in which something fails"],
  ["--install <host>", "print the configuration of a host, instead of serving", Object.keys(HOSTS)],
  ["--write", "with --install: change the host's configuration, and show the difference"],
  ["--http [port]", "serve on a port of this machine instead, for hosts that cannot start a program; prints the token"],
  ...ROOT,
);
export type ServeOptions = OptionsOf<typeof SERVE>;

export const PARSE = options(["--json", "print only JSON"], ...FORMAT, ...ROOT);
export type ParseOptions = OptionsOf<typeof PARSE>;

export const OUTLINE = options(["--levels <number>", "maximum depth; 1 shows only the top level"], ...JSON_ROOT);
export type OutlineOptions = OptionsOf<typeof OUTLINE>;

export const INIT = options(["-y, --yes", "ask nothing: take the defaults"], ...ROOT);
export type InitOptions = OptionsOf<typeof INIT>;

export const UNDO = options(
  ["--last <n>", "undo the last N runs instead; asked at a terminal"],
  ["-y, --yes", "ask nothing"],
  ...JSON_ROOT,
);
export type UndoFlags = OptionsOf<typeof UNDO>;

export const INSTRUCTIONS = options(
  ["--syntax <syntax>", "the syntax to teach", TAUGHT_FORMATS, "nesl"],
  ["--short", "as short as a model can work with; NESL only"],
  ["--plain", "a few lines for a chat that should answer in its own way"],
  ["--tree", "add the project's files except ignored ones; in a large project only counts of the deeper ones"],
  ["--copy", "put them on the clipboard; a terminal does not show them then"],
  ...ROOT,
);
export type InstructionsOptions = Partial<OptionsOf<typeof INSTRUCTIONS>>;

export const SQUASH = options(
  ["--auto", "those of Loaf's runs; the default"],
  ["--ai-messages", "those whose message begins with AI:"],
  ["--containing <text>", "those whose message contains a text"],
  ["--hours <hours>", "those of the last hours"],
  ["--days <days>", "those of the last days"],
  ["--limit <number>", "maximum number of commits"],
  ["--message <text>", "the message; by default made from the changed files"],
  ["-n, --dry-run", "list the commits without folding them"],
  ["--push", "include pushed commits and push the result, unless somebody else has pushed meanwhile"],
  ...JSON_ROOT,
);
export type SquashFlags = OptionsOf<typeof SQUASH>;

export const ALLOW = options(["--remove", "ask again about a command or a file from now on"], ...ROOT);
export type AllowOptions = OptionsOf<typeof ALLOW>;

/** The commands as data: what each takes and does. The program, its help, completions and the manual are made from it. */
import type { Command } from "commander";
import { FORMATS, TAUGHT_FORMATS } from "../../syntaxes/index.ts";
import { allCommands, type CommandSpec, type OptionSpec } from "./command-spec.ts";
import { HOSTS } from "../mcp/hosts.ts";
import { UsageError } from "./usage-error.ts";

const ROOT: OptionSpec = [
  "--root <dir>",
  "the project's root; by default the nearest parent folder with loaf.yml or .git",
];
const JSON_ROOT: readonly OptionSpec[] = [["--json", "print only JSON"], ROOT];
const FORMAT: OptionSpec = ["--format <syntax>", "the syntax to read, if the text leaves it open", FORMATS];
const MAKES_NO_COMMIT: OptionSpec = ["--no-git", "make no commit"];
const YES = "answer yes to all questions of this run, except whether to trust loaf.yml or to apply an edit again";
const RUNS_LESS: readonly OptionSpec[] = [
  ["--no-exec", "run no commands from the answer"],
  ["--no-hooks", "run none of the hooks and checks in loaf.yml"],
];
const COPY = "--copy";
const COPIES: OptionSpec = [COPY, "put it on the clipboard; a terminal does not show it then"];
const MAX_TOKENS = "--max-tokens <number>";
const PRINTS_CONTEXT: readonly OptionSpec[] = [
  ["--git", "add the commits and the diff of this branch, against its upstream or main"],
  [MAX_TOKENS, "the budget; by default report.max_tokens. Shows outlines of files that do not fit"],
  [
    "--split <tokens>",
    "all of it, in numbered parts of at most this many tokens; with --copy, Enter copies the next one",
  ],
  COPIES,
];

const loadContext = async () => import("./context.ts");
const loadHistory = async () => import("./history.ts");
const loadXd5 = async () => import("./xd5.ts");

/** Of the context set. */
const contextCommands: readonly CommandSpec[] = [
  {
    name: "add",
    takes: "[path...]",
    does: "Adds files, folders, globs or addresses. Without PATH, chooses them at the terminal.",
    options: [ROOT],
    examples: ["loaf context add src 'docs/**/*.md'", "loaf context add"],
    act: async (paths, options) =>
      paths.length > 0
        ? (await loadContext()).addToContext(paths, options)
        : (await loadContext()).pickForContext(options, { shows: false }),
  },
  {
    name: "pick",
    does: "Chooses the files of the set in a tree at the terminal, then prints them. Keys: arrows, space ticks, / filters, Enter takes, Esc changes nothing.",
    options: [...PRINTS_CONTEXT, ROOT],
    examples: ["loaf context pick --copy"],
    act: async (options) => (await loadContext()).pickForContext(options, { shows: true }),
  },
  {
    name: "remove",
    takes: "<path...>",
    does: "Removes them, as they were added.",
    options: [ROOT],
    examples: ["loaf context remove src"],
    act: async (paths, options) => (await loadContext()).removeFromContext(paths, options),
  },
  {
    name: "list",
    isDefault: true,
    does: "Lists the set, with sizes and estimated tokens.",
    options: JSON_ROOT,
    examples: ["loaf context list"],
    act: async (options, { args: [unknown] }: Command) => {
      if (unknown === undefined) return (await loadContext()).listContext(options);
      throw new UsageError(`Unknown command '${unknown}': loaf context --help lists all`);
    },
  },
  {
    name: "prune",
    does: "Removes paths that no longer exist, or that no action has named since they were added.",
    options: [ROOT],
    examples: ["loaf context prune"],
    act: async (options) => (await loadContext()).pruneContext(options),
  },
  {
    name: "clear",
    does: "Removes all paths.",
    options: [ROOT],
    examples: ["loaf context clear"],
    act: async (options) => (await loadContext()).clearContext(options),
  },
  {
    name: "show",
    does: "Prints the files of the set for the chat, within a token budget.",
    options: [...PRINTS_CONTEXT, ["--changed", "only what has changed since it was last shown"], ROOT],
    examples: [
      "loaf context show --copy",
      "loaf context show --git --split 8000 --copy",
      "loaf context show --changed --max-tokens 5000",
    ],
    act: async (options) => (await loadContext()).showContext(options),
  },
];

const xd5Commands: readonly CommandSpec[] = [
  {
    name: "graph",
    does: "Shows which component depends on which.",
    options: [["--mermaid", "as a Mermaid diagram"], ...JSON_ROOT],
    examples: ["loaf xd5 graph", "loaf xd5 graph --mermaid"],
    act: async (options) => (await loadXd5()).showGraph(options),
  },
  {
    name: "context",
    takes: "<component>",
    does: "Prints everything needed to work on a component, for the chat.",
    options: [[MAX_TOKENS, "leave out what does not fit"], COPIES, ROOT],
    examples: ["loaf xd5 context comp/parser --copy", "loaf xd5 context comp/parser --max-tokens 5000"],
    act: async (component, options) => (await loadXd5()).showComponent(component, options),
  },
  {
    name: "check",
    does: "Compares documents and sources. Exit code 1 if they disagree.",
    options: JSON_ROOT,
    examples: ["loaf xd5 check"],
    act: async (options) => (await loadXd5()).checkComponents(options),
  },
];

const commands: readonly CommandSpec[] = [
  {
    name: "run",
    takes: "[file]",
    summary: "run the blocks in a file or standard input",
    does: "Runs the blocks in FILE, or in standard input if FILE is - or absent, and prints the report.",
    options: [
      ["--paste", "run the answer on the clipboard; asks before it runs the same answer again"],
      ["-n, --dry-run", "change nothing: print what each block would do and the diff of all changes"],
      ["--ask", "show each action and its changes, and ask before it runs"],
      ["-y, --yes", YES],
      [
        "--again",
        "also apply edits that an earlier run applied and that are not undone, and run a pasted answer again",
      ],
      ...RUNS_LESS,
      MAKES_NO_COMMIT,
      [COPY, "put the full report on the clipboard"],
      ["--context", "append the changes in the context set since it was last shown"],
      ["--report", "at a terminal, print the report for the chat instead of the list"],
      ["--json", "print only JSON; a dry run includes the diff"],
      ["--stream", "run each block as soon as it is complete, before the text ends"],
      FORMAT,
      [
        "--sandbox <use>",
        "whether commands run in a sandbox: always, if available, or never; by default as in your own settings",
        ["required", "auto", "off"],
      ],
      ROOT,
    ],
    examples: ["loaf run answer.md", "loaf run --paste --copy", "loaf run --copy < answer.md"],
    note: "Exit code: 0 all succeeded, 1 something failed, 2 it could not run, 3 the text has nothing to run.",
    act: async (file, options) => (await import("./run.ts")).run(file, options),
  },
  {
    name: "paste",
    summary: "run the answer on the clipboard, and copy the report",
    does: "Shows each block of the answer on the clipboard with its changes, asks before it runs, and puts the report on the clipboard, for the chat. Short for: loaf run --paste --ask --copy",
    options: [
      ["-y, --yes", YES],
      ["--again", "also run an answer that ran before, and edits that an earlier run applied"],
      ...RUNS_LESS,
      MAKES_NO_COMMIT,
      FORMAT,
      ROOT,
    ],
    examples: ["loaf paste"],
    note: "Exit code: as for loaf run.",
    act: async (options) =>
      (await import("./run.ts")).run(undefined, { ...options, paste: true, ask: true, copy: true }),
  },
  {
    name: "review",
    takes: "[file]",
    summary: "see, choose and run answers on a page in your browser",
    does: "Opens a page that stays open beside the chat: it shows the answer in FILE, or each answer that you copy or paste, with every change. Leave out what you do not want, comment on lines, run the rest, and paste the report into the chat. The page is served by this command alone, for this machine.",
    options: [
      ["--paste", "show the answer on the clipboard first"],
      ["--no-open", "print the page's address instead of opening a browser"],
      ...RUNS_LESS,
      MAKES_NO_COMMIT,
      ROOT,
    ],
    examples: ["loaf review", "loaf review answer.md", "loaf review --paste"],
    note: "Ends with the page's tab, or with Ctrl-C. Exit code: 0, or 2 if it could not start.",
    act: async (file, options) => (await import("./review.ts")).review(file, options),
  },
  {
    name: "watch",
    summary: "run what is saved into the input file",
    does: "Watches the input file (loaf-input.md, or watch.input of loaf.yml): save a model's answer into it, and the results appear above it. Blocks that already ran do not run again. With watch.clipboard.read: ask in your settings, it also offers to run each answer that you copy.",
    options: [
      ["--again", "run the file's text at the start, even if it ran before"],
      ["--ask", "show each action and its changes, and ask before it runs"],
      ["-y, --yes", "answer yes to all questions, except whether to trust loaf.yml or to run a copied answer"],
      ...RUNS_LESS,
      ["--no-git", "make no commits"],
      [COPY, "put each report on the clipboard"],
      ROOT,
    ],
    examples: ["loaf watch", "loaf watch --ask", "loaf watch --copy"],
    note: "Keys: r runs the text again, u undoes the last run, c copies the last report, p opens the review page, h lists all keys, q quits. Exit code: 0, or 2 if it could not start.",
    act: async (options, _, createProgram) => (await import("./watch.ts")).watch(options, createProgram),
  },
  {
    name: "mcp",
    summary: "serve the actions as tools to an agent",
    does: "Serves the actions as tools of the Model Context Protocol, on standard input and output, until the host ends it. Each call that changes something is a run: loaf log lists it, loaf undo takes it back.",
    options: [
      ["--read-only", "offer only tools that change nothing"],
      ["--tools <set>", "which tools: read, edit, all, or names separated by commas", undefined, "all"],
      ["--transaction", "keep nothing of a call in which something fails"],
      ["--install <host>", "print the configuration of a host, instead of serving", Object.keys(HOSTS)],
      ["--write", "with --install: change the host's configuration, and show the difference"],
      ["--http [port]", "serve on a port of this machine instead, for hosts that cannot start a program; prints the token"],
      ROOT,
    ],
    examples: ["loaf mcp --install claude --write", "loaf mcp --read-only", "loaf mcp --tools file_read,grep"],
    note: "Exit code: 0, or 2 if it could not start.",
    act: async (options) => (await import("./mcp.ts")).mcp(options),
  },
  {
    name: "parse",
    takes: "[file]",
    summary: "show the blocks and errors in a text without running it",
    does: "Shows the blocks in FILE, or in standard input if FILE is - or absent, and their errors.",
    options: [...JSON_ROOT.slice(0, 1), FORMAT, ROOT],
    examples: ["loaf parse answer.md", "loaf parse --json < answer.md"],
    act: async (file, options) => (await import("./parse.ts")).parseAnswer(file, options),
  },
  {
    name: "outline",
    takes: "<file>",
    summary: "show the addresses of a file's parts",
    does: "Shows the parts of FILE that have an address: sections, classes, functions and keys, with their lines. FILE may itself end in an address: app.ts@@Server.",
    options: [["--levels <number>", "maximum depth; 1 shows only the top level"], ...JSON_ROOT],
    examples: ["loaf outline src/app.ts", "loaf outline --levels 1 README.md"],
    act: async (file, options) => (await import("./outline.ts")).outline(file, options),
  },
  {
    name: "init",
    summary: "prepare a project",
    does: "Writes loaf.yml, the instructions for the model, and a file to paste answers into. Keeps files that exist. At a terminal, asks three things first; Enter takes the default.",
    options: [["-y, --yes", "ask nothing: take the defaults"], ROOT],
    examples: ["cd my-project && loaf init", "loaf init --yes"],
    act: async (options) => (await import("./init.ts")).init(options),
  },
  {
    name: "undo",
    takes: "[run]",
    summary: "undo the last run, or another one",
    does: "Undoes the last run that is not undone, or RUN alone, a number from loaf log. Keeps your later edits and those of later runs: a file in which they touch the run's lines is named and left alone. Needs no git.",
    options: [
      ["--last <n>", "undo the last N runs instead; asked at a terminal"],
      ["-y, --yes", "ask nothing"],
      ...JSON_ROOT,
    ],
    examples: ["loaf undo", "loaf undo 12", "loaf undo --last 3"],
    note: "Exit code: 0 everything is undone, 1 something stayed or there was nothing to undo, 2 it could not be done.",
    act: async (run, options) => (await loadHistory()).undo(run, options),
  },
  {
    name: "redo",
    takes: "[run]",
    summary: "redo the run that was undone last, or another one",
    does: "Redoes the run that was undone last, unless a newer run has changed anything, or RUN, a number from loaf log.",
    options: JSON_ROOT,
    examples: ["loaf redo", "loaf redo 12"],
    note: "Exit code: as for loaf undo.",
    act: async (run, options) => (await loadHistory()).redo(run, options),
  },
  {
    name: "log",
    summary: "list the runs that changed something",
    does: "Lists the runs that changed something, newest first: number, time, commit, lines added and removed, summary, whether it was undone, and the first words of the answer.",
    options: JSON_ROOT,
    examples: ["loaf log"],
    act: async (options) => (await loadHistory()).log(options),
  },
  {
    name: "diff",
    takes: "[run]",
    summary: "show what a run changed",
    does: "Shows the changes of the last run as a diff, or those of RUN, a number from loaf log.",
    options: JSON_ROOT,
    examples: ["loaf diff", "loaf diff 12"],
    act: async (number, options) => (await loadHistory()).diff(number, options),
  },
  {
    name: "recover",
    summary: "finish an interrupted run",
    does: "Finishes or rolls back an interrupted run. Every run, undo and redo starts with this.",
    options: JSON_ROOT,
    examples: ["loaf recover"],
    note: "Exit code: 0 nothing is unfinished, 1 files modified since stay as they are, 2 it could not be done.",
    act: async (options) => (await loadHistory()).recover(options),
  },
  {
    name: "instructions",
    summary: "print the instructions that teach a model to write blocks",
    does: "Prints the instructions for the model, for this project and the actions it allows: paste them into the chat first.",
    options: [
      ["--syntax <syntax>", "the syntax to teach", TAUGHT_FORMATS, "nesl"],
      ["--short", "as short as a model can work with; NESL only"],
      ["--plain", "a few lines for a chat that should answer in its own way"],
      ["--tree", "add the project's files except ignored ones; in a large project only counts of the deeper ones"],
      [COPY, "put them on the clipboard; a terminal does not show them then"],
      ROOT,
    ],
    examples: ["loaf instructions --copy", "loaf instructions --plain", "loaf instructions --syntax csl"],
    act: async (options) => (await import("./instructions.ts")).printInstructions(options),
  },
  {
    name: "squash",
    summary: "fold Loaf's last commits into one",
    does: "Folds the matching commits at HEAD, up to the first that does not match, into one with the same files. Needs at least two. Changed and staged files stay as they are. On a terminal, asks before it folds your own commits.",
    options: [
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
    ],
    examples: ["loaf squash", "loaf squash --ai-messages --days 1 --message 'feat: search'"],
    note: "Exit code: 0 it is done, 2 nothing was changed.",
    act: async (options) => (await import("./squash.ts")).squash(options),
  },
  {
    name: "back",
    summary: "check out the commit before this one",
    does: "Checks out the commit before HEAD. Sets changed and untracked files aside until you return with loaf forward. Leaves ignored files alone. On a terminal, asks before it goes back past your own commit.",
    options: JSON_ROOT,
    examples: ["loaf back"],
    note: "Exit code: 0 done, 1 files set aside here are in conflict, 2 nothing was changed.",
    act: async (options) => (await import("./step.ts")).back(options),
  },
  {
    name: "forward",
    summary: "check out the commit after this one",
    does: "Checks out the next commit of the branch where loaf back was first used. At its last commit, puts HEAD back on the branch and restores the files set aside there.",
    options: JSON_ROOT,
    examples: ["loaf forward"],
    note: "Exit code: as for loaf back.",
    act: async (options) => (await import("./step.ts")).forward(options),
  },
  {
    name: "context",
    summary: "keep files in view, and print them for the chat",
    does: "Manages the set of files, folders, globs and addresses kept in view for a project.",
    examples: [
      "loaf context add src 'docs/**/*.md' src/app.ts@@Server",
      "loaf context show --copy",
      "loaf context list",
    ],
    below: contextCommands,
  },
  {
    name: "xd5",
    summary: "work with components documented in the XD5 format",
    does: "For projects in which each component's folder has a doc/API.md with its dependencies and exports.",
    examples: ["loaf xd5 check", "loaf xd5 context comp/parser --copy", "loaf xd5 graph --mermaid"],
    below: xd5Commands,
  },
  {
    name: "config",
    summary: "show the settings that apply here and their sources",
    does: "Shows every setting, its value here, and the file that gave it.",
    options: JSON_ROOT,
    examples: ["loaf config"],
    act: async (options) => (await import("./config.ts")).showConfig(options),
  },
  {
    name: "trust",
    summary: "let the project's loaf.yml allow more than the defaults",
    does: "Shows what the project's loaf.yml may allow beyond the defaults, and what has changed in it since it was trusted; asks at a terminal; then trusts it as it is now. Once it changes, it must be trusted again.",
    options: [ROOT],
    examples: ["loaf trust"],
    act: async (options) => (await import("./trust.ts")).trustProject(options),
  },
  {
    name: "allow",
    takes: "[command...]",
    summary: "let a command in a CSL RUN block run in this project without asking",
    does: "Allows COMMAND with exactly these arguments from now on. Without COMMAND, lists the allowed ones, and the files whose writing you have allowed at a question.",
    options: [["--remove", "ask again about a command or a file from now on"], ROOT],
    examples: ["loaf allow 'npm test'", "loaf allow --remove 'npm test'", "loaf allow"],
    act: async (words, options) => (await import("./allow.ts")).allow(words, options),
  },
  {
    name: "doctor",
    summary: "show what works here, and how to fix the rest",
    does: "Checks this machine and project. Exit code 1 if something must be fixed.",
    options: [ROOT],
    examples: ["loaf doctor"],
    act: async (options) => (await import("./doctor.ts")).doctor(options),
  },
  {
    name: "completion",
    takes: "<shell>",
    choices: ["bash", "zsh", "fish"],
    summary: "print shell completion for loaf",
    does: "Prints a script that completes commands, options and files, for the start-up file of a shell.",
    examples: [
      "loaf completion bash > ~/.local/share/bash-completion/completions/loaf",
      'eval "$(loaf completion zsh)"',
      "loaf completion fish | source",
    ],
    act: async (shell) => (await import("./completion.ts")).printCompletion(shell, allCommands(loaf)),
  },
  {
    name: "demo",
    summary: "try loaf on a small project in a temporary folder",
    does: "Copies an example project into a new temporary folder and runs a model's answer on it.",
    examples: ["loaf demo"],
    act: async () => (await import("./demo.ts")).demo(),
  },
];

export const loaf: CommandSpec = {
  name: "loaf",
  does: "Runs the action blocks in a language model's answer in your project, and reports back.",
  options: [["-v, --version", "print the version"]],
  examples: ["loaf run answer.md", "loaf run --dry-run answer.md", "loaf init"],
  note: "Without a command, loaf says what to do next in this folder.",
  below: commands,
};

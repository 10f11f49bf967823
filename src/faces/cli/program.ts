/**
 * Declares all commands and their options. Loads the code of a command only when it is called, so that `loaf --help` is
 * fast.
 */
import { Argument, Command, Option } from "commander";
import { FORMATS } from "../../syntaxes/format.ts";
import { addGitCommands } from "./program-git.ts";
import { complain, print, terminalWidth } from "./output.ts";

declare const LOAF_VERSION: string;

export function createProgram(): Command {
  const program = new Command("loaf")
    .description("Runs the action blocks in a language model's answer in your project, and reports back.")
    .version(LOAF_VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: print,
      outputError: (text) => complain(asSentence(text)),
      // By default, commander inspects the streams itself.
      getOutHelpWidth: () => terminalWidth() ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText("after", example("loaf init", "loaf run answer.md", "loaf run --dry-run answer.md"))
    .hook("preAction", async (_program, command) => (await import("./leftovers.ts")).removeLeftoversIn(command.opts()));
  addCommands(program);
  return program;
}

function addCommands(program: Command): void {
  const root = ["--root <dir>", "the project's root, else the nearest folder upwards with loaf.yml or .git"] as const;
  const format = () => new Option("--format <syntax>", "the syntax to read, where the text does not tell").choices(FORMATS);
  const json = ["--json", "print JSON and nothing else"] as const;

  program
    .command("run [file]")
    .summary("run the blocks in a file or standard input")
    .description("Runs the blocks in FILE, or in standard input where FILE is - or absent, and prints the report.")
    .option("-n, --dry-run", "change nothing: print what each block would do and the diff of all changes")
    .option("--ask", "show each action and its changes, and ask before it runs")
    .option("-y, --yes", "answer yes to all that is asked, for this run only, but never to whether loaf.yml is trusted or an edit is applied again")
    .option("--again", "also apply edits that an earlier run applied and nobody has undone")
    .option("--no-exec", "run no commands of the answer")
    .option("--no-hooks", "run none of the hooks in loaf.yml")
    .option("--no-git", "make no commit")
    .option("--copy", "put the full report on the clipboard")
    .option("--context", "append what changed in the context set since it was last shown")
    .option("--json", "print JSON and nothing else; of a dry run with the diff in it")
    .option("--stream", "run each block as soon as it has arrived, before the text has ended")
    .addOption(format())
    .addOption(new Option("--sandbox <use>", "whether commands are kept in a sandbox: always, where there is one, or never; else as your own settings say").choices(["required", "auto", "off"]))
    .option(...root)
    .addHelpText("after", `${example("loaf run answer.md", "loaf run --copy < answer.md")}\n\nExit code: 0 all succeeded, 1 something failed, 2 it could not run, 3 nothing in the text was to be run.`)
    .action(async (file, options) => (await import("./run.ts")).run(file, options));

  program
    .command("watch")
    .summary("run what is saved into the input file")
    .description("Watches the input file (loaf-input.md, or watch.input of loaf.yml): save a model's answer into it, and the results are put above it. What ran before does not run again.")
    .option("--again", "run what is in the file at the start, even if it ran before")
    .option("--ask", "show each action and its changes, and ask before it runs")
    .option("-y, --yes", "answer yes to all that is asked, but never to whether loaf.yml is trusted")
    .option("--no-exec", "run no commands of the answer")
    .option("--no-hooks", "run none of the hooks in loaf.yml")
    .option("--no-git", "make no commits")
    .option("--copy", "put each report on the clipboard")
    .option(...root)
    .addHelpText("after", `${example("loaf watch", "loaf watch --ask", "loaf watch --copy")}\n\nKeys: r runs the text again, u undoes the last run, c copies the last report, h tells of the rest, q quits. Exit code: 0, or 2 where it could not begin.`)
    .action(async (options) => (await import("./watch.ts")).watch(options, createProgram));

  program
    .command("parse [file]")
    .summary("show the blocks and errors found, run nothing")
    .description("Shows the blocks in FILE, or in standard input where FILE is - or absent, and what is wrong with them.")
    .option(...json)
    .addOption(format())
    .option(...root)
    .addHelpText("after", example("loaf parse answer.md", "loaf parse --json < answer.md"))
    .action(async (file, options) => (await import("./parse.ts")).parseAnswer(file, options));

  program
    .command("outline <file>")
    .summary("show the addresses of a file's parts")
    .description("Shows what in FILE has an address: sections, classes, functions, keys, with their kinds and lines. FILE may end in an address itself: app.ts@@Server.")
    .option("--levels <number>", "how deep to go; 1 shows what lies on top")
    .option(...json)
    .option(...root)
    .addHelpText("after", example("loaf outline src/app.ts", "loaf outline --levels 1 README.md"))
    .action(async (file, options) => (await import("./outline.ts")).outline(file, options));

  program
    .command("init")
    .summary("prepare a project")
    .description("Writes loaf.yml, the instructions for the model, and a file to paste answers into. What is there stays.")
    .option(...root)
    .addHelpText("after", example("cd my-project && loaf init"))
    .action(async (options) => (await import("./init.ts")).init(options));

  program
    .command("undo [n]")
    .summary("take back the last run, or the last N")
    .description("Takes back the last run that stands, or the last N. Keeps your edits since: a file where they touch the run's lines stays as it is, and is named. Needs no git.")
    .option(...json).option(...root)
    .addHelpText("after", `${example("loaf undo", "loaf undo 3")}\n\nExit code: 0 all of it is back, 1 something stayed or there was nothing to undo, 2 it could not be done.`)
    .action(async (count, options) => (await import("./undo.ts")).undo(count, options));

  program
    .command("redo")
    .summary("bring back the run that was undone last")
    .description("Brings back the run that was undone last, as long as no new run has changed anything.")
    .option(...json).option(...root)
    .addHelpText("after", `${example("loaf redo")}\n\nExit code: as of loaf undo.`)
    .action(async (options) => (await import("./redo.ts")).redo(options));

  program
    .command("log")
    .summary("list the runs that changed something")
    .description("Lists the runs that changed something, newest first: number, when, what, and whether it was undone.")
    .option(...json).option(...root)
    .addHelpText("after", example("loaf log"))
    .action(async (options) => (await import("./log.ts")).log(options));

  program
    .command("diff [run]")
    .summary("show what a run changed")
    .description("Shows what the last run changed, or the one with a number that loaf log tells, as a diff.")
    .option(...json).option(...root)
    .addHelpText("after", example("loaf diff", "loaf diff 12"))
    .action(async (number, options) => (await import("./diff.ts")).diff(number, options));

  program
    .command("recover")
    .summary("finish what an interrupted run has left")
    .description("Finishes, or takes back, what a run left when it was interrupted. Every run, undo and redo begins with this.")
    .option(...json)
    .option(...root)
    .addHelpText("after", `${example("loaf recover")}\n\nExit code: 0 nothing is unfinished, 1 something had been changed since and stays, 2 it could not be done.`)
    .action(async (options) => (await import("./recover.ts")).recover(options));

  program
    .command("instructions")
    .summary("print the text that teaches a model to write blocks")
    .description("Prints the instructions for the model, for this project and the actions it allows: paste them into the chat first.")
    .addOption(new Option("--syntax <syntax>", "the syntax to teach").choices(FORMATS).default("nesl"))
    .option("--short", "as few words as a model can do with; of NESL's only")
    .option("--tree", "with the project's files, but for ignored ones; of many directories only how much is in them")
    .option("--copy", "put them on the clipboard as well")
    .option(...root)
    .addHelpText("after", example("loaf instructions --copy", "loaf instructions --short --tree", "loaf instructions --syntax csl"))
    .action(async (options) => (await import("./instructions.ts")).printInstructions(options));

  addGitCommands(program, { root, json });
  addContextCommands(program.command("context"), { root, json });
  addXd5Commands(program.command("xd5"), { root, json });

  program
    .command("config")
    .summary("show the settings that hold here, and where each comes from")
    .description("Shows every setting, its value here, and the file that gave it.")
    .option(...json)
    .option(...root)
    .addHelpText("after", example("loaf config"))
    .action(async (options) => (await import("./config.ts")).showConfig(options));

  program
    .command("trust")
    .summary("let loaf.yml open more than the defaults do, and git run this project's hooks")
    .description("Shows and trusts the project's loaf.yml, and the files in the project that git runs or reads as configuration in Loaf's commits, as they are now. What changes has to be trusted again.")
    .option(...root)
    .addHelpText("after", example("loaf trust"))
    .action(async (options) => (await import("./trust.ts")).trustProject(options));

  program
    .command("allow [command...]")
    .summary("let a command of CSL's RUN run in this project without asking").description("Allows COMMAND, with just these arguments, from now on. Without one, lists the commands that are allowed.")
    .option("--remove", "ask again from now on").option(...root).addHelpText("after", example("loaf allow 'npm test'", "loaf allow --remove 'npm test'", "loaf allow"))
    .action(async (words, options) => (await import("./allow.ts")).allow(words, options));

  program
    .command("doctor")
    .summary("show what works here, and how to mend the rest")
    .description("Checks this machine and project. Exit code 1 when something needs mending.")
    .option(...root)
    .addHelpText("after", example("loaf doctor"))
    .action(async (options) => (await import("./doctor.ts")).doctor(options));

  program
    .command("completion")
    .summary("print what completes loaf's commands in a shell")
    .description("Prints what completes commands, options and files in a shell, to be read by its start-up file.")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", example("loaf completion bash > ~/.local/share/bash-completion/completions/loaf", 'eval "$(loaf completion zsh)"', "loaf completion fish | source"))
    .action(async (shell) => (await import("./completion/completion.ts")).printCompletion(shell, program));

  program
    .command("demo")
    .summary("see it work on a small project in a temporary folder")
    .description("Copies an example project into a fresh temporary folder, and runs a model's answer on it.")
    .addHelpText("after", example("loaf demo"))
    .action(async () => (await import("./demo.ts")).demo());
}

function addXd5Commands(xd5: Command, { root, json }: { readonly root: Shared; readonly json: Shared }): void {
  const load = async () => import("./xd5.ts");
  xd5
    .summary("work with components that are documented the XD5 way")
    .description("For projects in which each component's folder has a doc/API.md that says what it depends on and what it exports.")
    .addHelpText("after", example("loaf xd5 check", "loaf xd5 context comp/parser --copy", "loaf xd5 graph --mermaid"));
  xd5.command("graph").description("Shows which component depends on which.").option("--mermaid", "as a Mermaid diagram").option(...json).option(...root)
    .action(async (options) => (await load()).showGraph(options));
  xd5.command("context <component>").description("Prints everything needed to work on a component, for the chat.")
    .option("--max-tokens <number>", "leave out what does not fit")
    .option("--copy", "put it on the clipboard as well").option(...root)
    .action(async (component, options) => (await load()).showComponent(component, options));
  xd5.command("check").description("Compares documents and sources. Exit code 1 where they disagree.").option(...json).option(...root)
    .action(async (options) => (await load()).checkComponents(options));
}

type Shared = readonly [flags: string, description: string];

function addContextCommands(context: Command, { root, json }: { readonly root: Shared; readonly json: Shared }): void {
  const load = async () => import("./context.ts");
  context
    .summary("keep files in view, and print them for the chat")
    .description("The set of files, folders, globs and addresses that is kept in view for a project.")
    .addHelpText("after", example("loaf context add src 'docs/**/*.md' src/app.ts@@Server", "loaf context show --copy", "loaf context list"));
  context.command("add <path...>").description("Adds files, folders, globs or addresses.").option(...root)
    .action(async (paths, options) => (await load()).addToContext(paths, options));
  context.command("remove <path...>").description("Takes them out again, as they were added.").option(...root)
    .action(async (paths, options) => (await load()).removeFromContext(paths, options));
  context.command("list", { isDefault: true }).description("Lists the set, with sizes and estimated tokens.").option(...json).option(...root)
    .action(async (options) => (await load()).listContext(options));
  context.command("prune").description("Drops what is gone, and what no action has named since it was added.").option(...root)
    .action(async (options) => (await load()).pruneContext(options));
  context.command("clear").description("Drops everything.").option(...root)
    .action(async (options) => (await load()).clearContext(options));
  context.command("show").description("Prints the files of the set for the chat, within a token budget.")
    .option("--changed", "only what is not as it was last shown")
    .option("--max-tokens <number>", "the budget, else report.max_tokens")
    .option("--copy", "put it on the clipboard as well").option(...root)
    .addHelpText("after", example("loaf context show --copy", "loaf context show --changed --max-tokens 5000"))
    .action(async (options) => (await load()).showContext(options));
}

function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}

/** Turns commander's `error: unknown option '--jsn'` and its suggestion on the next line into one sentence. */
function asSentence(text: string): string {
  const sentence = text.replace(/^error: /, "").trim().split("\n").join(" ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/**
 * Declares all commands and their options. Loads the code of a command only when it is called, so that `loaf --help` is
 * fast.
 */
import { existsSync } from "node:fs";
import { Argument, Command, Option } from "commander";
import { counted } from "../../core/counted.ts";
import { FORMATS, TAUGHT_FORMATS } from "../../syntaxes/index.ts";
import { addContextCommands, addGitCommands, addXd5Commands } from "./command-groups.ts";
import { complain, printProse, terminalWidth } from "./output.ts";
import { example, JSON_OPTION, ROOT_OPTION } from "./shared-options.ts";

declare const LOAF_VERSION: string;

export function createProgram(): Command {
  const program = new Command("loaf")
    .description("Runs the action blocks in a language model's answer in your project, and reports back.")
    .version(LOAF_VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: printProse,
      outputError: (text) => complain(asSentence(text)),
      // By default, commander inspects the streams itself.
      getOutHelpWidth: () => terminalWidth() ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      "after",
      `${example("loaf run answer.md", "loaf run --dry-run answer.md", "loaf init")}\n\nWithout a command, loaf says what to do next in this folder.`,
    )
    .hook("preAction", async (_program, command) => (await import("./leftovers.ts")).removeLeftoversIn(command.opts()));
  addCommands(program);
  return program;
}

function addCommands(program: Command): void {
  const format = () =>
    new Option("--format <syntax>", "the syntax to read, if the text leaves it open").choices(FORMATS);

  program
    .command("run [file]")
    .summary("run the blocks in a file or standard input")
    .description("Runs the blocks in FILE, or in standard input if FILE is - or absent, and prints the report.")
    .option("--paste", "run the answer on the clipboard; asks before it runs the same answer again")
    .option("-n, --dry-run", "change nothing: print what each block would do and the diff of all changes")
    .option("--ask", "show each action and its changes, and ask before it runs")
    .option(
      "-y, --yes",
      "answer yes to all questions of this run, except whether to trust loaf.yml or to apply an edit again",
    )
    .option(
      "--again",
      "also apply edits that an earlier run applied and that are not undone, and run a pasted answer again",
    )
    .option("--no-exec", "run no commands from the answer")
    .option("--no-hooks", "run none of the hooks and checks in loaf.yml")
    .option("--no-git", "make no commit")
    .option("--copy", "put the full report on the clipboard")
    .option("--context", "append the changes in the context set since it was last shown")
    .option("--report", "at a terminal, print the report for the chat instead of the list")
    .option("--json", "print only JSON; a dry run includes the diff")
    .option("--stream", "run each block as soon as it is complete, before the text ends")
    .addOption(format())
    .addOption(
      new Option(
        "--sandbox <use>",
        "whether commands run in a sandbox: always, if available, or never; by default as in your own settings",
      ).choices(["required", "auto", "off"]),
    )
    .option(...ROOT_OPTION)
    .addHelpText(
      "after",
      `${example("loaf run answer.md", "loaf run --paste --copy", "loaf run --copy < answer.md")}\n\nExit code: 0 all succeeded, 1 something failed, 2 it could not run, 3 the text has nothing to run.`,
    )
    .action(async (file, options) => (await import("./run.ts")).run(file, options));

  program
    .command("paste")
    .summary("run the answer on the clipboard, and copy the report")
    .description(
      "Shows each block of the answer on the clipboard with its changes, asks before it runs, and puts the report on the clipboard, for the chat. Short for: loaf run --paste --ask --copy",
    )
    .option(
      "-y, --yes",
      "answer yes to all questions of this run, except whether to trust loaf.yml or to apply an edit again",
    )
    .option("--again", "also run an answer that ran before, and edits that an earlier run applied")
    .option("--no-exec", "run no commands from the answer")
    .option("--no-hooks", "run none of the hooks and checks in loaf.yml")
    .option("--no-git", "make no commit")
    .addOption(format())
    .option(...ROOT_OPTION)
    .addHelpText("after", `${example("loaf paste")}\n\nExit code: as for loaf run.`)
    .action(async (options) =>
      (await import("./run.ts")).run(undefined, { ...options, paste: true, ask: true, copy: true }),
    );

  program
    .command("watch")
    .summary("run what is saved into the input file")
    .description(
      "Watches the input file (loaf-input.md, or watch.input of loaf.yml): save a model's answer into it, and the results appear above it. Blocks that already ran do not run again. With watch.clipboard.read: ask in your settings, it also offers to run each answer that you copy.",
    )
    .option("--again", "run the file's text at the start, even if it ran before")
    .option("--ask", "show each action and its changes, and ask before it runs")
    .option("-y, --yes", "answer yes to all questions, except whether to trust loaf.yml or to run a copied answer")
    .option("--no-exec", "run no commands from the answer")
    .option("--no-hooks", "run none of the hooks and checks in loaf.yml")
    .option("--no-git", "make no commits")
    .option("--copy", "put each report on the clipboard")
    .option(...ROOT_OPTION)
    .addHelpText(
      "after",
      `${example("loaf watch", "loaf watch --ask", "loaf watch --copy")}\n\nKeys: r runs the text again, u undoes the last run, c copies the last report, h lists all keys, q quits. Exit code: 0, or 2 if it could not start.`,
    )
    .action(async (options) => (await import("./watch.ts")).watch(options, createProgram));

  program
    .command("parse [file]")
    .summary("show the blocks and errors in a text without running it")
    .description("Shows the blocks in FILE, or in standard input if FILE is - or absent, and their errors.")
    .option(...JSON_OPTION)
    .addOption(format())
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf parse answer.md", "loaf parse --json < answer.md"))
    .action(async (file, options) => (await import("./parse.ts")).parseAnswer(file, options));

  program
    .command("outline <file>")
    .summary("show the addresses of a file's parts")
    .description(
      "Shows the parts of FILE that have an address: sections, classes, functions and keys, with their lines. FILE may itself end in an address: app.ts@@Server.",
    )
    .option("--levels <number>", "maximum depth; 1 shows only the top level")
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf outline src/app.ts", "loaf outline --levels 1 README.md"))
    .action(async (file, options) => (await import("./outline.ts")).outline(file, options));

  program
    .command("init")
    .summary("prepare a project")
    .description(
      "Writes loaf.yml, the instructions for the model, and a file to paste answers into. Keeps files that exist. At a terminal, asks three things first; Enter takes the default.",
    )
    .option("-y, --yes", "ask nothing: take the defaults")
    .option(...ROOT_OPTION)
    .addHelpText("after", example("cd my-project && loaf init", "loaf init --yes"))
    .action(async (options) => (await import("./init.ts")).init(options));

  program
    .command("undo [run]")
    .summary("undo the last run, or another one")
    .description(
      "Undoes the last run that is not undone, or RUN alone, a number from loaf log. Keeps your later edits and those of later runs: a file in which they touch the run's lines is named and left alone. Needs no git.",
    )
    .option("--last <n>", "undo the last N runs instead; asked at a terminal")
    .option("-y, --yes", "ask nothing")
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText(
      "after",
      `${example("loaf undo", "loaf undo 12", "loaf undo --last 3")}\n\nExit code: 0 everything is undone, 1 something stayed or there was nothing to undo, 2 it could not be done.`,
    )
    .action(async (run, options) => (await import("./history.ts")).undo(run, options));

  program
    .command("redo [run]")
    .summary("redo the run that was undone last, or another one")
    .description(
      "Redoes the run that was undone last, unless a newer run has changed anything, or RUN, a number from loaf log.",
    )
    .option(...JSON_OPTION).option(...ROOT_OPTION)
    .addHelpText("after", `${example("loaf redo", "loaf redo 12")}\n\nExit code: as for loaf undo.`)
    .action(async (run, options) => (await import("./history.ts")).redo(run, options));

  program
    .command("log")
    .summary("list the runs that changed something")
    .description(
      "Lists the runs that changed something, newest first: number, time, commit, lines added and removed, summary, whether it was undone, and the first words of the answer.",
    )
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf log"))
    .action(async (options) => (await import("./history.ts")).log(options));

  program
    .command("diff [run]")
    .summary("show what a run changed")
    .description("Shows the changes of the last run as a diff, or those of RUN, a number from loaf log.")
    .option(...JSON_OPTION).option(...ROOT_OPTION)
    .addHelpText("after", example("loaf diff", "loaf diff 12"))
    .action(async (number, options) => (await import("./history.ts")).diff(number, options));

  program
    .command("recover")
    .summary("finish an interrupted run")
    .description("Finishes or rolls back an interrupted run. Every run, undo and redo starts with this.")
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText(
      "after",
      `${example("loaf recover")}\n\nExit code: 0 nothing is unfinished, 1 files modified since stay as they are, 2 it could not be done.`,
    )
    .action(async (options) => (await import("./history.ts")).recover(options));

  program
    .command("instructions")
    .summary("print the instructions that teach a model to write blocks")
    .description(
      "Prints the instructions for the model, for this project and the actions it allows: paste them into the chat first.",
    )
    .addOption(new Option("--syntax <syntax>", "the syntax to teach").choices(TAUGHT_FORMATS).default("nesl"))
    .option("--short", "as short as a model can work with; NESL only")
    .option("--plain", "a few lines for a chat that should answer in its own way")
    .option("--tree", "add the project's files except ignored ones; in a large project only counts of the deeper ones")
    .option("--copy", "put them on the clipboard; a terminal does not show them then")
    .option(...ROOT_OPTION)
    .addHelpText(
      "after",
      example("loaf instructions --copy", "loaf instructions --plain", "loaf instructions --syntax csl"),
    )
    .action(async (options) => (await import("./instructions.ts")).printInstructions(options));

  addGitCommands(program);
  addContextCommands(program.command("context"));
  addXd5Commands(program.command("xd5"));

  program
    .command("config")
    .summary("show the settings that apply here and their sources")
    .description("Shows every setting, its value here, and the file that gave it.")
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf config"))
    .action(async (options) => (await import("./config.ts")).showConfig(options));

  program
    .command("trust")
    .summary("let loaf.yml allow more than the defaults, and git run this project's hooks")
    .description(
      "Shows and trusts the project's loaf.yml, and the project's files that git runs or reads as configuration in Loaf's commits. A file that changes must be trusted again.",
    )
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf trust"))
    .action(async (options) => (await import("./trust.ts")).trustProject(options));

  program
    .command("allow [command...]")
    .summary("let a command in a CSL RUN block run in this project without asking")
    .description("Allows COMMAND with exactly these arguments from now on. Without COMMAND, lists the allowed ones.")
    .option("--remove", "ask again from now on")
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf allow 'npm test'", "loaf allow --remove 'npm test'", "loaf allow"))
    .action(async (words, options) => (await import("./allow.ts")).allow(words, options));

  program
    .command("doctor")
    .summary("show what works here, and how to fix the rest")
    .description("Checks this machine and project. Exit code 1 if something must be fixed.")
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf doctor"))
    .action(async (options) => (await import("./doctor.ts")).doctor(options));

  program
    .command("completion")
    .summary("print shell completion for loaf")
    .description("Prints a script that completes commands, options and files, for the start-up file of a shell.")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      example(
        "loaf completion bash > ~/.local/share/bash-completion/completions/loaf",
        'eval "$(loaf completion zsh)"',
        "loaf completion fish | source",
      ),
    )
    .action(async (shell) => (await import("./completion.ts")).printCompletion(shell, program));

  program
    .command("demo")
    .summary("try loaf on a small project in a temporary folder")
    .description("Copies an example project into a new temporary folder and runs a model's answer on it.")
    .addHelpText("after", example("loaf demo"))
    .action(async () => (await import("./demo.ts")).demo());

  program
    .command("help [command]", { hidden: true })
    .summary("print the help of a command")
    .action((name?: string) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command === undefined) program.error(`error: unknown command '${name}'`, { exitCode: 2 });
      command.outputHelp();
    });
}

/**
 * Turns commander's `error: unknown option '--jsn'` and its suggestion on the next line into one sentence, words
 * mistakes more plainly, and adds the next step.
 */
function asSentence(text: string): string {
  const sentence = text
    .replace(/^error: /, "")
    .replace(/^unknown command '(.*)'\s*$/s, (_, name: string) => unknownCommand(name))
    .replace(/^unknown option '(.*)'\s*$/s, (said, name: string) =>
      existsSync(name) ? `unknown option '${name}': to name this file, ./${name}` : said,
    )
    .replace(
      /^too many arguments for ('.*')\. Expected (\d+) arguments? but got (\d+)\.\s*$/s,
      (_, command: string, wanted: string, given: string) =>
        wanted === "0"
          ? `${command} takes no argument`
          : `${command} takes ${counted(Number(wanted), "argument")}, not ${given}: quote a name that contains spaces`,
    )
    .replace(
      /^command-argument value ('.*') is invalid for argument '(.*)'\. Allowed choices are (.*)\.\s*$/s,
      "the $2 cannot be $1: choose one of $3",
    )
    .trim()
    .split("\n")
    .join(" ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function unknownCommand(name: string): string {
  const next = existsSync(name) ? `to run the answer in this file, loaf run ${name}` : "loaf --help lists all";
  return `unknown command '${name}': ${next}`;
}


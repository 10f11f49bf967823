/** Every command with its options, in words. What a command does is loaded when it is called: `loaf --help` has to be quick. */
import { Command, Option } from "commander";
import { FORMATS } from "../syntax/format.ts";
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
      // Commander would look at the streams themselves.
      getOutHelpWidth: () => terminalWidth() ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText("after", example("loaf init", "loaf run answer.md", "loaf run --dry-run answer.md"));
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
    .option("--copy", "put the full report on the clipboard")
    .option("--json", "print JSON and nothing else; of a dry run with the diff in it")
    .addOption(format())
    .option(...root)
    .addHelpText("after", `${example("loaf run answer.md", "loaf run --copy < answer.md")}\n\nExit code: 0 all succeeded, 1 something failed, 2 it could not run.`)
    .action(async (file, options) => (await import("./run.ts")).run(file, options));

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
    .command("init")
    .summary("prepare a project")
    .description("Writes loaf.yml, the instructions for the model, and a file to paste answers into. What is there stays.")
    .option(...root)
    .addHelpText("after", example("cd my-project && loaf init"))
    .action(async (options) => (await import("./init.ts")).init(options));

  program
    .command("undo [n]")
    .summary("take back the last run, or the last N")
    .description("Takes back the last run that stands, or the last N. What was changed since a run stays as it is, and is named. Needs no git.")
    .option(...json)
    .option(...root)
    .addHelpText("after", `${example("loaf undo", "loaf undo 3")}\n\nExit code: 0 all of it is back, 1 something stayed or there was nothing to undo, 2 it could not be done.`)
    .action(async (count, options) => (await import("./undo.ts")).undo(count, options));

  program
    .command("redo")
    .summary("bring back the run that was undone last")
    .description("Brings back the run that was undone last, as long as no new run has changed anything.")
    .option(...json)
    .option(...root)
    .addHelpText("after", `${example("loaf redo")}\n\nExit code: as of loaf undo.`)
    .action(async (options) => (await import("./redo.ts")).redo(options));

  program
    .command("log")
    .summary("list the runs that changed something")
    .description("Lists the runs that changed something, newest first: number, when, what, and whether it was undone.")
    .option(...json)
    .option(...root)
    .addHelpText("after", example("loaf log"))
    .action(async (options) => (await import("./log.ts")).log(options));

  program
    .command("diff [run]")
    .summary("show what a run changed")
    .description("Shows what the last run changed, or the one with a number that loaf log tells, as a diff.")
    .option(...json)
    .option(...root)
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
    .option("--copy", "put them on the clipboard as well")
    .option(...root)
    .addHelpText("after", example("loaf instructions --copy", "loaf instructions --syntax csl"))
    .action(async (options) => (await import("./instructions.ts")).printInstructions(options));

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
    .summary("let this project's loaf.yml open more than the defaults do")
    .description("Trusts the project's loaf.yml as it is now. When it changes, it has to be trusted again.")
    .option(...root)
    .addHelpText("after", example("loaf trust"))
    .action(async (options) => (await import("./trust.ts")).trustProject(options));

  program
    .command("doctor")
    .summary("show what works here, and how to mend the rest")
    .description("Checks this machine and project. Exit code 1 when something needs mending.")
    .option(...root)
    .addHelpText("after", example("loaf doctor"))
    .action(async (options) => (await import("./doctor.ts")).doctor(options));

  program
    .command("demo")
    .summary("see it work on a small project in a temporary folder")
    .description("Copies an example project into a fresh temporary folder, and runs a model's answer on it.")
    .addHelpText("after", example("loaf demo"))
    .action(async () => (await import("./demo.ts")).demo());
}

function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}

/** Commander's `error: unknown option '--jsn'` and its suggestion on a line of its own, as one sentence. */
function asSentence(text: string): string {
  const sentence = text.replace(/^error: /, "").trim().split("\n").join(" ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

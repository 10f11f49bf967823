/** The command: makes the program that reads the command line from the table of commands, and runs it. */
import { existsSync } from "node:fs";
import { Argument, Command, Option } from "commander";
import { counted } from "../../core/counted.ts";
import { afterHelp, type CommandSpec, HELP, NUMBERS } from "./command-spec.ts";
import { loaf } from "./command-table.ts";
import { complain, printProse, terminalWidth } from "./output.ts";
import { explainEnd, UsageError } from "./usage-error.ts";

declare const LOAF_VERSION: string;

async function main(args: string[]): Promise<void> {
  const [command, ...words] = args;
  if (command === undefined) await (await import("./overview.ts")).showOverview();
  else if (command === "complete") (await import("./completion.ts")).printCandidates(words, loaf);
  else await createProgram().parseAsync(args, { from: "user" });
}

function createProgram(): Command {
  const { name, does, options: [version] = [], below = [] } = loaf;
  const program = new Command(name)
    .description(does)
    .version(LOAF_VERSION, ...(version as [string, string]))
    .helpOption(HELP[0], HELP[1])
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
    .addHelpText("after", `\n${afterHelp(loaf)}`)
    .hook("preAction", async (_program, command) => (await import("./project.ts")).removeLeftoversIn(command.opts()));
  for (const spec of below) addCommand(program, spec);
  program.command("help [command]", { hidden: true }).action((named?: string) => {
    const command = named === undefined ? program : program.commands.find((candidate) => candidate.name() === named);
    if (command === undefined) program.error(`error: unknown command '${named}'`, { exitCode: 2 });
    else command.outputHelp();
  });
  return program;
}

function addCommand(above: Command, spec: CommandSpec): void {
  const { name, takes, choices, summary = "", does, options = [], act, below = [], isDefault = false } = spec;
  const command = above
    .command(name, { isDefault })
    .summary(summary)
    .description(does)
    // Commander takes an unknown command for an argument of the default one.
    .allowExcessArguments(isDefault)
    .addHelpText("after", `\n${afterHelp(spec)}`);
  if (takes !== undefined)
    command.addArgument(typed(new Argument(takes), takes, `The ${/\w+/.exec(takes)?.[0]}`, choices));
  for (const [flags, text, values, byDefault] of options) {
    const option = new Option(flags, text);
    command.addOption(typed(option, flags, option.long ?? flags, values).default(byDefault));
  }
  if (act !== undefined) command.action((...given) => act.call(command, ...given, createProgram));
  for (const inner of below) addCommand(command, inner);
}

/** Lets an option or argument take only a number, or one of some words, as its usage says. */
function typed<Kind extends Argument | Option>(
  taking: Kind,
  usage: string,
  name: string,
  choices: readonly string[] | undefined,
): Kind {
  const [, type = ""] = /[<[](\w+)/.exec(usage) ?? [];
  if (choices !== undefined) taking.choices(choices);
  else if (NUMBERS.some((kind) => kind === type)) taking.argParser((text: string) => numberIn(text, name, type));
  return taking;
}

function numberIn(text: string, name: string, type: string): number {
  const mayBePart = type === "hours" || type === "days";
  if (!(mayBePart ? /^\d{1,6}(?:\.\d{1,6})?$/ : /^[1-9]\d{0,8}$/).test(text))
    throw new UsageError(`${name} must be a ${mayBePart ? "number" : "whole number of at least 1"}, not '${text}'`);
  return Number(text);
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

main(process.argv.slice(2)).catch(explainEnd);

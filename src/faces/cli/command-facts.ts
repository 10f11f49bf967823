/** The commands as data, read from the program itself: completions and the manual are made from it, so they cannot tell otherwise than the help. */
import type { Argument, Command, Option } from "commander";

export interface CommandFacts {
  /** From the program on: `["loaf", "context", "add"]`. */
  readonly path: readonly string[];
  readonly usage: string;
  readonly summary: string;
  readonly description: string;
  readonly options: readonly OptionFacts[];
  readonly arguments: readonly ArgumentFacts[];
  readonly commands: readonly CommandFacts[];
  /** What the help says after all that: examples and exit codes. */
  readonly after: string;
}

/** What a value can be: one of some words, a file's path, a folder's, or anything. */
export type Values = readonly string[] | "file" | "folder" | "any";

export interface OptionFacts {
  /** As the help writes it: `-n, --dry-run`. */
  readonly flags: string;
  /** `--dry-run`, `-n`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined where it takes none. */
  readonly values: Values | undefined;
}

export interface ArgumentFacts {
  readonly name: string;
  readonly values: Values;
  readonly isVariadic: boolean;
}

/** Of a command and those below it. */
export function factsOf(command: Command, above: readonly string[] = []): CommandFacts {
  const help = command.createHelp();
  const path = [...above, command.name()];
  return {
    path,
    usage: [...path, command.usage()].join(" "),
    summary: command.summary() || command.description(),
    description: command.description(),
    options: help.visibleOptions(command).map(optionFacts),
    arguments: command.registeredArguments.map(argumentFacts),
    // Commander's own `help` shows what --help does.
    commands: help.visibleCommands(command).filter((below) => below.name() !== "help").map((below) => factsOf(below, path)),
    after: helpAfter(command),
  };
}

function optionFacts(option: Option): OptionFacts {
  const { flags, long, short, description } = option;
  const names = [long, short].filter((name) => typeof name === "string");
  const placeholder = /[<[](\w+)/.exec(flags)?.[1];
  return { flags, names, description, values: placeholder === undefined ? undefined : valuesOf(placeholder, option.argChoices) };
}

function argumentFacts(argument: Argument): ArgumentFacts {
  return { name: argument.name(), values: valuesOf(argument.name(), argument.argChoices), isVariadic: argument.variadic };
}

function valuesOf(name: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return choices;
  if (name === "file" || name === "path") return "file";
  return name === "dir" || name === "component" ? "folder" : "any";
}

/** Commander prints it and does not hand it out. */
function helpAfter(command: Command): string {
  const { writeOut, ...others } = command.configureOutput();
  let printed = "";
  command.configureOutput({ ...others, writeOut: (text) => (printed += text) });
  try {
    command.outputHelp();
  } finally {
    command.configureOutput({ ...others, ...(writeOut && { writeOut }) });
  }
  return printed.slice(command.helpInformation().length).trim();
}

/** A command and all below it, the upper ones first. */
export function withAllBelow(facts: CommandFacts): CommandFacts[] {
  return [facts, ...facts.commands.flatMap(withAllBelow)];
}

/**
 * The commands as data, read from the program. Completions and the manual are generated from it, so they agree with the
 * help.
 */
import type { Argument, Command, Option } from "commander";

export interface CommandFacts {
  /** `["loaf", "context", "add"]` */
  readonly path: readonly string[];
  readonly usage: string;
  readonly summary: string;
  readonly description: string;
  readonly options: readonly OptionFacts[];
  readonly arguments: readonly ArgumentFacts[];
  readonly commands: readonly CommandFacts[];
  /** The end of the help: examples and exit codes. */
  readonly after: string;
}

/** The values of an option or argument: one of some words, the path of a file or folder, or anything. */
export type Values = readonly string[] | "file" | "folder" | "any";

export interface OptionFacts {
  /** As in the help: `-n, --dry-run`. */
  readonly flags: string;
  /** `--dry-run`, `-n`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for a flag. */
  readonly values: Values | undefined;
}

export interface ArgumentFacts {
  readonly name: string;
  readonly values: Values;
  readonly isVariadic: boolean;
}

/** Returns the facts of a command and its subcommands. */
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
    // Commander's own `help` command shows the same as --help.
    commands: help
      .visibleCommands(command)
      .filter((below) => below.name() !== "help")
      .map((below) => factsOf(below, path)),
    after: helpAfter(command),
  };
}

function optionFacts(option: Option): OptionFacts {
  const { flags, long, short, description } = option;
  const names = [long, short].filter((name) => typeof name === "string");
  const placeholder = /[<[](\w+)/.exec(flags)?.[1];
  return {
    flags,
    names,
    description,
    values: placeholder === undefined ? undefined : valuesOf(placeholder, option.argChoices),
  };
}

function argumentFacts(argument: Argument): ArgumentFacts {
  return {
    name: argument.name(),
    values: valuesOf(argument.name(), argument.argChoices),
    isVariadic: argument.variadic,
  };
}

function valuesOf(name: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return choices;
  if (name === "file" || name === "path") return "file";
  return name === "dir" || name === "component" ? "folder" : "any";
}

/** Captures the text, since commander only prints it. */
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

/** Returns a command and all its subcommands, parents first. */
export function withAllBelow(facts: CommandFacts): CommandFacts[] {
  return [facts, ...facts.commands.flatMap(withAllBelow)];
}

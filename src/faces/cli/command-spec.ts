/** What the table of commands holds, and what help, completions and the manual read of it. */
import type { Command } from "commander";

export interface CommandSpec {
  readonly name: string;
  /** `<path...>`, `[run]` */
  readonly takes?: string;
  /** Words that the argument must be one of. */
  readonly choices?: readonly string[];
  /** A line for the list of commands, if the description is longer. */
  readonly summary?: string;
  readonly does: string;
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** The last paragraph of the help. */
  readonly note?: string;
  /** See `command`. */
  readonly act?: Parameters<Command["action"]>[0];
  readonly below?: readonly CommandSpec[];
  /** Whether it runs where only the command above it is named. */
  readonly isDefault?: true;
}

/** A flag, or an option with a value: `--levels <number>`. */
export type OptionSpec = readonly [
  flags: string,
  does: string,
  choices?: readonly string[] | undefined,
  byDefault?: string,
];

/**
 * Returns a command whose code gets its argument, its options, the `Command`, and the function that makes the program,
 * with the types that their declarations say. It loads that code when it is called, so that `loaf --help` is fast.
 */
export function command<
  const Options extends readonly OptionSpec[] = readonly [],
  const Takes extends string = never,
  const Word extends string = never,
>(
  spec: Omit<CommandSpec, "takes" | "choices" | "options" | "act"> & {
    readonly takes?: Takes;
    readonly choices?: readonly Word[];
    readonly options?: Options;
    readonly act: (
      ...given: [
        ...([Takes] extends [never] ? [] : [argument: ArgumentOf<Takes, Word>]),
        options: OptionsOf<Options>,
        command: Command,
        createProgram: () => Command,
      ]
    ) => Promise<void>;
  },
): CommandSpec {
  return spec;
}

/** Values that are numbers, by the name of their kind in the usage. */
export const NUMBERS = ["number", "n", "tokens", "run", "hours", "days", "port"] as const;

/** @template Word the words that the value must be one of, if they are declared */
type ValueOf<Kind extends string, Word> = [Word] extends [never]
  ? Kind extends (typeof NUMBERS)[number]
    ? number
    : string
  : Word;

type ArgumentOf<Usage extends string, Word> = Usage extends `${string}...${string}`
  ? readonly string[]
  : Usage extends `<${infer Kind}>`
    ? ValueOf<Kind, Word>
    : ValueOf<Usage extends `[${infer Kind}]` ? Kind : never, Word> | undefined;

/** What a command gets of its options: `--max-tokens <number>` is `maxTokens`, and `--no-git` sets `git` to false. */
export type OptionsOf<Specs extends readonly OptionSpec[]> = {
  readonly [Spec in Exclude<Specs[number], WithDefault> as NameOf<Spec[0]>]?: OptionValue<Spec>;
} & {
  readonly [Spec in Extract<Specs[number], WithDefault> as NameOf<Spec[0]>]: OptionValue<Spec>;
};

type WithDefault = readonly [string, string, readonly string[] | undefined, string];

type NameOf<Flags extends string> = Flags extends `${string}--${infer Long}`
  ? InCamelCase<Long extends `no-${infer Name}` ? Name : Long extends `${infer Name} ${string}` ? Name : Long>
  : never;

type InCamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${InCamelCase<Capitalize<Tail>>}`
  : Name;

type OptionValue<
  Spec extends OptionSpec,
  Word = Spec[2] extends readonly (infer Choice)[] ? Choice : never,
> = Spec[0] extends `${string} <${infer Kind}>`
  ? ValueOf<Kind, Word>
  : Spec[0] extends `${string} [${infer Kind}]`
    ? ValueOf<Kind, Word> | true
    : boolean;

export const HELP: OptionSpec = ["-h, --help", "print this help"];

/** A command with the words that name it: `["loaf", "context", "add"]` */
export interface NamedCommand extends CommandSpec {
  readonly path: readonly string[];
}

/** Returns the program, its commands and theirs, parents first. */
export function allCommands(spec: CommandSpec, above: readonly string[] = []): NamedCommand[] {
  const path = [...above, spec.name];
  return [{ ...spec, path }, ...(spec.below ?? []).flatMap((command) => allCommands(command, path))];
}

/** Returns the end of a command's help. */
export function afterHelp({ examples, note }: CommandSpec): string {
  const lines = ["Example:", ...examples.map((line) => `  $ ${line}`)].join("\n");
  return note === undefined ? lines : `${lines}\n\n${note}`;
}

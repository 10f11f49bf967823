/** Completions for shells, printed from the table of commands. */
import { HELP, type NamedCommand, type OptionSpec } from "./command-spec.ts";
import { shellQuoted } from "../../programs/programs.ts";
import { print } from "./output.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `loaf completion` */
export function printCompletion(shell: keyof typeof SHELLS, all: readonly NamedCommand[]): void {
  print(SHELLS[shell](all));
}

/** One of some words, the path of a file or folder, or anything. Undefined for a flag, or no argument. */
type Values = readonly string[] | "file" | "folder" | "any" | undefined;

interface CompletedOption {
  /** `--dry-run`, `-n` */
  readonly names: readonly string[];
  readonly does: string;
  readonly values: Values;
}

function optionsOf({ options = [] }: NamedCommand): CompletedOption[] {
  return [...options, HELP].map(([flags, does, choices]: OptionSpec) => ({
    names: (flags.match(/(?<=^|, )-[\w-]+/g) ?? []).toReversed(),
    does,
    values: valuesOf(flags, choices),
  }));
}

function argumentOf({ takes = "", choices }: NamedCommand): Values {
  return valuesOf(takes, choices);
}

function valuesOf(usage: string, choices: readonly string[] | undefined): Values {
  const name = /[<[](\w+)/.exec(usage)?.[1];
  if (name === undefined || choices !== undefined) return choices;
  if (name === "file" || name === "path") return "file";
  return name === "dir" || name === "component" ? "folder" : "any";
}

/** Supports bash 3.2, the version on macOS. */
function bashCompletion(all: readonly NamedCommand[]): string {
  const below = all
    .filter(({ path }) => path.length > 1)
    .map(({ path }) => `"${path.slice(1, -1).join(" ")}>${path.at(-1)}"`);
  return `# Completion of loaf in bash: eval "$(loaf completion bash)", or save it where bash-completion looks.
_loaf() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at= word i
  # --format=csl is three words to bash.
  if [[ $cur == "=" ]]; then cur=; elif [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$at>$word" in
      ${below.join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at>$prev" in
${all.flatMap(valueCases).join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case "$at" in
${all
  .map(
    (facts) =>
      `      "${keyOf(facts)}") _loaf_words "${optionsOf(facts)
        .flatMap(({ names }) => names)
        .join(" ")}" ;;`,
  )
  .join("\n")}
    esac
    return
  fi
  case "$at" in
${all.map((facts) => `    "${keyOf(facts)}") ${complete(facts.below?.map(({ name }) => name) ?? argumentOf(facts))} ;;`).join("\n")}
  esac
}
_loaf_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_loaf_paths() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$cur"))
  compopt -o filenames 2>/dev/null
}
complete -F _loaf loaf
`;
}

function keyOf({ path }: NamedCommand): string {
  return path.slice(1).join(" ");
}

function valueCases(facts: NamedCommand): string[] {
  return optionsOf(facts).flatMap(({ names, values }) =>
    values === undefined
      ? []
      : [`    ${names.map((name) => `"${keyOf(facts)}>${name}"`).join("|")}) ${complete(values)}; return ;;`],
  );
}

function complete(values: Values): string {
  if (values === undefined || values === "any") return ":";
  if (values === "file") return "_loaf_paths -f";
  return values === "folder" ? "_loaf_paths -d" : `_loaf_words "${values.join(" ")}"`;
}

function fishCompletion(all: readonly NamedCommand[]): string {
  return `# Completion of loaf in fish: loaf completion fish | source, or save it as loaf.fish in ~/.config/fish/completions.
# The words so far, but for options.
function __loaf_words
  echo (string match -v -- '-*' loaf (commandline -opc)[2..-1])
end
complete -c loaf -f
${all
  .flatMap(linesOf)
  .map((line) => `complete -c loaf ${line}`)
  .join("\n")}
`;
}

function linesOf(command: NamedCommand): string[] {
  const { path, below = [] } = command;
  const words = path.join(" ");
  const [here, only] = [`-r '^${words}( |$)'`, `'${words}'`].map((words) =>
    quoted(`string match -q ${words} -- (__loaf_words)`),
  );
  const argument = argumentOf(command);
  return [
    ...below.map(({ name, summary, does }) => `-n ${only} -a ${name} -d ${quoted(summary ?? does)}`),
    ...optionsOf(command).map((option) => `-n ${below.length > 0 ? only : here} ${optionLine(option)}`),
    ...(argument === undefined || argument === "any" ? [] : [`-n ${here} ${fishValues(argument)}`]),
  ];
}

function optionLine({ names, does, values }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...(values === undefined ? [] : ["-r", fishValues(values)]), `-d ${quoted(does)}`].join(" ");
}

function fishValues(values: NonNullable<Values>): string {
  if (values === "any") return "-f";
  if (values === "file") return "-F";
  return values === "folder" ? "-f -a '(__fish_complete_directories)'" : `-f -a ${quoted(values.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function zshCompletion(all: readonly NamedCommand[]): string {
  return `#compdef loaf
# Completion of loaf in zsh: eval "$(loaf completion zsh)", or save it as _loaf in a folder of $fpath.
${all.map(functionOf).join("\n")}
if [ "$funcstack[1]" = "_loaf" ]; then _loaf "$@"; else compdef _loaf loaf; fi
`;
}

function functionOf(command: NamedCommand): string {
  const { path, takes = "", below } = command;
  const name = path.join("_");
  const lines = optionsOf(command).flatMap(specsOf);
  const argument = argumentOf(command);
  const given =
    argument && shellQuoted(`${takes.includes("...") ? "*" : ""}:${/\w+/.exec(takes)?.[0]}:${action(argument)}`);
  if (below === undefined)
    return `_${name}() {\n  ${["_arguments", ...lines, ...(given ? [given] : [])].join(" \\\n    ")}\n}`;
  const described = below
    .map((command) => `    ${shellQuoted(`${command.name}:${command.summary ?? command.does}`)}`)
    .join("\n");
  const cases = below.map((command) => `    ${command.name}) _${name}_${command.name} ;;`).join("\n");
  return `_${name}() {
  local state line
  local -a commands
  ${["_arguments -C", ...lines, "'1:command:->command'", "'*::argument:->argument'"].join(" \\\n    ")}
  if [ "$state" = command ]; then
    commands=(
${described}
    )
    _describe command commands
  elif [ "$state" = argument ]; then
    case "$line[1]" in
${cases}
    esac
  fi
}`;
}

function specsOf({ names, does, values }: CompletedOption): string[] {
  const text = does.replace(/[[\]:]/g, "\\$&");
  const others = names.length > 1 ? `(${names.join(" ")})` : "";
  return names.map((name) =>
    shellQuoted(`${others}${name}[${text}]${values === undefined ? "" : `:value:${action(values)}`}`),
  );
}

function action(values: NonNullable<Values>): string {
  if (values === "any") return " ";
  if (values === "file") return "_files";
  return values === "folder" ? "_files -/" : `(${values.join(" ")})`;
}

import type { Command } from "commander";
import { type CommandFacts, factsOf, type OptionFacts, type Values, withAllBelow } from "./command-facts.ts";
import { print } from "./output.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `loaf completion` */
export function printCompletion(shell: keyof typeof SHELLS, program: Command): void {
  print(SHELLS[shell](factsOf(program)));
}

/** Supports bash 3.2, the version on macOS. */
function bashCompletion(program: CommandFacts): string {
  const all = withAllBelow(program);
  const below = all
    .filter(({ path }) => path.length > 1)
    .map(({ path }) => `"${path.slice(1, -1).join(" ")}>${path.at(-1)}"`);
  return `# Completion of ${program.path[0]} in bash: eval "$(loaf completion bash)", or save it where bash-completion looks.
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
${all.map((facts) => `      "${keyOf(facts)}") _loaf_words "${facts.options.flatMap(({ names }) => names).join(" ")}" ;;`).join("\n")}
    esac
    return
  fi
  case "$at" in
${all.map((facts) => `    "${keyOf(facts)}") ${complete(argumentsOf(facts))} ;;`).join("\n")}
  esac
}
_loaf_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_loaf_paths() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$cur"))
  compopt -o filenames 2>/dev/null
}
complete -F _loaf ${program.path[0]}
`;
}

function keyOf({ path }: CommandFacts): string {
  return path.slice(1).join(" ");
}

function valueCases(facts: CommandFacts): string[] {
  return facts.options.flatMap(({ names, values }) =>
    values === undefined
      ? []
      : [`    ${names.map((name) => `"${keyOf(facts)}>${name}"`).join("|")}) ${complete(values)}; return ;;`],
  );
}

function argumentsOf({ commands, arguments: given }: CommandFacts): Values {
  if (commands.length > 0) return commands.map(({ path }) => path.at(-1) ?? "");
  return given[0]?.values ?? "any";
}

function complete(values: Values): string {
  if (values === "any") return ":";
  if (values === "file") return "_loaf_paths -f";
  return values === "folder" ? "_loaf_paths -d" : `_loaf_words "${values.join(" ")}"`;
}

function fishCompletion(program: CommandFacts): string {
  const [name = ""] = program.path;
  return `# Completion of ${name} in fish: loaf completion fish | source, or save it as loaf.fish in ~/.config/fish/completions.
# Whether the words so far, but for options, begin with these; with --only whether they are these.
function __loaf_at
  set -l only no
  if test "$argv[1]" = --only
    set only yes
    set -e argv[1]
  end
  set -l words (commandline -opc)
  set -e words[1]
  set -l path
  for word in $words
    string match -q -- '-*' $word; or set -a path $word
  end
  test $only = yes -a (count $path) -ne (count $argv); and return 1
  for i in (seq (count $argv))
    test "$path[$i]" = "$argv[$i]"; or return 1
  end
  return 0
end
complete -c ${name} -f
${withAllBelow(program).flatMap(linesOf).map((line) => `complete -c ${name} ${line}`).join("\n")}
`;
}

function linesOf(facts: CommandFacts): string[] {
  const path = facts.path.slice(1).join(" ");
  const here = quoted(`__loaf_at ${path}`.trim());
  const only = quoted(`__loaf_at --only ${path}`.trim());
  return [
    ...facts.commands.map((below) => `-n ${only} -a ${below.path.at(-1)} -d ${quoted(below.summary)}`),
    ...facts.options.map((option) => `-n ${facts.commands.length > 0 ? only : here} ${optionOf(option)}`),
    ...facts.arguments.filter(({ values }) => values !== "any").map(({ values }) => `-n ${here} ${valuesOf(values)}`),
  ];
}

function optionOf({ names, description, values }: OptionFacts): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...(values === undefined ? [] : ["-r", valuesOf(values)]), `-d ${quoted(description)}`].join(" ");
}

function valuesOf(values: Values): string {
  if (values === "any") return "-f";
  if (values === "file") return "-F";
  return values === "folder" ? "-f -a '(__fish_complete_directories)'" : `-f -a ${quoted(values.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function zshCompletion(program: CommandFacts): string {
  return `#compdef ${program.path[0]}
# Completion of ${program.path[0]} in zsh: eval "$(loaf completion zsh)", or save it as _loaf in a folder of $fpath.
${withAllBelow(program).map(functionOf).join("\n")}
if [ "$funcstack[1]" = "_loaf" ]; then _loaf "$@"; else compdef _loaf ${program.path[0]}; fi
`;
}

function functionOf(facts: CommandFacts): string {
  const { commands, options } = facts;
  const lines = options.flatMap(specsOf);
  if (commands.length === 0)
    return `${nameOf(facts)}() {\n  ${["_arguments", ...lines, ...facts.arguments.map(argumentSpec)].join(" \\\n    ")}\n}`;
  const described = commands.map(({ path, summary }) => `    ${zshQuoted(`${path.at(-1)}:${summary}`)}`).join("\n");
  const cases = commands.map((below) => `    ${below.path.at(-1)}) ${nameOf(below)} ;;`).join("\n");
  return `${nameOf(facts)}() {
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

function nameOf({ path }: CommandFacts): string {
  return `_${path.join("_")}`;
}

function specsOf({ names, description, values }: OptionFacts): string[] {
  const text = description.replace(/[[\]:]/g, "\\$&");
  const others = names.length > 1 ? `(${names.join(" ")})` : "";
  return names.map((name) =>
    zshQuoted(`${others}${name}[${text}]${values === undefined ? "" : `:value:${action(values)}`}`),
  );
}

function argumentSpec({ name, values, isVariadic }: CommandFacts["arguments"][number]): string {
  return zshQuoted(`${isVariadic ? "*" : ""}:${name}:${action(values)}`);
}

function action(values: Values): string {
  if (values === "any") return " ";
  if (values === "file") return "_files";
  return values === "folder" ? "_files -/" : `(${values.join(" ")})`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

import { type CommandFacts, type OptionFacts, type Values, withAllBelow } from "../command-facts.ts";

export function zshCompletion(program: CommandFacts): string {
  return `#compdef ${program.path[0]}
# Completion of ${program.path[0]} in zsh: eval "$(loaf completion zsh)", or save it as _loaf in a folder of $fpath.
${withAllBelow(program).map(functionOf).join("\n")}
if [ "$funcstack[1]" = "_loaf" ]; then _loaf "$@"; else compdef _loaf ${program.path[0]}; fi
`;
}

function functionOf(facts: CommandFacts): string {
  const { commands, options } = facts;
  const lines = options.flatMap(specsOf);
  if (commands.length === 0) return `${nameOf(facts)}() {\n  ${["_arguments", ...lines, ...facts.arguments.map(argumentSpec)].join(" \\\n    ")}\n}`;
  const described = commands.map(({ path, summary }) => `    ${quoted(`${path.at(-1)}:${summary}`)}`).join("\n");
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
  return names.map((name) => quoted(`${others}${name}[${text}]${values === undefined ? "" : `:value:${action(values)}`}`));
}

function argumentSpec({ name, values, isVariadic }: CommandFacts["arguments"][number]): string {
  return quoted(`${isVariadic ? "*" : ""}:${name}:${action(values)}`);
}

function action(values: Values): string {
  if (values === "any") return " ";
  if (values === "file") return "_files";
  return values === "folder" ? "_files -/" : `(${values.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

import { type CommandFacts, type OptionFacts, type Values, withAllBelow } from "../command-facts.ts";

export function fishCompletion(program: CommandFacts): string {
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

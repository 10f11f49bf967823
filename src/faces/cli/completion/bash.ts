import { type CommandFacts, type Values, withAllBelow } from "../command-facts.ts";

/** Supports bash 3.2, the version on macOS. */
export function bashCompletion(program: CommandFacts): string {
  const all = withAllBelow(program);
  const below = all.filter(({ path }) => path.length > 1).map(({ path }) => `"${path.slice(1, -1).join(" ")}>${path.at(-1)}"`);
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
  return facts.options.flatMap(({ names, values }) => (values === undefined ? [] : [`    ${names.map((name) => `"${keyOf(facts)}>${name}"`).join("|")}) ${complete(values)}; return ;;`]));
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

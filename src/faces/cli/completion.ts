/** Completions: a script for each shell, which asks Loaf at each Tab what can stand there. */
import { type CommandSpec, HELP, type OptionSpec } from "./command-spec.ts";
import { print } from "./output.ts";

/** `loaf completion` */
export function printCompletion(shell: keyof typeof SCRIPTS): void {
  print(SCRIPTS[shell]);
}

/** They start only the `loaf` on PATH: a project may have another one. That of bash works in 3.2, the version on macOS. */
const SCRIPTS = {
  bash: `# Completion of loaf in bash: eval "$(loaf completion bash)", or save it where bash-completion looks.
_loaf() {
  local IFS=$'\\n' cur=\${COMP_WORDS[COMP_CWORD]} answer
  answer=$(loaf complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $cur == "=" ]]; then cur=; fi
  case $answer in
    :files) COMPREPLY=($(compgen -f -- "$cur")) ;;
    :folders) COMPREPLY=($(compgen -d -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$(cut -f1 <<< "$answer")" -- "$cur")); return ;;
  esac
  compopt -o filenames 2>/dev/null
}
complete -F _loaf loaf
`,
  zsh: `#compdef loaf
# Completion of loaf in zsh: eval "$(loaf completion zsh)", or save it as _loaf in a folder of $fpath.
_loaf() {
  local -a answer
  answer=("\${(@f)$(loaf complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n $answer[1] ]] || return 1
  case $answer[1] in
    :files) compset -P '*='; _files ;;
    :folders) compset -P '*='; _files -/ ;;
    *) answer=("\${(@)\${(@)answer//:/\\\\:}/$'\\t'/:}"); _describe loaf answer ;;
  esac
}
if [ "$funcstack[1]" = "_loaf" ]; then _loaf "$@"; else compdef _loaf loaf; fi
`,
  fish: `# Completion of loaf in fish: loaf completion fish | source, or save it as loaf.fish in ~/.config/fish/completions.
function __loaf_complete
  set -l answer (loaf complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  set -l flag (string match -r '^--[^=]+=' -- (commandline -ct))
  set -l value (string replace -r '^--[^=]+=' '' -- (commandline -ct))
  switch "$answer[1]"
    case :files
      string replace -r '^' "$flag" -- (__fish_complete_path $value)
    case :folders
      string replace -r '^' "$flag" -- (__fish_complete_directories $value)
    case '*'
      printf '%s\\n' $answer
  end
end
complete -c loaf -f -a '(__loaf_complete)'
`,
};

/**
 * Prints what can stand in place of the last word of a command line: lines with a word, a tab and what it does, or
 * `:files` or `:folders`.
 */
export function printCandidates(line: readonly string[], program: CommandSpec): void {
  // To bash, `--format=csl` is three words, to the others one.
  const before = line.slice(0, -1).filter((word) => word !== "=");
  const current = line.at(-1) ?? "";
  const [attached = "", flag = before.at(-1)] = /^(--[^=]+)=/.exec(current) ?? [];
  const taking = optionsWithValues(program);
  const words = before.filter((_, index) => !taking.includes(before[index - 1] ?? ""));
  const command = words.reduce((spec, word) => spec.below?.find(({ name }) => name === word) ?? spec, program);
  const options = [...(command.options ?? []), HELP];
  const [usage = "", , choices] = options.find((option) => namesOf(option).includes(flag ?? "")) ?? [];
  const candidates = takesValue(usage)
    ? valuesOf(usage, choices, attached)
    : current.startsWith("-")
      ? options.flatMap((option) => namesOf(option).map((name) => `${name}\t${option[1]}`))
      : (command.below?.map(({ name, summary, does }) => `${name}\t${summary ?? does}`) ??
        valuesOf(command.takes ?? "", command.choices));
  if (candidates.length > 0) print(candidates.join("\n"));
}

/** Returns the names of all options that a value follows. */
function optionsWithValues({ options = [], below = [] }: CommandSpec): readonly string[] {
  return [...options.filter(([usage]) => takesValue(usage)).flatMap(namesOf), ...below.flatMap(optionsWithValues)];
}

/** `--dry-run`, `-n` */
function namesOf([flags]: OptionSpec): string[] {
  return (flags.match(/(?<=^|, )-[\w-]+/g) ?? []).toReversed();
}

function takesValue(usage: string): boolean {
  return /[<[]/.test(usage);
}

function valuesOf(usage: string, choices: readonly string[] | undefined, attached = ""): readonly string[] {
  const [, kind = ""] = /[<[](\w+)/.exec(usage) ?? [];
  if (choices !== undefined) return choices.map((word) => attached + word);
  if (kind === "file" || kind === "path") return [":files"];
  return kind === "dir" || kind === "component" ? [":folders"] : [];
}

import { FORMATS } from "../syntaxes/index.ts";
import { defaults, initSettings } from "./defaults.ts";

/** What `loaf init` asks. */
export interface InitChoices {
  /** Whether runs are committed. */
  readonly commit: boolean;
  /** Whether edits may differ from the file in formatting. */
  readonly tolerant: boolean;
  /** Whether `loaf watch` offers to run copied answers, and copies reports. */
  readonly clipboard: boolean;
}

/**
 * The answers of somebody who presses Enter, and where nobody is asked. What is left at its default stays a comment in
 * loaf.yml: `git.commit: true` would ask everybody who has it off for trust. No clipboard, because overwriting it
 * cannot be undone.
 */
export const initDefaults: InitChoices = {
  commit: defaults.git.commit,
  tolerant: initSettings.edits.match === "tolerant",
  clipboard: false,
};

/**
 * Returns the loaf.yml that `loaf init` writes. Prose begins with `# `. In a disabled setting, `#` is followed directly
 * by the key or its indentation, so that removing the `#` enables it. A test removes all of them and finds every key.
 */
export function starterText({ commit, tolerant, clipboard }: InitChoices): string {
  return `# yaml-language-server: $schema=https://unpkg.com/loaf-cli@0/docs/loaf.schema.json
# Loaf's settings for this project. All are optional.
version: 1

# Actions may name paths relative to this folder.
relative_paths: ${initSettings.relative_paths}

edits:
  # The text to be replaced may differ from the file in formatting (white space at line ends, indentation as a whole,
  # typographic quotes), if only one place matches. With exact, only line endings may differ.
  match: ${tolerant ? "tolerant" : "exact"}
  # file_write ends each file with a newline.
  final_newline: ${initSettings.edits.final_newline}

# The only actions that an answer may use. Default: all.
#allowed-actions: [file_read, files_read, file_write, file_replace_text]

# Which paths actions may touch. \`*\` and \`?\` stand for characters, \`**\` for folders, \`./\` is this folder.
# Secrets such as .env and private keys are refused by default; deny adds to that. This file and .git are never changed.
#fs-guard:
#  read: {allow: ["./**"], deny: ["private/**"]}
#  write: {allow: ["./**"], deny: ["docs/**"]}
# Or for both reading and writing:
#  allowed: ["./**"]
#  denied: ["private/**"]
# Refuses files with several names (hard links), because another name may be refused.
#  hard_links: deny

# Commands run in a sandbox on a view of this project. When a command ends, its changes are applied where actions may write.
# It can read nothing else of yours, has no network and 30 seconds.
# Only your own ~/.config/loaf/config.yml can set sandbox to auto or off.
#exec:
#  sandbox: required
# How a command gets its view of the project (auto, overlay, clone, copy), and the maximum bytes of a copy.
#  view: auto
#  copy_limit: 524288000
#  network: true
#  timeout: 120000
#  env: [PATH, CI]
#  languages: [bash, python, javascript, ruby]

# If something in a run fails, undo all of it. Default: keep what succeeded.
#transaction: all-or-nothing

# In a git repository each run that changed something ends in a commit of only the files that it changed.
${commit ? "#git:\n#  commit: true" : "git:\n  commit: false"}
#  push: false
# Whether git hooks run in these commits. They run outside the sandbox and may run what the answer has just written.
#  hooks: false
#  message: "AI: {operation_summary}"
# Your own commands, before and after a run. They run outside the sandbox with your permissions, and so does everything they start: tests and
# formatters run the code that the answer has just written. \${NAME} is one of vars or, after the run, success, executedActions, totalBlocks,
# modifiedFiles, operations, errors or errorCount. Values reach a command only as environment variables.
#hooks:
#  before: [{run: "npm test", cwd: ".", timeout: 30000, continueOnError: false}]
#  after: [{run: "npm run format"}]
#vars: {COMMIT_MSG: "AI-assisted changes"}

# Your own commands after the actions, if a changed file matches \`on\`. They run in the sandbox, and what they change is discarded. Their output is in
# the report; if one fails, the run does not. loaf run --no-hooks leaves them out too.
#checks: [{run: "npm test -- --silent", on: "src/**", timeout: 120000}]

# How long runs can be undone, in days, and the maximum bytes kept for that.
#history:
#  max_age: 30
#  max_size: 1073741824

# Sizes in bytes.
#limits:
#  max_file_size: 10485760
#  max_input: 67108864
#  max_blocks: 10000
#  action_time: 5000
#  action_memory: 1073741824

# The syntaxes in which answers are run. Whole files in code fences, and files with placeholders (lazy), are asked about unless named here.
#syntaxes: [${FORMATS.join(", ")}]

# Delimiters of the markers of CSL, an older syntax.
#csl:
#  start: "<---"
#  end: "--->"

# Maximum length of the report to paste into the chat, in estimated tokens.
#report:
#  max_tokens: 20000
#  on_miss: excerpt

# When loaf mcp commits what an agent's calls changed. session: in one commit at the end, or after 60 s without a call; call: each call in its own.
#mcp: {commit: session}

# The files of loaf watch: paste answers into input, find reports in output. Input is read once it has not changed for debounce milliseconds.
# clipboard.read runs copied answers. ask: shows each one and asks; twice: of two copies within 1.8 s that share a block, runs the shorter one. write copies each report.
${clipboard ? "" : "#"}watch:
#  input: loaf-input.md
#  output: .loaf/output.md
#  debounce: 100
${clipboard ? "  clipboard: {read: ask, write: true}" : "#  clipboard: {read: off, write: false}"}
`;
}

/** The loaf.yml of somebody who is not asked. */
export const starterConfig = starterText(initDefaults);

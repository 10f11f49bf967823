/**
 * The loaf.yml that `loaf init` writes. Prose begins with `# `. In a disabled setting, `#` is followed directly by the
 * key or its indentation, so that removing the `#` enables it. A test removes all of them and finds every key.
 */
export const starterConfig = `# yaml-language-server: $schema=https://unpkg.com/loaf-cli@0/docs/loaf.schema.json
# Loaf's settings for this project. Every one is optional.
version: 1

# Actions may name paths relative to this folder.
relative_paths: true

edits:
  # The text to be replaced may differ from the file in formatting only (white space at the ends of lines, indentation as a whole,
  # typographic quotes), where only one place fits. With exact it must stand there as given.
  match: tolerant
  # Files that are written end with a newline.
  final_newline: ensure

# The only actions that an answer may use. Without it: all.
#allowed-actions: [file_read, files_read, file_write, file_replace_text]

# Which paths actions may touch. \`*\` and \`?\` stand for characters, \`**\` for folders, \`./\` is this folder.
# Secrets such as .env and private keys are refused by default; deny adds to that. This file and .git are never changed.
#fs-guard:
#  read: {allow: ["./**"], deny: ["private/**"]}
#  write: {allow: ["./**"], deny: ["docs/**"]}
# Or for reading and writing at once:
#  allowed: ["./**"]
#  denied: ["private/**"]
# A file with several names (hard links) may be refused by another one of them: it is not read.
#  hard_links: deny

# Commands run in a sandbox, on a view of this project: what they changed lands once they have ended, where an action may write too. Nothing else
# of yours is read. Without a network, and for 30 seconds.
# Whether there has to be a sandbox (required, auto, off) only your own ~/.config/loaf/config.yml can say.
#exec:
#  sandbox: required
# How a command gets the project apart from the files themselves (auto, overlay, clone, copy), and how many bytes a copy may have.
#  view: auto
#  copy_limit: 524288000
#  network: true
#  timeout: 120000
#  env: [PATH, CI]
#  languages: [bash, python, javascript, ruby]

# What a run leaves of which something fails: without it what succeeded, with it nothing.
#transaction: all-or-nothing

# In a git repository each run that changed something ends in a commit of just the files that it changed.
#git:
#  commit: true
#  push: false
#  message: "AI: {operation_summary}"
# Your own commands around a run: before anything is read, and after all of it is done. They run outside the sandbox, with all that you may do, and so does
# whatever they start: tests and formatters run the code that the answer has just written. \${NAME} is one of vars or, after the run, success,
# executedActions, totalBlocks, modifiedFiles, operations, errors or errorCount. Values reach a command as environment variables only.
#hooks:
#  before: [{run: "npm test", cwd: ".", timeout: 30000, continueOnError: false}]
#  after: [{run: "npm run format"}]
#vars: {COMMIT_MSG: "AI-assisted changes"}

# How long runs can be undone, in days, and how many bytes are kept for that.
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

# What the markers of CSL, an older syntax, begin and end with.
#csl:
#  start: "<---"
#  end: "--->"

# The longest report to paste into the chat, in tokens (an estimate).
#report:
#  max_tokens: 20000

# The files of loaf watch: answers are pasted into the one, reports are found in the other. Milliseconds that the first has to rest before it is read.
# Of two copies within 1.8 s that share an end marker, read runs the shorter one; write puts each report on the clipboard.
#watch:
#  input: loaf-input.md
#  output: .loaf/output.md
#  debounce: 100
#  clipboard: {read: false, write: false}
`;

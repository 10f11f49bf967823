import type { Access } from "../core/failure.ts";
import type { JsonSchema } from "./json-schema.ts";
import { code, table } from "./table.ts";

/** What the guard refuses by default. */
export interface Refusals {
  readonly patterns: Readonly<Record<Access, readonly string[]>>;
  /** Names excluded from the patterns. */
  readonly except: ReadonlySet<string>;
}

/** Generates `docs/configuration.md`: every key of loaf.yml from its schema, and how the guard decides. */
export function settingsDocument(schema: JsonSchema, { patterns, except }: Refusals): string {
  return `# Configuration

Loaf reads \`loaf.yml\` in the project's root and, before it, \`~/.config/loaf/config.yml\` of the user, which has the same keys. Both are
optional, and so is every key. An unknown key or a wrong type is an error, with its line and column, before anything runs. The file's
JSON Schema is \`loaf.schema.json\`: an editor that knows it completes keys and marks mistakes.

Without a \`loaf.yml\` the commands use what \`loaf init\` would write: relative paths, tolerant matching, a newline at the end of each file
(\`loaf config\` shows it). The library uses the defaults below unless \`assumeInit\` is set.

${table(["key", "value", "default", "meaning"], rowsOf(schema, ""))}

## Which rule decides

Reading and writing are judged separately, by the \`allow\` and \`deny\` of each, and by where a path really leads when its links are followed.

- In a pattern \`*\` and \`?\` stand for characters of one name, and \`**\` for any folders. A rule covers what its pattern names and everything below it:
  \`deny: [secrets]\`, \`[secrets/]\` and \`[secrets/**]\` are the same refusal, and \`docs/*\` refuses every entry of \`docs\` with all that is in it.
- A pattern without a slash inside, such as \`secrets\` or \`*.log\`, applies at any depth. With one it begins at the root (\`./secrets\`, \`docs/api\`), at the
  home folder (\`~/notes\`) or at an absolute path. A refusal that applies at any depth also applies outside the root.
- A \`deny\` that begins with a slash, such as \`/secrets\`, refuses \`secrets\` in the root as well as at the top of the file system. In a \`deny\`, \`[ab]\` is
  one character of a set, \`[!ab]\` one that is not, and both are refused as names with brackets too (\`app/[id]\`); an \`allow\` takes brackets for themselves.
- A pattern that no path could match (\`{a,b}\`, \`a//b\`) or that contains \`\\\` is an error, with its line and column, before anything runs.
- A path that no rule matches is refused. Where several match, a path written out in full beats any pattern; then the rule whose literal
  names reach deeper into the path decides; on a tie the refusal does. The order of the rules never matters. A refusal of a folder that contains the project
  counts, unless an \`allow\` of yours reaches deeper.

So \`deny: ["docs/**"]\` with \`allow: ["./**", "docs/guide/**"]\` leaves \`docs/guide\` open and nothing else in \`docs\`.

## What is refused by default

- Reading, anywhere: ${listed(patterns.read)}; but not ${listed(except)}.
- Writing, anywhere: ${listed(patterns.write)}; and what git would run or read as configuration from inside the project (\`core.hooksPath\`, \`include.path\`, links in
  \`.git/hooks\`, the same of a nested repository), and each folder of the project on your PATH.

A refusal compares names without case, composition and invisible characters, as some file systems do, and holds for each name of a path: the one that an action uses, that
of every link on the way, and where it leads. So a link above such a place (\`.cargo -> tools\`) is refused too. A \`deny\` adds to these. An \`allow\` that ranks higher opens one of them: \`allow: ["./**", "./.env"]\`.
A person who is asked can open a file for writing, for one run or for good (\`loaf allow\` lists those, \`--remove\` closes one); \`--yes\` opens none.

## What is never open

No rule opens these. No action changes \`loaf.yml\` and \`.loaf\` in the root, any \`.git\` and the folder that a \`.git\` file names, or the folder of the
user's own configuration, nor what they lead to where they are links. Loaf's state folder and \`/proc\`, \`/sys\` and \`/dev\` are not read either.

## Before a project is trusted

Until \`loaf trust\` says otherwise, the project's loaf.yml only narrows: a path has to be open by the user's own rules as well, an action allowed by both,
and the lower limit holds. It may ask for \`transaction: all-or-nothing\`, and cannot change \`history\`; its hooks and checks do not run, and its vars are not used in yours. \`loaf trust\` first shows what would
be opened. Loaf keeps the trusted text: if the file changes, it shows the difference and asks again.

## Checks

\`checks: [{run: "npm test -- --silent", on: "src/**"}]\` runs a command after the actions of each run, a dry one too, that changed a file matching \`on\`. A check runs in the sandbox, as \`exec\`
does: on a view of the project as it is then, with the network, variables and time that \`exec\` has. What it changes is discarded, and every check has a view of its own. Its output is a section of the report. A check that
fails is a ⚠️ line: the run still succeeds, and nothing is undone, also with \`transaction: all-or-nothing\`. Without a sandbox no check runs, and the report says so. \`--no-hooks\` and \`--no-exec\` skip them.

## Hooks

A hook is a command for \`/bin/sh\`, on Windows for cmd. It runs in the root, as you would run it: with your environment, outside the sandbox, 30 seconds unless \`timeout\` says otherwise; processes it leaves
in the background end with it. The first hook that fails is the last to run, unless it has \`continueOnError\`. If one in \`before\` fails, nothing is read and nothing runs;
if one in \`after\` fails, the run counts as failed and its changes stay, also with \`transaction: all-or-nothing\`. Those in \`after\` always run once the run has begun. A dry run runs none.

\`\${NAME}\` stands for a value of the run or, if there is none, for one of \`vars\`; any other name is an error. \`\\$\` is a plain \`$\`. Write the shell's own variables without braces (\`$HOME\`) or
with more in them (\`\${HOME:-}\`). After a run these names have values:

| name | value |
| --- | --- |
| \`success\` | \`true\` or \`false\` |
| \`totalBlocks\`, \`executedActions\`, \`errorCount\` | how many |
| \`operations\` | \`file_write,exec (failed)\` |
| \`modifiedFiles\` | relative to the root, joined by \`,\` |
| \`errors\` | joined by \`; \` |

A value never becomes part of the command's text: it is an environment variable of that name, and the shell reads it. So a file named \`$(rm -rf ~)\` is only a name. Outside quotes the shell splits it
at spaces, as it does with any variable: write \`"\${modifiedFiles}"\`. Inside single quotes, Loaf closes them before the value and opens them again; a here-document whose end is quoted cannot contain one. cmd has no such way: there, a value with a character
that cmd would interpret is refused, and the hook fails. A value over 100,000 bytes (Windows: 30,000) does not fit into the environment: a hook that names it fails.
`;
}

function rowsOf({ properties = {} }: JsonSchema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const key = prefix + name;
    const own = [code(key), valueOf(property), defaultOf(property), property.description ?? ""];
    return [own, ...rowsOf(property, `${key}.`), ...rowsOf(property.items ?? {}, `${key}[].`)];
  });
}

function valueOf({ type, const: only, enum: words, items, properties }: JsonSchema): string {
  if (only !== undefined) return code(JSON.stringify(only));
  if (words !== undefined) return words.map((word) => code(String(word))).join(" or ");
  if (type === "array") return items?.properties ? "list of keys" : `list of ${items?.type ?? "value"}s`;
  if (type === "object") return properties ? "keys" : "names and texts";
  return (type ?? "");
}

function listed(names: Iterable<string>): string {
  return [...names].map(code).join(", ");
}

/** Objects have no default of their own; their keys do. */
function defaultOf({ type, default: value }: JsonSchema): string {
  return value === undefined || type === "object" ? "" : code(JSON.stringify(value));
}

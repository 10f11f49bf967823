import { relative, resolve } from "node:path";
import { type ConfigFiles, readConfigFiles } from "../../state/config-files.ts";
import { hasTerminal } from "./terminal.ts";
import { allowedCommands, allowedPaths, trust, trustedText } from "../../trust/trust.ts";
import { screenRowsOf, wrapText } from "../../report/cells.ts";
import { counted } from "../../core/counted.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { widenings } from "../../run/read-settings.ts";
import type { Config, Hook } from "../../config/schema.ts";
import type { AllowOptions, RootOption } from "./options.ts";
import { complain, print, printProse, readerHeight, readerWidth } from "./output.ts";
import { personAt } from "./late-person.ts";
import { ownRootOf, trustDifference } from "./project.ts";
import { paintDiff } from "./reports.ts";
import { UsageError } from "./usage-error.ts";
import { readCommands } from "../../actions/command-words.ts";
import { commandLine } from "../../programs/programs.ts";

/** `loaf trust`: shows the effect and the changes, asks at a terminal, then trusts loaf.yml. */
export async function trustProject(options: RootOption): Promise<void> {
  const root = ownRootOf(options.root);
  const files = await readConfigFiles(root);
  if (files.project === undefined) throw new UsageError(`There is no loaf.yml in ${root}: nothing to trust`);
  await trustConfig(root, files, files.project);
}

async function trustConfig(
  root: string,
  files: ConfigFiles,
  { text, path, config }: NonNullable<ConfigFiles["project"]>,
): Promise<void> {
  const before = trustedText(root);
  if (before === text) return printProse(`${visibleOnOneLine(path)} is trusted.`);
  const opened = widenings(root, files);
  // Beside a change, its lines matter more.
  const listed =
    before === undefined
      ? opened.map((setting) => `\n  ${visibleOnOneLine(withValue(setting, config))}`).join("")
      : ` ${opened.map((setting) => visibleOnOneLine(setting)).join(", ")}`;
  const commands = [...(config.hooks?.before ?? []), ...(config.hooks?.after ?? [])].map(commandLines);
  const checks = (config.checks ?? []).map(commandLines);
  const facts = [
    `${visibleOnOneLine(path)} ${opened.length === 0 ? "allows no more than the defaults." : `may allow more than the defaults:${listed}`}`,
    ...(commands.length > 0 ? [`It runs these with every answer, outside the sandbox:${commands.join("")}`] : []),
    ...(checks.length > 0 ? [`It runs these after answers, in the sandbox:${checks.join("")}`] : []),
  ].map((fact) => wrapText(fact, readerWidth()));
  const room = hasTerminal() && opened.length > 0 ? roomBeside(facts) : Infinity;
  const difference =
    before === undefined
      ? []
      : [`It has changed since it was trusted:\n\n${cutLines(trustDifference(before, text).trimEnd(), room)}`];
  const shown = [...difference, ...facts].join("\n");
  if (opened.length === 0) print(paintDiff(shown));
  else if (!(await isAgreed(root, shown))) throw new UsageError("It is not trusted: nothing was changed");
  trust(root, text);
  print("It is trusted.");
}

/** Returns a setting with its value. A rule is its own value, and commands are shown in full below. */
function withValue(setting: string, config: Config): string {
  const value = setting.split(".").reduce<unknown>((at, key) => Object(at)[key], config);
  const values = [value].flat().filter((item) => item !== undefined && typeof item !== "object");
  return values.length === 0 ? setting : `${setting}: ${values.join(", ")}`;
}

/** Rows for the heading of the change, and for the question. */
const AROUND = 8;

/** Returns the rows that are left on the screen for the change: what loaf.yml may do matters more. */
function roomBeside(facts: readonly string[]): number {
  const [width, height] = [readerWidth(), readerHeight()];
  const used = facts.join("\n").split("\n").reduce((sum, line) => sum + screenRowsOf(line, width), AROUND);
  return height === undefined ? Infinity : Math.max(0, height - used);
}

/** Keeps the lines that fit into a number of rows, one of which says how many are left out. */
function cutLines(text: string, rows: number): string {
  const lines = text.split("\n");
  const width = readerWidth();
  let [used, kept] = [0, 0];
  while (kept < lines.length && (used += screenRowsOf(lines[kept] ?? "", width)) <= rows) kept++;
  if (kept === lines.length) return text;
  const shown = lines.slice(0, Math.max(0, kept - 1));
  return [...shown, `… ${counted(lines.length - shown.length, "more line")} of the change: read loaf.yml`].join("\n");
}

function commandLines({ run, cwd }: Pick<Hook, "run" | "cwd">): string {
  const [first = "", ...more] = run
    .trim()
    .split("\n")
    .map((line) => visibleOnOneLine(line));
  return [
    `\n  ${first}`,
    ...more.map((line) => `\n    ${line}`),
    cwd === undefined ? "" : ` (in ${visibleOnOneLine(cwd)})`,
  ].join("");
}

/**
 * Shows a text where the question is asked, since standard output may be a pipe that is read later, and asks. In a
 * script, the command itself is the decision.
 */
async function isAgreed(root: string, text: string): Promise<boolean> {
  const person = personAt(root);
  if (person !== undefined) return person.ask(text, "Trust it as it is now?");
  print(paintDiff(text));
  return true;
}

/** `loaf allow` */
export function allow(words: readonly string[], options: AllowOptions): void {
  const root = ownRootOf(options.root);
  if (words.length === 0) return list(root);
  for (const command of readLines(words)) {
    if (options.remove !== true) allowedCommands.add(root, command);
    else if (!allowedCommands.remove(root, command) && !allowedPaths.remove(root, resolve(root, command)))
      throw new UsageError(`'${visibleOnOneLine(command)}' was not among the allowed commands and files`);
    print(`${options.remove === true ? "asked for from now on" : "allowed"}: ${visibleOnOneLine(command)}`);
  }
}

function list(root: string): void {
  const files = allowedPaths.of(root).map((path) => `write ${relative(root, path)}`);
  const commands = [...allowedCommands.of(root), ...files];
  if (commands.length === 0)
    return complain("Nothing is allowed yet: Loaf asks about each command of a RUN block, or skips it where nobody can be asked");
  print(commands.map((command) => visibleOnOneLine(command)).join("\n"));
}

/**
 * Returns commands in the form of a run's question. One word is the text of a RUN block, several are the words of one
 * command.
 */
function readLines(words: readonly string[]): string[] {
  try {
    const [first = "", ...others] = words;
    return (others.length > 0 ? [words] : readCommands(first)).map(commandLine);
  } catch {
    throw new UsageError(`'${visibleOnOneLine(words.join(" "))}' cannot be started without a shell`);
  }
}

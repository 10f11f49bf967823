import { type ConfigFiles, readConfigFiles } from "../../state/config-files.ts";
import { hasTerminal } from "./terminal.ts";
import { trust, trustedText } from "../../trust/trust.ts";
import { screenRowsOf, wrapText } from "../../report/cells.ts";
import { counted } from "../../core/counted.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { widenings } from "../../run/widening.ts";
import type { Config, Hook } from "../../config/schema.ts";
import { print, printProse, readerHeight, readerWidth } from "./output.ts";
import { personAt } from "./late-person.ts";
import { ownRootOf } from "./project.ts";
import { paintDiff } from "./reports.ts";
import { trustDifference } from "./trusted-project.ts";
import { UsageError } from "./usage-error.ts";

/** `loaf trust`: shows the effect and the changes, asks at a terminal, then trusts loaf.yml. */
export async function trustProject(options: { readonly root?: string }): Promise<void> {
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
      ? opened.map((one) => `\n  ${visibleOnOneLine(withValue(one, config))}`).join("")
      : ` ${opened.map((one) => visibleOnOneLine(one)).join(", ")}`;
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
      : [`It has changed since it was trusted:\n\n${cutLines((await trustDifference(before, text)).trimEnd(), room)}`];
  const shown = [...difference, ...facts].join("\n");
  if (opened.length === 0) print(paintDiff(shown));
  else if (!(await isAgreed(root, shown))) throw new UsageError("It is not trusted: nothing was changed");
  trust(root, text);
  print("It is trusted.");
}

/** Returns a setting with its value. A rule is its own value, and commands are shown in full below. */
function withValue(setting: string, config: Config): string {
  const value = setting.split(".").reduce<unknown>((at, key) => Object(at)[key], config);
  const values = [value].flat().filter((one) => one !== undefined && typeof one !== "object");
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

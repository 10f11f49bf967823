import { type ConfigFiles, readConfigFiles } from "../../state/config-files.ts";
import { hasTerminal } from "./terminal.ts";
import { trust, trustedText } from "../../trust/trust.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { widenings } from "../../run/widening.ts";
import type { Hook } from "../../config/schema.ts";
import { print, printProse } from "./output.ts";
import { ownRootOf } from "./project.ts";
import { paintDiff } from "./reports.ts";
import { gitFilesIn, showGitFiles, trustAll } from "./trust-git-files.ts";
import { trustDifference } from "./trusted-project.ts";
import { UsageError } from "./usage-error.ts";

/**
 * `loaf trust`: shows the effect and the changes, asks at a terminal, then trusts loaf.yml and the files that git runs.
 */
export async function trustProject(options: { readonly root?: string }): Promise<void> {
  const root = ownRootOf(options.root);
  const files = await readConfigFiles(root);
  if (files.project !== undefined) await trustConfig(root, files, files.project);
  const found = await trustGitFiles(root);
  if (files.project === undefined && found === 0) throw new UsageError(`There is no loaf.yml in ${root}: nothing to trust`);
}

/** Repeats the search, since trusted configuration may name further files. Returns the number of files. */
async function trustGitFiles(root: string): Promise<number> {
  for (;;) {
    const found = await gitFilesIn(root);
    const { open, never, files } = found;
    if (open.length + never.length > 0) print(await showGitFiles(root, found));
    if (open.length === 0) {
      if (files.size > 0) printProse(`The project's files that git runs in commits are trusted: ${[...files.keys()].map((file) => visibleOnOneLine(file)).join(", ")}`);
      return files.size + never.length;
    }
    if (hasTerminal() && !(await isAgreed(root))) throw new UsageError("They are not trusted: nothing was changed");
    trustAll(root, found);
  }
}

async function trustConfig(root: string, files: ConfigFiles, { text, path, config }: NonNullable<ConfigFiles["project"]>): Promise<void> {
  const before = trustedText(root);
  if (before === text) return printProse(`${visibleOnOneLine(path)} is trusted.`);
  if (before !== undefined) print(`It has changed since it was trusted:\n\n${paintDiff(await trustDifference(before, text))}`);
  const opened = widenings(root, files).map((one) => `\n  ${visibleOnOneLine(one)}`);
  const commands = [...(config.hooks?.before ?? []), ...(config.hooks?.after ?? [])].map(commandLines);
  printProse(`${visibleOnOneLine(path)} ${opened.length === 0 ? "allows no more than the defaults." : `may allow more than the defaults:${opened.join("")}`}`);
  if (commands.length > 0) print(`It runs these with every answer, outside the sandbox:${commands.join("")}`);
  const checks = (config.checks ?? []).map(commandLines);
  if (checks.length > 0) print(`It runs these after answers, in the sandbox:${checks.join("")}`);
  // In a script, the command itself is the decision. At a terminal, the user first has to read this output.
  if (opened.length > 0 && hasTerminal() && !(await isAgreed(root))) throw new UsageError("It is not trusted: nothing was changed");
  trust(root, text);
  print("It is trusted.");
}

function commandLines({ run, cwd }: Pick<Hook, "run" | "cwd">): string {
  const [first = "", ...more] = run.trim().split("\n").map((line) => visibleOnOneLine(line));
  return [`\n  ${first}`, ...more.map((line) => `\n    ${line}`), cwd === undefined ? "" : ` (in ${visibleOnOneLine(cwd)})`].join("");
}

async function isAgreed(root: string): Promise<boolean> {
  const { Person } = await import("./ask.ts");
  return new Person(root).confirm("", "Trust it as it is now?");
}

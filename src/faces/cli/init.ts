import { appendFileSync, existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { mergeConfigs } from "../../config/merge.ts";
import { starterConfig } from "../../config/starter.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { readConfigFiles } from "../../state/config-files.ts";
import { readInput } from "../../state/input.ts";
import { makeFolders } from "../../state/places.ts";
import { writeNewFile } from "../../state/new-file.ts";
import { isWritable } from "../../state/root.ts";
import { trust } from "../../trust/trust.ts";
import { findClipboards } from "../watch/clipboard.ts";
import { instructionsFor } from "./instructions.ts";
import { isTerminal, print } from "./output.ts";
import { openHistory, ownRootOf, readOnly } from "./project.ts";
import { hasTerminal } from "./terminal.ts";
import { gitFilesIn, trustAll } from "./trust-git-files.ts";
import { UsageError } from "./usage-error.ts";

const INSTRUCTIONS = "loaf-instructions.md";

/** `loaf init`: creates the initial files. Keeps existing ones. */
export async function init(options: { readonly root?: string }): Promise<void> {
  const root = ownRootOf(options.root);
  if (!isWritable(root)) throw new UsageError(readOnly(root));
  // Throws for an invalid loaf.yml, before anything is written.
  const { user, project } = await readConfigFiles(root);
  const { input: answers, output: report } = mergeConfigs(user?.config ?? {}, project?.config ?? {}).watch;
  const config = writeNewFile(join(root, "loaf.yml"), starterConfig);
  if (config) trust(root, starterConfig);
  const text = await instructionsFor({ root });
  const instructions = writeNewFile(join(root, INSTRUCTIONS), text);
  const input = writeInput(root, answers);
  const lines = [
    written("loaf.yml", config, "the settings, with explanations"),
    written(INSTRUCTIONS, instructions, "the instructions for the model") + (instructions ? "" : await staleness(join(root, INSTRUCTIONS), text)),
    written(answers, input, "the file for the model's answers"),
    ...ignored(root, answers),
    ...(config ? await trustGitFiles(root) : []),
  ];
  print(`In ${visibleOnOneLine(root)}:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  const isCopied = await offerCopy(root, text);
  print(`
Next: ${isCopied ? "paste them" : `paste ${INSTRUCTIONS}`} into the chat and say what you want. Then start

  loaf watch

and save the model's whole answer into ${answers}: Loaf runs it and inserts a line for each block above it. The whole report, to paste back, is in ${report}. Without watching:

  loaf run --dry-run ${answers}
  loaf run --copy ${answers}
`);
}

/** The text has no block, so that it runs nothing. */
function writeInput(root: string, name: string): boolean {
  const file = join(root, name);
  makeFolders(dirname(file));
  return writeNewFile(file, `Replace this text with a model's whole answer and save: loaf watch runs it, or loaf run --copy ${name}\n`);
}

function written(name: string, isNew: boolean, purpose: string): string {
  return isNew ? `Wrote ${name}: ${purpose}.` : `Kept ${name}, which was there.`;
}

/** Instructions of another version, or for other settings, would be wrong. */
async function staleness(file: string, text: string): Promise<string> {
  const there = await readInput(file, 2 ** 20);
  return there === text ? "" : ` It is out of date. To update it: loaf instructions > ${INSTRUCTIONS}`;
}

/** Answers are scratch text, and the instructions contain a path of this machine. */
function ignored(root: string, answers: string): string[] {
  try {
    const names = `${answers} and ${INSTRUCTIONS}`;
    switch (ignoreInGit(root, [answers, INSTRUCTIONS], "Loaf: pasted answers, and instructions for this machine's folder")) {
      case "added":
        return [`Added ${names} to .gitignore, so that they are not committed.`];
      case "foreign":
        return [`Left .gitignore alone, which is not an ordinary file: you may want to add ${names}.`];
      default:
        return [];
    }
  } catch (thrown) {
    return [`Could not add to .gitignore (${visibleOnOneLine(String(thrown))}).`];
  }
}

/** Before the first run, everything that git runs in a project is the user's own. */
async function trustGitFiles(root: string): Promise<string[]> {
  if ((await (await openHistory({ root })).history()).runs.length > 0) return [];
  const found = await gitFilesIn(root);
  if (found.open.length === 0) return [];
  trustAll(root, found);
  return [`Trusted the project's files that git runs in commits: ${found.open.map((path) => visibleOnOneLine(relative(root, path))).join(", ")}.`];
}

/** Asks only at a terminal, and if a clipboard is available. */
async function offerCopy(root: string, text: string): Promise<boolean> {
  const isWatched = process.stdin.isTTY && isTerminal() && hasTerminal();
  if (!isWatched || findClipboards().every(({ isOutOfReach }) => isOutOfReach)) return false;
  const { Person } = await import("./ask.ts");
  if (!(await new Person(root).accepts("Copy the instructions for the model to the clipboard?"))) return false;
  return (await import("./copy.ts")).copy(text);
}

/**
 * Appends files in the root to its .gitignore. Throws a system error if that is not writable.
 *
 * Returns `added`, `there` if all lines exist, `foreign` if .gitignore is no ordinary file and was left alone, or
 * `none` if the root is in no repository.
 *
 * @param names of files in the root, without pattern characters
 */
function ignoreInGit(root: string, names: readonly string[], reason: string): "added" | "there" | "foreign" | "none" {
  if (!isInRepository(root)) return "none";
  const file = join(root, ".gitignore");
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === false) return "foreign";
  // Latin-1 decodes any bytes, and the searched lines are ASCII.
  const text = stats === undefined ? "" : readFileSync(file, "latin1");
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  const missing = names.filter((name) => !lines.has(name) && !lines.has(`/${name}`));
  if (missing.length === 0) return "there";
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const added = [`# ${reason}`, ...missing.map((name) => `/${name}`)].map((line) => line + ending).join("");
  appendFileSync(file, (text === "" || text.endsWith("\n") ? "" : ending) + added);
  return "added";
}

function isInRepository(folder: string): boolean {
  return existsSync(join(folder, ".git")) || (dirname(folder) !== folder && isInRepository(dirname(folder)));
}

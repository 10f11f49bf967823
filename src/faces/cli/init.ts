import { appendFileSync, existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { mergeConfigs } from "../../config/merge.ts";
import { type InitChoices, initDefaults, starterText } from "../../config/starter.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { readConfigFiles } from "../../state/config-files.ts";
import { readInput } from "../../state/input.ts";
import { makeFolders } from "../../state/places.ts";
import { writeNewFile } from "../../state/state-file.ts";
import { isWritable } from "../../state/root.ts";
import { trust } from "../../trust/trust.ts";
import { Person } from "./ask.ts";
import { copy } from "./copy.ts";
import { instructionsFor } from "./instructions.ts";
import type { InitOptions } from "./options.ts";
import { isTerminal, printProse } from "./output.ts";
import { ownRootOf, readOnly } from "./project.ts";
import { hasTerminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const INSTRUCTIONS = "loaf-instructions.md";

/** `loaf init`: creates the initial files. Keeps existing ones. */
export async function init(options: InitOptions): Promise<void> {
  const root = ownRootOf(options.root);
  if (!isWritable(root)) throw new UsageError(readOnly(root));
  // Throws for an invalid loaf.yml, before anything is written.
  const { user, project } = await readConfigFiles(root);
  const { input: answers } = mergeConfigs(user?.config ?? {}, project?.config ?? {}).watch;
  const isAsked = options.yes !== true && project === undefined && process.stdin.isTTY && isTerminal() && hasTerminal();
  const choices = isAsked ? await ask(root) : initDefaults;
  if (choices === undefined) throw new UsageError("Nothing was written");
  const settings = starterText(choices);
  const files = [{ name: "loaf.yml", isNew: writeNewFile(join(root, "loaf.yml"), settings) }];
  const hasConfig = files[0]?.isNew === true;
  if (hasConfig) trust(root, settings);
  const text = await instructionsFor({ root });
  files.push({ name: INSTRUCTIONS, isNew: writeNewFile(join(root, INSTRUCTIONS), text) });
  files.push({ name: answers, isNew: writeInput(root, answers) });
  const isStale = !files[1]?.isNew && (await readInput(join(root, INSTRUCTIONS), 2 ** 20)) !== text;
  const isCopied = hasConfig && choices.clipboard && (await copy(text));
  printProse(
    [
      `In ${visibleOnOneLine(root)}: ${written(files)}.${ignored(root, answers)}`,
      ...(isStale ? [`${INSTRUCTIONS} is out of date: loaf instructions > ${INSTRUCTIONS} updates it.`] : []),
      commits(root, mergeConfigs(user?.config ?? {}, (await readConfigFiles(root)).project?.config ?? {}).git.commit),
      `1. Paste ${isCopied ? "the clipboard, which has the instructions for the model," : INSTRUCTIONS} into the chat and say what you want.`,
      `2. Run the model's answer: copy it and type loaf paste, or start loaf watch and ${hasConfig && choices.clipboard ? "copy it, or " : ""}save it into ${answers}.`,
      "3. Paste the report into the chat. loaf undo takes a run back; loaf alone says what to do next.",
    ].join("\n"),
  );
}

/** Returns undefined on Ctrl-C or Ctrl-D. */
async function ask(root: string): Promise<InitChoices | undefined> {
  const person = new Person(root);
  const choices = { ...initDefaults };
  for (const [name, question] of QUESTIONS) {
    const answer = await person.chooses(question, initDefaults[name]);
    if (answer === undefined) return undefined;
    choices[name] = answer;
  }
  return choices;
}

const QUESTIONS: ReadonlyArray<readonly [keyof InitChoices, string]> = [
  ["commit", "In a git repository, commit each run, with only the files it changed?"],
  ["tolerant", "Let edits differ from the file in formatting, if only one place fits?"],
  [
    "clipboard",
    "Use the clipboard: copy the instructions now; in loaf watch, offer to run copied answers and copy reports?",
  ],
];

/** The text has no block, so that it runs nothing. */
function writeInput(root: string, name: string): boolean {
  const file = join(root, name);
  makeFolders(dirname(file));
  return writeNewFile(
    file,
    `Replace this text with a model's whole answer and save: loaf watch runs it, or loaf run --copy ${name}\n`,
  );
}

/** Returns `wrote a, b and c`, `kept a` or both. */
function written(files: ReadonlyArray<{ readonly name: string; readonly isNew: boolean }>): string {
  const named = (verb: string, isNew: boolean): string[] => {
    const names = files.filter((file) => file.isNew === isNew).map(({ name }) => visibleOnOneLine(name));
    const last = names.pop();
    return last === undefined ? [] : [`${verb} ${names.length === 0 ? last : `${names.join(", ")} and ${last}`}`];
  };
  return [...named("wrote", true), ...named("kept", false)].join(", ");
}

function commits(root: string, isOn: boolean): string {
  const change = "git.commit in loaf.yml changes that";
  if (!isOn) return "Runs are not committed: git.commit in loaf.yml changes that.";
  return isInRepository(root)
    ? `Each run ends in a commit of only the files it changed: ${change}.`
    : `Runs are committed once this is a git repository: ${change}. Undo works without git.`;
}

/**
 * Leaves the scratch files out of git: answers, and the instructions, which contain a path of this machine. Returns a
 * sentence on that, or "" if there is nothing to say.
 */
function ignored(root: string, answers: string): string {
  try {
    return ignoreInGit(root, [answers, INSTRUCTIONS]);
  } catch (thrown) {
    return ` They could not be added to .gitignore (${visibleOnOneLine(String(thrown))}).`;
  }
}

/** @param names of files in the root, without pattern characters */
function ignoreInGit(root: string, names: readonly string[]): string {
  if (!isInRepository(root)) return "";
  const file = join(root, ".gitignore");
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === false)
    return ` .gitignore is not a regular file and was left alone: you may want to add ${names.join(" and ")}.`;
  // Latin-1 decodes any bytes, and the searched lines are ASCII.
  const text = stats === undefined ? "" : readFileSync(file, "latin1");
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  const missing = names.filter((name) => !lines.has(name) && !lines.has(`/${name}`));
  if (missing.length === 0) return "";
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const added = [REASON, ...missing.map((name) => `/${name}`)].map((line) => line + ending).join("");
  appendFileSync(file, (text === "" || text.endsWith("\n") ? "" : ending) + added);
  return " The last two are in .gitignore.";
}

const REASON = "# Loaf: pasted answers, and instructions for this machine's folder";

function isInRepository(folder: string): boolean {
  return existsSync(join(folder, ".git")) || (dirname(folder) !== folder && isInRepository(dirname(folder)));
}

import { cpSync, existsSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "../../process/find-program.ts";
import { counted } from "../../core/counted.ts";
import { visible } from "../../core/visible.ts";
import { Loaf } from "../../loaf.ts";
import { InputError, readInput } from "../../state/input.ts";
import { wrapText } from "../../report/cells.ts";
import { paint, print, readerWidth } from "./output.ts";
import { dryRunDiff, paintDiff, reportForChat } from "./reports.ts";

/** `loaf demo`: runs answers on a throwaway project. */
export async function demo(): Promise<void> {
  const root = createDemoProject();
  const read = (name: string): Promise<string> => readInput(join(root, name), Infinity);
  const [plain, answer] = await Promise.all([read("plain.md"), read("answer.md")]);
  title("An answer of a chat that knows nothing of Loaf", "plain.md");
  print(beginning(visible(plain), PLAIN_LINES));

  title("What it means for the files", "loaf run --dry-run plain.md");
  const trial = await reportOn(plain, root, true);
  print(paintDiff(beginning(trial.slice(trial.indexOf("diff --git")), DIFF_LINES)));

  title("An answer with instructions, which may do more", "answer.md");
  print(beginning(visible(answer), ANSWER_LINES));

  title("The run, and its report to paste into the chat", "loaf run --copy answer.md");
  const report = await reportOn(answer, root, false);
  print(wrapText(beginning(report, report.split("\n").indexOf(END) + 1), readerWidth()));

  const loaf = findProgram("loaf") === undefined ? `node ${process.argv[1]}` : "loaf";
  const next = `The project is in ${root}. One of 8 blocks failed on purpose: the report says why. Try:`;
  print(`
${paint("bold", "Now you.")}
${wrapText(next, readerWidth())}

  cd ${root}
  ${loaf} undo          # takes the run back
  ${loaf} run plain.md  # shows each change, and asks
  ${loaf} instructions  # what teaches a model to write the other kind

and ${loaf} init in a project of yours.`);
}

/** With the rest, these fit on two screens. */
const [PLAIN_LINES, DIFF_LINES, ANSWER_LINES] = [23, 20, 8];
/** The last line of a report's summary. */
const END = "=== END ===";

function beginning(text: string, most: number): string {
  const lines = text.trimEnd().split("\n");
  return lines.length <= most
    ? text
    : `${lines.slice(0, most).join("\n")}\n${paint("dim", `… ${counted(lines.length - most, "more line")}`)}`;
}

async function reportOn(answer: string, root: string, dryRun: boolean): Promise<string> {
  const loaf = await Loaf.create({ repoPath: root, dryRun });
  const result = await loaf.execute(answer);
  return reportForChat(loaf, result, dryRun ? dryRunDiff(loaf) : undefined);
}

function title(what: string, command: string): void {
  print(`\n${paint("bold", `── ${what} `)}${paint("dim", `── ${command}`)}\n`);
}

/** Copies Loaf's examples to a new temporary folder: a project and a model's answer. Returns the folder. */
function createDemoProject(): string {
  const examples = join(dirname(realpathSync(process.argv[1] ?? "")), "..", "examples");
  if (!existsSync(examples)) throw new InputError(`'${examples}'`, "does not exist: this installation has no examples");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loaf-demo-")));
  cpSync(join(examples, "project"), folder, { recursive: true });
  cpSync(join(examples, "answer.md"), join(folder, "answer.md"));
  cpSync(join(examples, "answers/plain.md"), join(folder, "plain.md"));
  return folder;
}

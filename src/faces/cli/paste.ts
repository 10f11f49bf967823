import type { Finding } from "../../core/finding.ts";
import type { Loaf } from "../../loaf.ts";
import { rememberAnswer, whenRan } from "../watch/ran-answers.ts";
import { NOTHING_FOUND } from "./answer.ts";
import { readCopied } from "./copy.ts";
import type { LatePerson } from "./late-person.ts";
import type { RunFlags } from "./options.ts";
import { complain } from "./output.ts";
import { UsageError } from "./usage-error.ts";

interface Pasted {
  readonly text: string;
  /** Whether the user wants all of it made again. */
  readonly isAgain: boolean;
  /** Remembers the answer as one that ran. */
  readonly remember: () => void;
}

/**
 * Reads the answer on the clipboard. If there is nothing to run, or the user declines to run the same answer again,
 * says so, sets the exit code and returns undefined. With `--json`, leaves a text without blocks to the run, which
 * prints its result. Throws `UsageError` if the clipboard cannot be read, or nobody can be asked.
 */
export async function readPasted(
  loaf: Loaf,
  options: RunFlags,
  person: LatePerson | undefined,
): Promise<Pasted | undefined> {
  const { format, json = false, yes = false, again = false, dryRun = false } = options;
  const text = await readCopied("Or start loaf run -, paste the answer there, and press Enter and Ctrl-D");
  const { items, findings } = loaf.items(text, format);
  const remember = (): void => rememberAnswer(loaf.root, items);
  const pasted: Pasted = { text, isAgain: again, remember };
  if (items.length === 0) return json ? pasted : nothing(...reasonsFor(text, findings));
  const ranAt = again || yes || dryRun ? undefined : whenRan(loaf.root, items);
  if (ranAt === undefined) return pasted;
  const fact = `This answer ran before, ${timeOf(ranAt)}`;
  if (person === undefined || json) throw new UsageError(`${fact}, so nothing was run: --again runs it a second time`);
  return (await person.ask(`${fact}.`, "Run it again?"))
    ? { ...pasted, isAgain: true }
    : nothing("Nothing was run: copy the model's next answer");
}

function nothing(...sentences: readonly string[]): undefined {
  for (const sentence of sentences) complain(sentence);
  process.exitCode = NOTHING_FOUND;
  return undefined;
}

/** Does not quote the text: it may be a password. */
function reasonsFor(text: string, findings: readonly Finding[]): string[] {
  const retry = "copy the model's whole answer, then paste again";
  if (text.trim() === "") return [`The clipboard is empty, or holds no text: ${retry}`];
  if (findings.some(({ code }) => code === "answer/report"))
    return ["The clipboard holds one of Loaf's own reports: paste it into the chat, then copy the model's next answer"];
  const lines = text.trimEnd().split("\n").length;
  const size = lines === 1 ? `1 line, ${text.length} characters` : `${lines} lines`;
  return [
    `The clipboard holds no answer with blocks (${size}), so nothing was run: ${retry}`,
    ...findings.map(({ message }) => `note: ${message}`),
  ];
}

/** `at 14:03`, or with the date if that is not today. */
function timeOf(date: Date): string {
  // Locale functions take 20 ms to load.
  const [, month, day, year, time = ""] = String(date).split(" ");
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? `at ${time.slice(0, 5)}` : `on ${day} ${month} ${year} at ${time.slice(0, 5)}`;
}

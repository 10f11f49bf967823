import { ConfigError } from "../../config/problem.ts";
import type { ParseResult } from "../../core/block.ts";
import { counted } from "../../core/counted.ts";
import { visible, visibleOnOneLine } from "../../core/visible.ts";
import { parse, readAnswer as readItems, type ReadOptions } from "../../answer/read-answer.ts";
import { withoutReasoning } from "../../answer/reasoning.ts";
import { NOTHING_FOUND, nothingFound, readAnswerText } from "./answer.ts";
import type { ParseOptions } from "./options.ts";
import { complain, paint, print, printJson } from "./output.ts";
import { openProject } from "./project.ts";

/** `loaf parse`: shows the syntax of blocks, without validating their meaning. Applies no limits. */
export async function parseAnswer(file: string | undefined, options: ParseOptions): Promise<void> {
  const text = await readAnswerText(file, { limit: Infinity, command: "parse" });
  const reading = { format: options.format, csl: await delimitersFor(options) };
  const result = parse(withoutReasoning(text).text, reading);
  const isEmpty = result.blocks.length === 0 && result.errors.length === 0;
  process.exitCode = isEmpty ? NOTHING_FOUND : result.errors.length === 0 ? 0 : 1;
  if (options.json) printJson(result);
  if (isEmpty) complain(nothingFound(text));
  else if (!options.json) print(describe(result));
  if (!options.json) for (const note of notesOn(text, reading)) complain(note);
}

/** Returns warnings and findings that a run would report. */
function notesOn(text: string, reading: ReadOptions): string[] {
  const { items, findings } = readItems(text, reading);
  const read = items.flatMap((item) =>
    "properties" in item ? (item.warnings ?? []).map((warning) => `line ${item.startLine}: ${warning}`) : [],
  );
  return [...read, ...findings.map(({ message }) => message)].map((note) => `note: ${note}`);
}

/** Returns the delimiters of a run here. Parsing works without a valid configuration. */
async function delimitersFor(options: ParseOptions): Promise<ReadOptions["csl"]> {
  try {
    return (await openProject(options)).settings.csl;
  } catch (thrown) {
    if (thrown instanceof ConfigError) return undefined;
    throw thrown;
  }
}

function describe({ blocks, errors }: ParseResult): string {
  return [
    ...blocks.map(({ id, startLine, endLine, properties }) => {
      const values = Object.entries(properties).map(
        ([key, value]) => `  ${visible(key)} = ${visibleOnOneLine(JSON.stringify(value), MAX_VALUE_LENGTH)}`,
      );
      return [`${paint("bold", id)} (lines ${startLine} to ${endLine ?? "the end"})`, ...values].join("\n");
    }),
    ...errors.map(
      ({ line, column, code, message, content }) =>
        `${paint("red", `${line}:${column}: ${code}: ${visible(message)}`)}\n  ${visibleOnOneLine(content, MAX_VALUE_LENGTH)}`,
    ),
    `${counted(blocks.length, "block")}, ${counted(errors.length, "error")}`,
  ].join("\n\n");
}

/** Maximum UTF-16 units shown of a value or line. */
const MAX_VALUE_LENGTH = 100;

import { join } from "node:path";
import { starterConfig } from "../config/starter.ts";
import { readConfigFiles } from "../host/config-files.ts";
import { writeNewFile } from "../host/new-file.ts";
import { isWritable } from "../host/root.ts";
import { trust } from "../host/trust.ts";
import { visibleOnOneLine } from "../report/visible.ts";
import { instructionsFor } from "./instructions.ts";
import { print } from "./output.ts";
import { readOnly, rootOf } from "./project.ts";
import { UsageError } from "./usage-error.ts";

const INSTRUCTIONS = "loaf-instructions.md";
const INPUT = "loaf-input.md";

/** `loaf init`: the files that a project starts with. What is there already stays as it is. */
export async function init(options: { readonly root?: string }): Promise<void> {
  const root = rootOf(options.root);
  if (!isWritable(root)) throw new UsageError(readOnly(root));
  // A broken loaf.yml ends it here, before anything is written.
  await readConfigFiles(root);
  const config = write(root, "loaf.yml", starterConfig, "the settings, each with its explanation");
  if (config.isNew) trust(root, starterConfig);
  const instructions = write(root, INSTRUCTIONS, await instructionsFor({ root }), "what a model has to know");
  const input = write(root, INPUT, INPUT_TEXT, "the place for the model's answers");
  print(`In ${visibleOnOneLine(root)}:
${[config, instructions, input].map(({ sentence }) => `  ${sentence}`).join("\n")}

Next: paste ${INSTRUCTIONS} into the chat and say what you want. Save the model's answer as ${INPUT}, see what it would do, and run it:

  loaf run --dry-run ${INPUT}
  loaf run --copy ${INPUT}
`);
}

const INPUT_TEXT = `Replace this text by a model's whole answer, then run: loaf run --copy ${INPUT}\n`;

function write(root: string, name: string, text: string, purpose: string): { isNew: boolean; sentence: string } {
  const isNew = writeNewFile(join(root, name), text);
  return { isNew, sentence: isNew ? `Wrote ${name}: ${purpose}.` : `Kept ${name}, which was there.` };
}

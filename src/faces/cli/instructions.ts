import { instructions, PLAIN_INSTRUCTIONS } from "../../teach/instructions.ts";
import type { Loaf } from "../../loaf.ts";
import { fileTree } from "../../report/file-tree.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { syntaxNamed } from "../../syntaxes/index.ts";
import { copyAndPrint } from "./copy.ts";
import type { InstructionsOptions } from "./options.ts";
import { print } from "./output.ts";
import { openProject } from "./project.ts";
import { UsageError } from "./usage-error.ts";

/** `loaf instructions` */
export async function printInstructions(options: InstructionsOptions): Promise<void> {
  if (options.short && options.syntax !== undefined && !syntaxNamed(options.syntax).hasShortLesson)
    throw new UsageError(`--short is for NESL; those for ${options.syntax} are short`);
  if (options.plain && options.short) throw new UsageError("--plain and --short are two kinds of instructions");
  const text = await instructionsFor(options);
  if (options.copy) await copyAndPrint(text);
  else print(text);
}

/** Returns the instructions for the model, for a project with its settings. Throws `ConfigError`. */
export async function instructionsFor(options: InstructionsOptions): Promise<string> {
  return instructionsOf(await openProject(options), options);
}

/** The same for an open project. */
export function instructionsOf(
  { root, settings, view }: Loaf,
  { syntax, short, plain, tree }: InstructionsOptions = {},
): string {
  const text = plain
    ? PLAIN_INSTRUCTIONS
    : instructions({
        root: visibleOnOneLine(root, Infinity),
        relativePaths: settings.relative_paths,
        endsWithNewline: settings.edits.final_newline === "ensure",
        allowedActions: settings["allowed-actions"],
        syntax,
        isShort: short,
        exec: settings.exec,
        csl: settings.csl,
      });
  return tree ? `${text}\nFiles of the project\n~~~\n${fileTree(view.files, MAX_TREE_TOKENS)}\n~~~\n` : text;
}

/** A longer list costs more tokens than it saves. */
const MAX_TREE_TOKENS = 2_000;

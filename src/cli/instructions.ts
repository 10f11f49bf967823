import { instructions } from "../describe/instructions.ts";
import { visibleOnOneLine } from "../report/visible.ts";
import type { Format } from "../syntax/format.ts";
import { print } from "./output.ts";
import { openProject } from "./project.ts";

interface InstructionsOptions {
  readonly root?: string;
  readonly syntax?: Format;
}

/** `loaf instructions` */
export async function printInstructions(options: InstructionsOptions & { readonly copy?: boolean }): Promise<void> {
  const text = await instructionsFor(options);
  print(text);
  if (options.copy) await (await import("./copy.ts")).copy(text);
}

/** The text for the model, for a project as it is set up. Throws `ConfigError`. */
export async function instructionsFor(options: InstructionsOptions): Promise<string> {
  const { root, settings } = await openProject(options);
  return instructions({ root: visibleOnOneLine(root, Infinity), relativePaths: settings.relative_paths, allowedActions: settings["allowed-actions"], syntax: options.syntax, csl: settings.csl });
}

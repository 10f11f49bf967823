import { instructions } from "../describe/instructions.ts";
import { visibleOnOneLine } from "../report/visible.ts";
import { print } from "./output.ts";
import { openProject } from "./project.ts";

/** `loaf instructions` */
export async function printInstructions(options: { readonly root?: string; readonly copy?: boolean }): Promise<void> {
  const text = await instructionsFor(options);
  print(text);
  if (options.copy) await (await import("./copy.ts")).copy(text);
}

/** The text for the model, for a project as it is set up. Throws `ConfigError`. */
export async function instructionsFor(options: { readonly root?: string }): Promise<string> {
  const { root, settings } = await openProject(options);
  return instructions({ root: visibleOnOneLine(root, Infinity), relativePaths: settings.relative_paths, allowedActions: settings["allowed-actions"] });
}

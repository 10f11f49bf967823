import { mergeConfigs } from "../config/merge.ts";
import { instructions } from "../describe/instructions.ts";
import { readConfigFiles } from "../host/config-files.ts";
import { print } from "./output.ts";
import { rootOf } from "./project.ts";

/** `loaf instructions` */
export async function printInstructions(options: { readonly root?: string; readonly copy?: boolean }): Promise<void> {
  const root = rootOf(options.root);
  const text = await instructionsFor(root);
  print(text);
  if (options.copy) await (await import("./copy.ts")).copy(text);
}

/** The text for the model, for a project as it is set up. Throws `ConfigError`. */
export async function instructionsFor(root: string): Promise<string> {
  const { user, project } = await readConfigFiles(root);
  const { relative_paths: relativePaths, "allowed-actions": allowedActions } = mergeConfigs(user?.config ?? {}, project?.config ?? {});
  return instructions({ root, relativePaths, allowedActions });
}

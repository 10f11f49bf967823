/** Finds and opens the project that a command is about. */
import type { ConfigFiles } from "../host/config-files.ts";
import { canonicalDirectory, findRoot } from "../host/root.ts";
import { Loaf } from "../run/open.ts";
import { unknownActions } from "../run/unknown-actions.ts";
import { widenings } from "../run/widening.ts";
import { complain } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** The root that `--root` names, else the one that the current folder lies in. Links are resolved. */
export function rootOf(given: string | undefined): string {
  if (given === undefined) return findRoot();
  const root = canonicalDirectory(given);
  if (root === undefined) throw new UsageError(`--root '${given}' is not a directory`);
  return root;
}

export function readOnly(root: string): string {
  return `The project ${root} is read-only: nothing can be changed in it`;
}

/** Opens it. What an untrusted loaf.yml would open stays closed, and that is said aloud; so are names of actions that there are not. */
export async function openProject(options: { readonly root?: string; readonly dryRun?: boolean }): Promise<Loaf> {
  const loaf = await Loaf.create({ repoPath: rootOf(options.root), dryRun: options.dryRun ?? false, trustProject });
  for (const sentence of unknownActions(loaf.settings)) complain(`WARNING: ${sentence}`);
  return loaf;
}

async function trustProject(root: string, files: ConfigFiles): Promise<boolean> {
  const rules = widenings(root, files);
  // Where nothing seems to need trust none is given, so that nothing depends on how well that was judged.
  if (rules.length === 0) return false;
  const { isTrusted } = await import("../host/trust.ts");
  if (isTrusted(root, files.project?.text ?? "")) return true;
  complain(`WARNING: loaf.yml is not trusted, so it opens no more than the defaults do (it asks for: ${rules.join(", ")}). Read it, then: loaf trust`);
  return false;
}

/** Finds and opens the project that a command is about. */
import type { ConfigFiles } from "../host/config-files.ts";
import type { Holder } from "../host/lock.ts";
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

/** What the command line says of how a project is opened. */
interface OpenOptions {
  readonly root?: string;
  readonly dryRun?: boolean;
  readonly git?: boolean;
  readonly sandbox?: "required" | "auto" | "off";
}

/** Opens it to run actions in it. What an untrusted loaf.yml would open stays closed, and that is said aloud; so are names of actions that there are not. */
export async function openProject({ root, dryRun = false, git, sandbox }: OpenOptions, warn = complain): Promise<Loaf> {
  const own = { repoPath: rootOf(root), dryRun, ...(git === false && { gitCommit: false }), ...(sandbox !== undefined && { config: { exec: { sandbox } } }) };
  const loaf = await Loaf.create({ ...own, trustProject: (root, files) => isTrustedProject(root, files, warn), onWait });
  for (const sentence of unknownActions(loaf.settings)) warn(`WARNING: ${sentence}`);
  return loaf;
}

/** Opens it to look at its past runs and to take them back. No action is judged, so nobody needs to know which ones are allowed. */
export function openHistory(options: { readonly root?: string }): Promise<Loaf> {
  return Loaf.create({ repoPath: rootOf(options.root), trustProject: (root, files) => isTrustedProject(root, files, () => {}), onWait });
}

function onWait({ pid, since, isRunning, file }: Holder): void {
  const remedy = isRunning ? "Ctrl-C gives up; nothing has been changed yet" : `if it does not run any more, delete ${file}`;
  complain(`Waiting for another run on this project (process ${pid}, since ${since}): ${remedy}`);
}

async function isTrustedProject(root: string, files: ConfigFiles, warn: (sentence: string) => void): Promise<boolean> {
  const { ignored } = files.project ?? {};
  if (ignored !== undefined) warn(`WARNING: loaf.yml asks for ${ignored}, which only your own settings or --sandbox can say: it does not count`);
  const rules = widenings(root, files);
  // Where nothing seems to need trust none is given, so that nothing depends on how well that was judged.
  if (rules.length === 0) return false;
  const { isTrusted } = await import("../host/trust.ts");
  if (isTrusted(root, files.project?.text ?? "")) return true;
  warn(`WARNING: loaf.yml is not trusted, so it opens no more than the defaults do (it asks for: ${rules.join(", ")}). Read it, then: loaf trust`);
  return false;
}

import { join } from "node:path";
import type { Command } from "commander";
import type { Settings } from "../../config/schema.ts";
import { acquireLock, type Lock } from "../../state/lock.ts";
import { problemWithPlace } from "../../state/output-file.ts";
import { projectStateFolder } from "../../state/places.ts";
import { problemWith } from "../watch/publish.ts";
import { personAt } from "./late-person.ts";
import type { WatchOptions } from "./options.ts";
import { complain, isTerminal, print, sayingOnce } from "./output.ts";
import { openProject, rootOf } from "./project.ts";
import { UsageError } from "./usage-error.ts";
import { WatchSession } from "./watch-session.ts";

/**
 * `loaf watch`: runs texts saved into the input file, and copied ones if the settings say so, until the user quits.
 *
 * @param createProgram creates the commands that can be typed with a slash
 */
export async function watch(options: WatchOptions, createProgram: () => Command): Promise<void> {
  const root = rootOf(options.root);
  const person = personAt(root, !isTerminal());
  const said = new Set<string>();
  const { settings } = await openProject({ ...options, asksTrust: true, person }, sayingOnce(complain, said));
  refuseUnfitFiles(root, settings.watch);
  const lock = await waitForOtherWatch(root);
  try {
    await new WatchSession({ root, settings, options, person, said, createProgram }).run();
  } finally {
    lock.release();
  }
}

/** Throws `UsageError` if a report could overwrite the answer, or anything else that is not a report. */
function refuseUnfitFiles(root: string, { input, output }: Settings["watch"]): void {
  if (input === output) throw new UsageError(`watch.input and watch.output are the same file, '${output}'`);
  const problem = problemWithPlace(root, input) ?? problemWith(root, output);
  if (problem !== undefined) throw new UsageError(problem);
}

/** Only one process at a time watches a project. */
function waitForOtherWatch(root: string): Promise<Lock> {
  return acquireLock(join(projectStateFolder(root), "watching"), {
    onWait: ({ pid }) =>
      print(`Another loaf watch is running on this project (process ${pid}); this one starts when it ends`),
  });
}

/** Runs hooks on the project's files and records their changes in the run's log. */
import { relative } from "node:path";
import { namedFew } from "../../core/named-few.ts";
import type { Settings } from "../../config/schema.ts";
import { GitFailed } from "../../git/git.ts";
import { configDigest, dropTrust } from "../../trust/trust.ts";
import { doneOperations } from "../../journal/inverse.ts";
import type { Journal } from "../../journal/journal.ts";
import { pathsOf } from "../../journal/split-groups.ts";
import { attempt } from "../../disk/system-error.ts";
import { openRepository } from "../../git/repository-of-project.ts";
import { HookWatch } from "./hook-watch.ts";
import { messageOf } from "../../core/message-of.ts";

export interface HookSite {
  /** Canonical. */
  readonly root: string;
  readonly settings: Settings;
  readonly journal: Journal;
  /** Receives notices for the user. */
  notify(notice: string): void;
}

/** Everything must be flushed before. Records the changes even if `act` throws. */
export async function observeHook<Value>({ root, settings, journal, notify }: HookSite, act: () => Promise<Value>): Promise<Value> {
  const log = journal.read();
  const touched = log === undefined ? [] : doneOperations(log).flatMap(({ intent: { operation } }) => pathsOf(operation));
  const watch = await HookWatch.begin({ root, touched, git: await gitOf({ root, settings }) });
  const config = configDigest(root);
  try {
    return await act();
  } finally {
    try {
      const { suspects, lost, since } = await watch.end();
      await journal.recordHookChanges(suspects, since);
      if (lost.length > 0) notify(`Not covered by undo, and changed by a hook: ${named(root, lost)}`);
    } catch (thrown) {
      notify(`NOTHING that a hook changed is covered by undo: ${messageOf(thrown)}`);
    }
    if (configDigest(root) !== config) {
      attempt(() => dropTrust(root));
      notify("A hook changed loaf.yml, which controls what Loaf may do. It is no longer trusted: check it, then: loaf trust");
    }
  }
}

async function gitOf(project: { readonly root: string; readonly settings: Settings }) {
  try {
    return (await openRepository(project))?.git;
  } catch (thrown) {
    if (thrown instanceof GitFailed) return undefined;
    throw thrown;
  }
}

const MAX_NAMED = 10;

function named(root: string, paths: readonly string[]): string {
  return namedFew(paths.map((path) => relative(root, path)), MAX_NAMED);
}

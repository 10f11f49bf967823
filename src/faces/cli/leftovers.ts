/** What every command does first: a run that was killed must not keep the user from working with git. */
import { removeLeftovers } from "../../git/index-lock.ts";
import { findRepository } from "../../git/repository.ts";
import { rootOf } from "./project.ts";

/** Removes what a Loaf that was killed left in the project's repository. Says nothing where there is no project: the command itself does. */
export function removeLeftoversIn({ root }: { readonly root?: string }): void {
  try {
    const repository = findRepository(rootOf(root));
    if (repository !== undefined) removeLeftovers(repository.gitFolder);
  } catch {
    // The command will find out the same, and say it.
  }
}

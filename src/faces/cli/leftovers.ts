/** First step of every command: a killed run must not block the user's work with git. */
import { removeLeftovers } from "../../git/index-lock.ts";
import { findRepository } from "../../git/repository.ts";
import { rootOf } from "./project.ts";

/** Removes files that a killed Loaf left in the project's repository. */
export function removeLeftoversIn({ root }: { readonly root?: string }): void {
  try {
    const repository = findRepository(rootOf(root));
    if (repository !== undefined) removeLeftovers(repository.gitFolder);
  } catch {
    // The command itself meets the same error, and reports it.
  }
}

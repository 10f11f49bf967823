/** Which actions cannot stay if others fail. */
import { dirname } from "node:path";

/** A change of a path, in one put or several. */
interface Dependent {
  readonly path: string;
  readonly authors: readonly number[];
  readonly before: { readonly kind: string } | null;
  readonly after: { readonly kind: string } | null;
}

/**
 * Adds the actions that depend on failed ones: those that changed the same path, made something in a directory that a
 * failed one put in the place of a file, or removed a directory that a failed one emptied.
 *
 * @param puts in order
 */
export function withDependents(failed: Iterable<number>, puts: readonly Dependent[]): ReadonlySet<number> {
  const dependents = new Map<number, Set<number>>();
  const depend = (authors: readonly number[], on: readonly number[]): void => {
    for (const author of on) {
      const known = dependents.get(author) ?? new Set();
      for (const other of authors) known.add(other);
      dependents.set(author, known);
    }
  };
  const changes = new Map<string, Dependent>();
  for (const put of puts) {
    const { before, authors } = changes.get(put.path) ?? { before: put.before, authors: [] };
    changes.set(put.path, { ...put, before, authors: [...authors, ...put.authors] });
  }
  for (const { path, authors, after } of changes.values()) {
    depend(authors, authors);
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      const above = changes.get(at);
      if (above === undefined) continue;
      const [wasDirectory, isDirectory] = [above.before?.kind === "directory", above.after?.kind === "directory"];
      if (isDirectory && !wasDirectory && above.before !== null) depend(authors, above.authors);
      if (wasDirectory && !isDirectory && after === null) depend(above.authors, authors);
    }
  }
  const all = new Set(failed);
  // The loop also visits what it adds.
  for (const author of all) for (const other of dependents.get(author) ?? []) all.add(other);
  return all;
}

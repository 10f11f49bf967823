import type { Operation, Planned } from "../../src/disk/operation.ts";

/** Returns the changes that operations make, each asked for by an action of its own. */
export function plannedFor(...operations: readonly Operation[]): Planned[] {
  return operations.flatMap((operation, index) => planned(operation, [index + 1]));
}

function planned(operation: Operation, authors: readonly number[]): Planned[] {
  switch (operation.kind) {
    case "write":
      return [{ path: operation.path, basis: operation.basis, authors, after: { like: operation.path, ...operation, kind: "file" } }];
    case "link":
      return [{ path: operation.path, basis: operation.basis, authors, after: { kind: "link", target: operation.target } }];
    case "unlink":
      return [{ path: operation.path, basis: operation.basis, authors, after: null }];
    case "rename":
      return [
        { path: operation.to, from: operation.from, basis: operation.replaced, authors, after: { kind: "moved", origin: operation.from } },
        { path: operation.from, basis: operation.basis, authors, after: null },
      ];
    case "makeDirectory":
      return [{ path: operation.path, basis: null, authors, after: { kind: "directory" } }];
    case "removeDirectory":
      return [{ path: operation.path, basis: { kind: "directory" }, authors, after: null }];
  }
}

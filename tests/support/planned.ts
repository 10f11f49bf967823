import type { Basis, Image, Planned } from "../../src/disk/planned.ts";

/** A change as a file system would make it. `replaced` is the basis of `to`. */
export type Operation =
  | { readonly kind: "write"; readonly path: string; readonly content: Buffer | Image; readonly mode?: number; readonly basis: Basis }
  | { readonly kind: "link"; readonly path: string; readonly target: string; readonly basis: Basis }
  | { readonly kind: "unlink"; readonly path: string; readonly basis: Basis }
  | { readonly kind: "rename"; readonly from: string; readonly to: string; readonly basis: Basis; readonly replaced: Basis }
  | { readonly kind: "makeDirectory"; readonly path: string }
  | { readonly kind: "removeDirectory"; readonly path: string };

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

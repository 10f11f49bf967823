/**
 * What an edit leaves in the project, as data: by it a later run recognises that the effect of an edit is there. Paths
 * are absolute, and may carry an address.
 */
export type Trace =
  /** The file has this text. `isLoose`: whatever its line endings and final newlines. */
  | { readonly kind: "content"; readonly path: string; readonly text: string; readonly isLoose?: true }
  /** The file ends with this text. */
  | { readonly kind: "end"; readonly path: string; readonly text: string }
  /** `newText` is where `oldText` was. */
  | {
      readonly kind: "replaced";
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
      /** Set if `oldText` is only the beginning of what was replaced, or was replaced everywhere. */
      readonly isOneWay?: true;
    }
  /** `text` has replaced so many lines, from the 1-based line `first` on. */
  | {
      readonly kind: "lines";
      readonly path: string;
      readonly first: number;
      readonly replaced: number;
      readonly text: string;
    }
  /** Nothing is there. */
  | { readonly kind: "gone"; readonly path: string }
  /** What was at `from` is at `path`. */
  | { readonly kind: "moved"; readonly from: string; readonly path: string };

/** Parses git's output about changed paths, with names as bytes. */

/** A path whose file differs from the index. */
export interface Modified {
  /** Relative to the root. */
  readonly path: Buffer;
  /** The mode in the index: file, executable file or link. */
  readonly mode: "100644" | "100755" | "120000";
  /** Object name of its bytes. */
  readonly id: string;
  /** The path is missing now, or a directory. */
  readonly isGone: boolean;
}

/** Parses `git diff -z --raw`: `:100644 100644 <id> <id> M`, a NUL, the path, a NUL. */
export function parseRawDiff(output: Buffer): Modified[] {
  const fields = splitAtNul(output);
  const found: Modified[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", newMode, id = "", , status] = (fields[at] as Buffer).toString("latin1").slice(1).split(" ");
    // A path that is a nested repository now no longer belongs to this one.
    found.push({ path: fields[at + 1] as Buffer, mode: mode as Modified["mode"], id, isGone: status === "D" || newMode === "160000" });
  }
  return found;
}

export function splitAtNul(output: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0, end = output.indexOf(0); end !== -1; start = end + 1, end = output.indexOf(0, start)) parts.push(output.subarray(start, end));
  return parts;
}

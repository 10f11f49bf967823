/** Reads what git prints about changed paths, names as the bytes that they are. */

/** A path whose file differs from what the index says of it. */
export interface Modified {
  /** From the root on. */
  readonly path: Buffer;
  /** What the index has: a file, one that may be executed, or a link. */
  readonly mode: "100644" | "100755" | "120000";
  /** The object that holds its bytes. */
  readonly id: string;
  /** Nothing stands there any more, or a directory. */
  readonly isGone: boolean;
}

/** Of `git diff -z --raw`: `:100644 100644 <id> <id> M`, a NUL, the path, a NUL. */
export function parseRawDiff(output: Buffer): Modified[] {
  const fields = splitAtNul(output);
  const found: Modified[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", newMode, id = "", , status] = (fields[at] as Buffer).toString("latin1").slice(1).split(" ");
    // What is a repository of its own now is no part of this one.
    found.push({ path: fields[at + 1] as Buffer, mode: mode as Modified["mode"], id, isGone: status === "D" || newMode === "160000" });
  }
  return found;
}

export function splitAtNul(output: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0, end = output.indexOf(0); end !== -1; start = end + 1, end = output.indexOf(0, start)) parts.push(output.subarray(start, end));
  return parts;
}

import { ClipboardError, copyToClipboard } from "../watch/clipboard.ts";
import { complain } from "./output.ts";

/**
 * Puts a text on the clipboard. On failure, prints a sentence, sets exit code 1 and returns false: the work before it
 * is done.
 */
export async function copy(text: string): Promise<boolean> {
  try {
    await copyToClipboard(text);
    complain("Copied to the clipboard.");
    return true;
  } catch (thrown) {
    if (!(thrown instanceof ClipboardError)) throw thrown;
    complain(thrown.message);
    process.exitCode ||= 1;
    return false;
  }
}

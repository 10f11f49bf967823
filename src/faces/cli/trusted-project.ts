import type { Content } from "../../core/change.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { widenings } from "../../run/widening.ts";
import type { ConfigFiles } from "../../state/config-files.ts";

/**
 * Shows a text and asks a question. Resolves to true for a yes. Throws `Unanswered` on Ctrl-C or end of input.
 */
export type Confirm = (text: string, question: string) => Promise<boolean>;

/**
 * Returns whether a project's loaf.yml may allow more than the defaults do. If it has changed since it was trusted,
 * shows the difference and asks, if possible. Otherwise only its restrictions apply, and a warning says so.
 */
export async function isTrustedProject(
  root: string,
  files: ConfigFiles,
  { warn, confirm }: { readonly warn: (sentence: string) => void; readonly confirm?: Confirm | undefined },
): Promise<boolean> {
  const { ignored } = files.project ?? {};
  if (ignored !== undefined)
    warn(`WARNING: loaf.yml asks for ${ignored}, which only your own settings or --sandbox can set: ignored`);
  const opened = widenings(root, files);
  // Without widenings, returns false, so that nothing depends on the widenings being complete.
  if (files.project === undefined || opened.length === 0) return false;
  const { text } = files.project;
  const { trust, trustedText } = await import("../../trust/trust.ts");
  const trusted = trustedText(root);
  if (trusted === text) return true;
  const asksFor = opened.map((one) => visibleOnOneLine(one)).join(", ");
  if (trusted !== undefined && confirm !== undefined) {
    const question = `loaf.yml has changed since it was trusted (it asks for: ${asksFor}). Trust it as it is now?`;
    if (await confirm(await trustDifference(trusted, text), question)) {
      trust(root, text);
      return true;
    }
  }
  const what = trusted === undefined ? "loaf.yml is not trusted" : "loaf.yml has changed since it was trusted";
  warn(`WARNING: ${what}, so it allows no more than the defaults (it asks for: ${asksFor}). Read it, then: loaf trust`);
  return false;
}

/** Returns the changes of loaf.yml as a diff for display. */
export async function trustDifference(before: string, after: string): Promise<string> {
  const { unifiedDiff } = await import("../../report/diff.ts");
  return unifiedDiff([{ path: "/loaf.yml", before: textFile(before), after: textFile(after) }], "/");
}

/** Returns a file with this text, for a diff. */
function textFile(text: string): Content {
  return { kind: "file", mode: 0o644, size: Buffer.byteLength(text), bytes: Buffer.from(text) };
}

import type { ConfigFiles } from "../../state/config-files.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { widenings } from "../../run/answer/widening.ts";

/** Shows a text and asks a question; true for a yes. */
export type Confirm = (text: string, question: string) => Promise<boolean>;

/**
 * Whether a project's loaf.yml may open more than the defaults do. Where it has changed since it was trusted, whoever can be asked sees the difference
 * and decides; otherwise it counts only as far as it narrows, and a sentence says so.
 */
export async function isTrustedProject(root: string, files: ConfigFiles, { warn, confirm }: { readonly warn: (sentence: string) => void; readonly confirm?: Confirm | undefined }): Promise<boolean> {
  const { ignored } = files.project ?? {};
  if (ignored !== undefined) warn(`WARNING: loaf.yml asks for ${ignored}, which only your own settings or --sandbox can say: it does not count`);
  const opened = widenings(root, files);
  // Where nothing seems to need trust none is given, so that nothing depends on how well that was judged.
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
  warn(`WARNING: ${what}, so it opens no more than the defaults do (it asks for: ${asksFor}). Read it, then: loaf trust`);
  return false;
}

/** What has changed in loaf.yml, as a diff that can be shown. */
export async function trustDifference(before: string, after: string): Promise<string> {
  const { unifiedDiff } = await import("../../report/diff.ts");
  const content = (text: string) => ({ kind: "file", mode: 0o644, size: Buffer.byteLength(text), bytes: Buffer.from(text) }) as const;
  return unifiedDiff([{ path: "/loaf.yml", before: content(before), after: content(after) }], "/");
}

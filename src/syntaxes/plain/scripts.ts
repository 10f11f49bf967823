/** Tells the text of a shell script from commands to run. */
import { toldPath } from "../path-label.ts";
import type { FileWith } from "../syntax.ts";
import { handsOver } from "./hands-over.ts";
import type { FencePassage } from "./passages.ts";
import { SCRIPT, toBeMade } from "./words.ts";

interface About {
  /** The sentences above the fence. */
  readonly intro: string;
  /** The file that the text is about. */
  readonly near: string | undefined;
  /** Whether it is the old or the new text of a pair. */
  readonly isOfPair: boolean;
}

/** Returns whether a fence with commands is the text of a script. */
export function isScriptText(content: string, { intro, near = "", isOfPair }: About): boolean {
  const tellsLine = LINE_TOLD.test(intro) && /[:：]\s*$/.test(intro) && /^\s/.test(content) && handsOver(intro);
  return (
    SCRIPT.test(toldPath(intro) ?? "") ||
    (IN_SCRIPT.test(intro) && toBeMade(intro)) ||
    (SCRIPT.test(near) && (SCRIPT_TEXT.test(content) || tellsLine || isOfPair))
  );
}

/**
 * Returns the script that the commands of a fence are lines of, where sentences hand them over: the one told above, or
 * the only one that has them.
 *
 * @param near the file that the text is about
 */
export function scriptFor(
  fence: FencePassage,
  { intro, near, isOfPair, old = fence }: About & { readonly old?: FencePassage | undefined },
  fileWith: FileWith,
): string | undefined {
  const order = intro.split("\n").at(-1) ?? "";
  const isTyped = PROMPT.test(fence.content) || AT_PROMPT.test(order);
  if (!fence.isCommand || isTyped || !(isOfPair || handsOver(order))) return undefined;
  const path = fileWith.scriptWith(old.content, isOfPair);
  return near === undefined || near === path ? path : undefined;
}

const AT_PROMPT =
  /\b(?:by hand|command line|commands?|console|install|machine|one-off|profile|prompt|restart|server|services?|shell|terminal|fresh clone)\b/i;
const PROMPT = /^\s*[$%>] /m;
/** In `deploy.sh`, change this part. */
const IN_SCRIPT = /^(?:in|dans|en)\s+`[^`\n]+\.(?:(?:ba|z|fi)?sh|ps1|bat|cmd)`/im;
/** What no command at a prompt has: an interpreter, a function. */
const SCRIPT_TEXT = /^#!|^(?:function\s+)?[\w-]+\s*\(\)\s*\{/m;
/** A line of code in a sentence. */
const LINE_TOLD = /`[^`\n]*\S \S[^`\n]*`/;

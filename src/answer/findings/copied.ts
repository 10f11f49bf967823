/** Recognises an answer that was selected and copied, without the marks of its code: the labels of the code boxes stay. */
import type { Finding } from "../../core/finding.ts";
import { namedFew } from "../../core/visible.ts";
import { pathAbove } from "../../syntaxes/path-label.ts";
import type { Source } from "../../syntaxes/source.ts";

/** Undefined for a text with a code fence, or without such labels. */
export function copiedFinding({ text, fences }: Source): Finding | undefined {
  if (fences.length > 0) return undefined;
  const lines = text.split("\n").map((line) => line.trimEnd());
  const labels = [...lines.keys()].filter((at) => isLabel(lines, at));
  const [first] = labels;
  if (first === undefined) return undefined;
  const numbers = namedFew(
    labels.map((at) => String(at + 1)),
    MAX_NAMED,
  );
  return {
    code: "answer/not-read",
    line: first + 1,
    message: `not read: code without its marks, of which nobody can tell where it ends (${labels.length === 1 ? "line" : "lines"} ${numbers})`,
    request: "Copy the answer with the chat's copy button, not by selecting it; or ask for each file in a code fence",
  };
}

const MAX_NAMED = 8;

/**
 * Returns whether a line is the name of a language or of a file above code, with or without the box's buttons between
 * them, or opens a code box of HTML.
 */
function isLabel(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (/^\s*<pre\b[^>]*>\s*<code\b/i.test(line)) return true;
  if (!LANGUAGE.test(line) && pathAbove(line, true) === undefined) return false;
  let below = at + 1;
  while (below < lines.length && (lines[below] === "" || BUTTON.test(lines[below] ?? ""))) below += 1;
  const hasButton = lines.slice(at + 1, below).some((line) => line !== "");
  const code = lines.slice(below, below + MAX_CODE);
  return code.length > 0 && (hasButton || code.filter((text) => CODE.test(text) && !LIST.test(text)).length > 1);
}

/** Lines to look at below a label. */
const MAX_CODE = 6;
const LANGUAGE =
  /^(?:python|javascript|typescript|jsx?|tsx?|java|kotlin|swift|go|golang|rust|ruby|php|c|c\+\+|cpp|c#|csharp|html|css|scss|sql|json|ya?ml|toml|xml|bash|shell|sh|powershell|diff|markdown|dockerfile|vue|svelte|dart|lua|r|scala|plaintext|text)$/i;
const BUTTON =
  /^(?:Copy(?: code)?|Edit|Download|Run|Wrap|Collapse|Expand|Copied!|Kopieren|Copier|Copiar|复制(?:代码)?|コピー)$/;
const LIST = /^\s*(?:[-*+•]|\d+[.)])\s/;
/** What sentences hardly end in or begin with. */
const CODE =
  /[;{}]$|^\s{2,}\S|^(?:import|from|def|class|const|let|var|function|export|package|using|#include|public|return|async|@\w+)\b|^\S+\s*=\s|\);?$|:$/;

import type { YAMLError } from "yaml";

/** Returns a YAML error as one sentence for people who do not know about documents, tags and flow collections. */
export function yamlSentence({ code, message, pos }: YAMLError, text: string): string {
  const [word = ""] = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:]+)/.exec(text.slice(pos[0])) ?? [];
  const [, closing] = /(?:end with a |Missing closing )(["'\]}])/.exec(message) ?? [];
  if (code === "DUPLICATE_KEY") return `The key ${quoted(word)} is a duplicate`;
  if (code === "MULTIPLE_DOCS") return "A second document begins here: remove the line '---'";
  if (code === "TAG_RESOLVE_FAILED") return `The tag '${/^\S*/.exec(text.slice(pos[0]))?.[0] ?? ""}' is not supported here: remove it`;
  if (closing !== undefined) return `A closing ${closing} is missing: an earlier bracket or quote is not closed`;
  // The first line of the parser's message, without its full stop or colon.
  return (message.split("\n", 1)[0] ?? message).replace(/[.:]$/, "");
}

function quoted(word: string): string {
  return /^["']/.test(word) ? word : `'${word}'`;
}

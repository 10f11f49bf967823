import type { YAMLError } from "yaml";

/** What is wrong with a text as YAML, as one sentence for people who have never heard of documents, tags and flow collections. */
export function yamlSentence({ code, message, pos }: YAMLError, text: string): string {
  const [word = ""] = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:]+)/.exec(text.slice(pos[0])) ?? [];
  const [, closing] = /(?:end with a |Missing closing )(["'\]}])/.exec(message) ?? [];
  if (code === "DUPLICATE_KEY") return `The key ${quoted(word)} is here a second time`;
  if (code === "MULTIPLE_DOCS") return "A second document begins here: take the line '---' away";
  if (code === "TAG_RESOLVE_FAILED") return `The tag '${/^\S*/.exec(text.slice(pos[0]))?.[0] ?? ""}' means nothing here: take it away`;
  if (closing !== undefined) return `A closing ${closing} is missing: what was opened before does not end`;
  // The parser's own words but for the full stop or colon, and for what follows its first line.
  return (message.split("\n", 1)[0] ?? message).replace(/[.:]$/, "");
}

function quoted(word: string): string {
  return /^["']/.test(word) ? word : `'${word}'`;
}

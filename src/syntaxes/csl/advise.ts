/** Tells how to write a line of CSL again that is a syntax error. */
import type { Diagnostic } from "../../core/block.ts";
import type { ReadSettings } from "../syntax.ts";
import { type Delimiters, markerName, OPENERS, readMarker } from "./marker.ts";

/** Returns a hint for each error. */
export function advise(diagnostics: readonly Diagnostic[], _text: string, { csl }: ReadSettings): readonly string[] {
  return diagnostics.map((diagnostic) => hintOn(diagnostic, csl));
}

function hintOn({ code, line, content, attribute }: Diagnostic, csl: Delimiters): string {
  const marker = (inside: string): string => `${csl.start}${inside}${csl.end}`;
  switch (code) {
    case "MISSING_REPLACE":
      return `write the line ${marker("REPLACE")} and the new text before ${marker("END")}`;
    case "UNTERMINATED_OPERATION":
      return `end the operation of line ${line} with this line: ${marker("END")}`;
    case "DUPLICATE_ATTRIBUTE":
      return `keep one of the attributes with this name in line ${line}`;
    case "UNKNOWN_OPERATION":
      return `the operations are ${OPENERS.map(marker).join(", ")}; a line of text must not begin with ${csl.start}`;
    case "MISPLACED_MARKER":
      return markerName(content, csl) === "TASKS"
        ? `end the first ${marker("TASKS")} with ${marker("END")} before the second one begins`
        : `leave out line ${line}, or write the operation that it belongs to above it`;
    case "INVALID_OPERATION":
      return hintOnOperation(attribute, markerName(content, csl), marker);
    default: {
      const right = content.length > MAX_SHOWN ? undefined : rightMarker(content, csl);
      return right === undefined
        ? `write a marker as in: ${marker('WRITE file="src/a.txt"')}`
        : `write line ${line} as: ${right}`;
    }
  }
}

const MAX_SHOWN = 300;

function hintOnOperation(attribute: string | undefined, name: string, marker: (inside: string) => string): string {
  if (attribute === "count")
    return `write count="1", another number, or count="all"; with ${marker("TO")}, no count`;
  if (attribute === "append") return `write append="true", or leave append out`;
  if (attribute === "file") return `write the file's path in the marker, as in: ${marker(`${name} file="src/a.txt"`)}`;
  return name === "RUN"
    ? `write one command on each line below ${marker("RUN")}`
    : "quote the text to find, at least one character of it";
}

/** Returns the marker with quotes around its values and nothing after it, if that makes it right. */
function rightMarker(content: string, csl: Delimiters): string | undefined {
  const name = markerName(content, csl).toUpperCase().replace(/[^A-Z].*$/, "");
  const [inside = ""] = content.slice(csl.start.length).split(csl.end, 1);
  const attributes = [...inside.matchAll(/([a-z]+)\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s"'<>-]\S*))/g)].map(
    ([, key, ...values]) => `${key}="${(values.find((value) => value !== undefined) ?? "").replace(/-+>?$/, "")}"`,
  );
  const right = `${csl.start}${[name, ...attributes].join(" ")}${csl.end}`;
  const read = [...OPENERS, "END", "TO", "REPLACE"].includes(name) ? readMarker(right, name, csl) : undefined;
  return read === undefined || "code" in read || right === content ? undefined : right;
}

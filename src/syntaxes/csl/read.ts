/** Translates CSL operations into blocks of the actions that perform them. */
import type { ReadBlock, ReadText } from "../../core/block.ts";
import { type CslResult, CslParser, diagnosticAt, type Operation } from "./parser.ts";
import type { Delimiters } from "./marker.ts";
import { Properties } from "../properties.ts";

export function readCsl(text: string, delimiters: Delimiters): ReadText {
  const parser = new CslParser(delimiters);
  parser.write(text);
  return blocksOf(parser.end());
}

/** Turns an invalid operation into a diagnostic, and a TASKS into a group. */
export function blocksOf(result: CslResult): ReadText {
  if ("fatal" in result) return { items: [], fatal: result.fatal };
  const items: ReadBlock[] = [];
  for (const operation of result.operations) {
    if (operation.name !== "TASKS") items.push(blockOf(operation, undefined));
    for (const one of operation.operations) items.push(blockOf(one, operation.id));
  }
  return { items };
}

function blockOf(operation: Operation, group: string | undefined): ReadBlock {
  const { id, name, place, endLine, span } = operation;
  const problem = problemWith(operation);
  const warnings = warningsOn(operation);
  return {
    block: { id, properties: propertiesOf(operation), startLine: place.line, endLine },
    diagnostics: problem === undefined ? [] : [diagnosticAt(place, "INVALID_OPERATION", id, problem)],
    span,
    ...(warnings !== undefined && { warnings }),
    translation: { paths: "from-root", operation: name, ...(group !== undefined && { group }) },
  };
}

function propertiesOf({ name, attributes, content, to, replacement }: Operation): Record<string, string> {
  const properties = new Properties();
  const set = (key: string, value: string | undefined): void => {
    if (value !== undefined) properties[key] = value;
  };
  if (name === "RUN") {
    set("action", "run_commands");
    set("commands", content);
    set("dir", attributes.get("dir"));
    return properties;
  }
  set("action", name === "WRITE" ? writeAction(attributes.get("append")) : searchAction(attributes.get("count"), to));
  set("path", attributes.get("file"));
  if (name === "WRITE") set("content", content);
  else {
    set(to === undefined ? "old_text" : "old_text_beginning", content);
    set("old_text_end", to);
    set("new_text", replacement);
    if (properties["action"] === "file_replace_all_text" && attributes.get("count") !== "all") set("count", attributes.get("count"));
  }
  return properties;
}

function writeAction(append: string | undefined): string {
  return append === "true" ? "file_append" : "file_write";
}

function searchAction(count: string | undefined, to: string | undefined): string {
  if (to !== undefined) return "file_replace_text_range";
  return isOne(count) ? "file_replace_text" : "file_replace_all_text";
}

/** Returns the first problem of an operation. */
function problemWith({ name, attributes, content, to }: Operation): string | undefined {
  if (name === "RUN") return content.trim() === "" ? "Empty content not allowed for RUN operation" : undefined;
  if ((attributes.get("file") ?? "") === "") return "Missing required attribute 'file'";
  const append = attributes.get("append");
  if (name === "WRITE") return append === undefined || append === "true" || append === "false" ? undefined : "Invalid value for 'append': must be 'true' or 'false'";
  const count = attributes.get("count");
  if (!isOne(count) && count !== "all" && !/^0*[1-9][0-9]*$/.test(count)) return "Invalid value for 'count': must be positive integer or 'all'";
  if (content === "") return "Empty search pattern not allowed";
  if (to === "") return "Empty TO pattern not allowed";
  return to !== undefined && !isOne(count) ? "Invalid value for 'count': must be 1 with TO" : undefined;
}

function isOne(count: string | undefined): count is "1" | undefined {
  return count === undefined || /^0*1$/.test(count);
}

/** The known attributes. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = { WRITE: ["file", "append"], RUN: ["dir"], SEARCH: ["file", "count"] };

function warningsOn({ name, attributes }: Operation): string[] | undefined {
  let warnings: string[] | undefined;
  for (const attribute of attributes.keys()) {
    if (ATTRIBUTES[name]?.includes(attribute) !== true) (warnings ??= []).push(`unknown attribute '${attribute}' was ignored`);
  }
  return warnings;
}

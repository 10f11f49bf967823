/** Actions from programs: by name, with JSON values. They become the same blocks as those of a text. */
import type { ReadBlock } from "../core/block.ts";
import { type Reading, readingOf, type ReadingOptions, refused } from "./reading.ts";

export interface StructuredAction {
  /** `file_write` */
  readonly action: string;
  /** A list is for parameters that take several paths. */
  readonly params?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Name in results. Defaults to its position, from 1. */
  readonly id?: string;
}

/** Reads a list of actions. Refuses it entirely if it exceeds the limits or is malformed. */
export function readStructured(
  actions: readonly StructuredAction[],
  { settings, wants = () => true }: Pick<ReadingOptions, "settings" | "wants">,
): Reading {
  const { max_input: longest, max_blocks: most } = settings.limits;
  const wrong = actions.findIndex((action) => typeof action?.action !== "string");
  if (wrong >= 0) return refused(`Action ${wrong + 1} of the list has no name: nothing was run`);
  if (actions.length > most)
    return refused(`The list has ${actions.length} actions, the limit is ${most}: nothing was run`);
  const misnamed = actions.findIndex(({ id }) => id !== undefined && !(typeof id === "string" && ID.test(id)));
  if (misnamed >= 0)
    return refused(
      `The id of action ${misnamed + 1} must be 1 to 64 letters, digits, dots, hyphens and underscores: nothing was run`,
    );
  const lines = actions.map((action) => JSON.stringify(action));
  const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  if (size > longest) return refused(`The list has ${size} bytes, the limit is ${longest}: nothing was run`);
  const text = lines.join("\n");
  let start = 0;
  const items = actions.map((action, position) => {
    const line = lines[position] as string;
    const item = blockOf(action, { line, number: position + 1, start });
    start += line.length + 1;
    return item;
  });
  return readingOf(items, text, { findings: [], wants });
}

/** It is printed in reports, which must not act. */
const ID = /^[\w.-]{1,64}$/;

function blockOf(
  { action, params = {}, id }: StructuredAction,
  { line, number, start }: { readonly line: string; readonly number: number; readonly start: number },
): ReadBlock {
  const values = Object.entries(params).filter(([, value]) => value !== undefined);
  const blockId = id ?? String(number);
  const properties: Record<string, string> = Object.create(null);
  for (const [key, value] of values) properties[key] = textOf(value) ?? "";
  // Last: a parameter of this name must not choose another action.
  properties["action"] = action;
  const diagnostics = values.flatMap(([key, value]) => {
    if (textOf(value) !== undefined) return [];
    const message = `parameter '${key}' is ${value === null ? "null" : "an object"}: give a string, a number, true, false or a list of strings`;
    const place = { line: number, column: 1, length: line.length, blockId, content: line, context: line };
    return [{ ...place, code: "INVALID_VALUE" as const, message }];
  });
  return {
    id: blockId,
    properties,
    startLine: number,
    endLine: number,
    diagnostics,
    span: { start, end: start + line.length },
  };
}

/** Returns the value as a block would write it. Undefined if no parameter takes such a value. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) && value.every((entry) => typeof entry === "string" && !entry.includes("\n"))
    ? value.join("\n")
    : undefined;
}

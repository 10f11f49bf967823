/** Finds the calls in values of JSON. */
import { isObject, parsedJson } from "./arguments.ts";
import { type Call, isKnownTool } from "./tools.ts";

/**
 * Returns the calls in a value: Anthropic's tool_use, OpenAI's function_call and tool_calls, Google's functionCall,
 * MCP's tools/call, and `{name, arguments}`, alone or in lists. Other JSON has none.
 *
 * @param isCertain whether the value stands where only a call does, so that any name is one
 */
export function callsIn(value: unknown, isCertain: boolean): readonly Call[] {
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => callsIn(entry, isCertain));
  if (!isObject(value)) return [];
  for (const key of LISTS) if (Array.isArray(value[key])) return callsIn(value[key], isCertain);
  for (const key of ["message", "content"]) if (isObject(value[key])) return callsIn(value[key], isCertain);
  const inner = ["function", "function_call", "functionCall"].map((key) => value[key]).find(isObject);
  if (inner !== undefined) return callOf(inner, true);
  if (value["method"] === "tools/call" && isObject(value["params"])) return callOf(value["params"], true);
  const operation = value["type"] === "apply_patch_call" ? value["operation"] : undefined;
  if (isObject(operation)) return inlineCall(operation);
  const inline = [...inlineCall(value), ...listedCalls(value)];
  if (inline.length > 0) return inline;
  return callOf(value, isCertain || CALL_TYPES.includes(String(value["type"])));
}

/** Returns the call of a value whose arguments stand beside the name of the tool: `{tool, path, old, new}`. */
function inlineCall(value: Readonly<Record<string, unknown>>): readonly Call[] {
  const tool = ["tool", "action", "op", "type"].map((key) => value[key]).find((name) => typeof name === "string");
  const isKnown = tool !== undefined && isKnownTool(tool) && typeof value["path"] === "string";
  const hasOwn = ARGUMENTS.some((key) => key in value);
  return isKnown && !hasOwn ? [{ tool, given: value, isRepaired: false }] : [];
}

/** Returns the calls of an answer in JSON: `{files: [{path, content}]}`, `{edits: [{file, find, replace}]}`. */
function listedCalls(value: Readonly<Record<string, unknown>>): readonly Call[] {
  const { files, edits, ...others } = value;
  const given = [files, edits].filter((list) => Array.isArray(list)).flat() as readonly unknown[];
  const isAnswer = Object.keys(others).every((key) => ["summary", "explanation", "message", "plan"].includes(key));
  if (!isAnswer || !given.every(isObject)) return [];
  const calls = given.map((entry) => ({
    tool: "content" in entry ? "write_file" : "edit_file",
    given: entry,
    isRepaired: false,
  }));
  // Other JSON has such lists, too.
  const isCall = ({ given: entry }: Call): boolean =>
    typeof (entry["path"] ?? entry["file"]) === "string" &&
    ["content", "replace", "new", "new_string", "new_text"].some((key) => typeof entry[key] === "string");
  return calls.every(isCall) ? calls : [];
}

/** Returns whether a value has a name and arguments, and little else. */
export function isPlainCall(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlainCall);
  return (
    isObject(value) &&
    [value["arguments"], value["input"]].some(isObject) &&
    Object.keys(value).every((key) => PLAIN_KEYS.includes(key))
  );
}

const ARGUMENTS = ["input", "arguments", "parameters", "params", "args", "tool_input"];
const PLAIN_KEYS = ["name", "tool", "tool_name", "arguments", "input", "id", "type"];
const LISTS = ["operations", "tool_calls", "content", "tool_uses", "output", "parts", "candidates", "choices"];
const CALL_TYPES = ["tool_use", "function_call", "tool_call", "custom_tool_call"];

export function callOf(value: Readonly<Record<string, unknown>>, isCertain: boolean): readonly Call[] {
  const tool = ["name", "tool", "tool_name", "recipient_name", "function"]
    .map((key) => value[key])
    .find((name) => typeof name === "string");
  const written = ARGUMENTS.map((key) => value[key]).find((given) => given !== undefined);
  if (tool === undefined || written === undefined || !(isCertain || isKnownTool(tool))) return [];
  const parsed = typeof written === "string" ? parsedJson(written) : { value: written, isRepaired: false };
  const { value: given, isRepaired } = parsed ?? { value: { input: written }, isRepaired: false };
  // Declarations of tools have the schema of their parameters there.
  if (isObject(given) && given["type"] === "object" && isObject(given["properties"])) return [];
  return [{ tool, given: isObject(given) ? given : {}, isRepaired }];
}

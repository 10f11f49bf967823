import type { AnyAction, ExecSettings } from "../actions/define.ts";
import { actions } from "../actions/index.ts";
import { ONE_PER_LINE } from "../actions/params.ts";
import { inputSchema, type JsonSchema } from "./parameters.ts";

/** An action as programs with JSON values call it through `Loaf.perform`. */
export interface DescribedAction {
  /** `file_write` */
  readonly name: string;
  /** One sentence, and what else a model must know. */
  readonly description: string;
  /** JSON Schema of its parameters: numbers, booleans and lists instead of text. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** It changes neither the project nor anything that Loaf keeps. */
  readonly isReadOnly: boolean;
  /** It may replace or remove something that is there. */
  readonly isDestructive: boolean;
  /** A second call with the same parameters changes nothing more. */
  readonly isIdempotent: boolean;
  /** It may reach the network. */
  readonly isOpenWorld: boolean;
  /** `file` for actions on files and directories, `command` for programs, `context` for the context set. */
  readonly group: "file" | "command" | "context";
}

interface ActionSettings {
  /** Names of the allowed actions; undefined allows all. */
  readonly "allowed-actions"?: readonly string[] | undefined;
  readonly exec: ExecSettings;
}

/** Returns the actions that the settings allow, in the order of the documents. */
export function describeActions(settings: ActionSettings): DescribedAction[] {
  const { "allowed-actions": allowed, exec } = settings;
  return actions.filter(({ name }) => allowed?.includes(name) ?? true).flatMap((action) => describe(action, exec));
}

/** Returns nothing if the settings allow nothing of the action. */
function describe(action: AnyAction, exec: ExecSettings): DescribedAction[] {
  const { name, notes = [], effect, runs, ofContext } = action;
  const summary = action.summaryUnder === undefined ? action.summary : action.summaryUnder(exec);
  if (summary === undefined) return [];
  const isReadOnly = effect === undefined && runs === undefined && ofContext !== "changes";
  return [
    {
      name,
      description: [summary, ...notes].join(" "),
      schema: nativeSchema(action),
      isReadOnly,
      isDestructive: runs !== undefined || (effect !== undefined && !ADDS.has(effect.verb)),
      isIdempotent: runs === undefined && (effect === undefined || ENDS_ALIKE.has(effect.verb)),
      isOpenWorld: runs !== undefined && (exec.network || exec.sandbox === "off"),
      group: runs !== undefined ? "command" : ofContext === undefined ? "file" : "context",
    },
  ];
}

/** Effects that take nothing away. */
const ADDS: ReadonlySet<string> = new Set(["append to", "make"]);

/** Effects that a second call would find already made. */
const ENDS_ALIKE: ReadonlySet<string> = new Set(["write", "make", "delete", "remove"]);

function nativeSchema({ params }: AnyAction): JsonSchema {
  const { properties = {}, required = [] } = inputSchema(params);
  const native = Object.entries(properties).map(([name, property]) => [name, nativeProperty(property)] as const);
  return { type: "object", properties: Object.fromEntries(native), ...(required.length > 0 && { required }) };
}

/** Returns the schema of the JSON value instead of that of its text in a block. */
function nativeProperty({ description = "", enum: words, pattern, format }: JsonSchema): JsonSchema {
  const accepts = (text: string): boolean => new RegExp(pattern ?? "").test(text);
  if (words?.join() === "true,false") return { type: "boolean", description: description.replaceAll("`", "") };
  if (words !== undefined) return { type: "string", enum: words, description };
  if (format === "addresses")
    return { type: "array", items: { type: "string" }, description: description.replace(ONE_PER_LINE, "") };
  // Any text that may be given to a program is valid, numbers are not.
  if (accepts("7") && !accepts("x")) return { type: "integer", minimum: accepts("0") ? 0 : 1, description };
  return { type: "string", description };
}

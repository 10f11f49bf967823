/** Hints on blocks that cannot run: what to write instead. */
import { join } from "node:path";
import type { AnyAction } from "../actions/define.ts";
import { actions, commandForUser } from "../actions/index.ts";
import { descriptionOf } from "../actions/params.ts";
import { closest } from "../config/closest.ts";
import type { Failure } from "../core/failure.ts";
import { actionMeant } from "../core/synonyms.ts";

/** Facts to build hints from. */
export interface HintFacts {
  /** The project's root, absolute. */
  readonly root: string;
  /** Names of allowed actions; all of them if undefined. */
  readonly allowed?: readonly string[] | undefined;
}

export interface RefusedProperties extends HintFacts {
  /** The block's properties, without its action. */
  readonly given: Readonly<Record<string, string>>;
  /** Undefined if it is not known. */
  readonly definition: AnyAction | undefined;
  /** Whether it is a block of NESL. */
  readonly isNesl: boolean;
}

/** Returns a hint for the author of a block on how to correct it. Undefined if there is none. */
export function hintOn(failure: Failure, block: RefusedProperties): string | undefined {
  const { root, definition, isNesl } = block;
  const line = (key: string, value: string): string =>
    isNesl ? `${key} = ${JSON.stringify(value)}` : `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
  switch (failure.code) {
    case "action/missing":
      return hintOnMissingAction(block, line);
    case "action/unknown":
      return hintOnName(failure.action, namesOf(block));
    case "action/user-only":
      return `leave the block out: only the user can do this, with ${commandForUser(failure.action) ?? "a command"}`;
    case "params/missing":
      return hintOnMissing(failure.parameter, block, line);
    case "params/path":
      return hintOnPath(failure.value, root, (path) => line(failure.parameter, path));
    case "params/integer": {
      if (/^0+$/.test(failure.value))
        return `write ${failure.parameter} above 0${described(definition, failure.parameter)}, or leave it out`;
      const digits =
        /^[\s"']*([0-9][0-9_,\s]*)(?:\.0+)?\s*(?:ms)?["']?$/.exec(failure.value)?.[1]?.replace(/[^0-9]/g, "") ??
        inMilliseconds(failure.value, described(definition, failure.parameter));
      return digits === undefined
        ? `write ${failure.parameter} in digits only${described(definition, failure.parameter)}, or leave it out`
        : `write ${line(failure.parameter, digits)}`;
    }
    case "params/nul":
      return `write ${failure.parameter} without it`;
    case "params/boolean": {
      const word = BOOLEANS.find(([, words]) => words.test(failure.value.trim()))?.[0];
      return `write ${word === undefined ? `${line(failure.parameter, "true")} or ${line(failure.parameter, "false")}` : line(failure.parameter, word)}`;
    }
    case "params/enum":
      return `write ${line(failure.parameter, closest(failure.value, failure.allowed) ?? failure.allowed[0] ?? "")}${failure.allowed.length > 1 ? ", or another of these" : ""}`;
    default:
      return undefined;
  }
}

function hintOnPath(path: string, root: string, line: (path: string) => string): string {
  const place = `the project's root is ${root}`;
  if (path === "") return place;
  return path.startsWith("~") ? `~ is not expanded: ${place}` : `${place}: write ${line(join(root, path))}`;
}

type Line = (key: string, value: string) => string;

const BOOLEANS = [
  ["true", /^(?:true|yes|on|1|y|t)$/i],
  ["false", /^(?:false|no|off|0|n|f|none|null)$/i],
] as const;

function namesOf({ allowed }: HintFacts): string[] {
  return actions.map(({ name }) => name).filter((name) => allowed?.includes(name) ?? true);
}

function hintOnName(written: string, names: readonly string[]): string | undefined {
  const near = actionMeant(written, names) ?? closest(written, names);
  if (near !== undefined) return `did you mean '${near}'?`;
  return names.length === 0 ? undefined : `the actions are ${names.join(", ")}`;
}

/** What models write in place of `action`. */
const NAMES_OF_ACTION = ["tool", "tool_name", "name", "function", "operation", "command", "type", "Action"];

/** Names the actions that take just these parameters. */
function hintOnMissingAction(block: RefusedProperties, line: Line): string {
  const { given } = block;
  const names = namesOf(block);
  const misnamed = NAMES_OF_ACTION.find((key) => names.includes(given[key] ?? ""));
  if (misnamed !== undefined) return `write ${line("action", given[misnamed] ?? "")} in place of ${misnamed}`;
  const keys = Object.keys(given);
  const fitting = actions.filter(({ name, params: { shape } }) => {
    const isRequired = (key: string): boolean => shape[key]?._zod.optin !== "optional";
    return (
      keys.length > 0 &&
      names.includes(name) &&
      keys.every((key) => Object.hasOwn(shape, key)) &&
      Object.keys(shape).every((key) => !isRequired(key) || keys.includes(key))
    );
  });
  const shown = fitting.slice(0, MAX_NAMED).map(({ name }) => line("action", name));
  return `add a line such as ${shown.length === 0 ? line("action", names[0] ?? "file_read") : shown.join(" or ")}`;
}

const MAX_NAMED = 4;

function hintOnMissing(parameter: string, { given, definition }: RefusedProperties, line: Line): string {
  const undeclared = Object.keys(given).filter(
    (key) => definition !== undefined && !Object.hasOwn(definition.params.shape, key),
  );
  const near = closest(parameter, undeclared);
  if (near !== undefined) return `write ${parameter} in place of ${near}`;
  return `add ${line(parameter, "…")}${described(definition, parameter)}`;
}

/** Returns the digits of a time with its unit, for a parameter in milliseconds: `30s`, `1.5 minutes`. */
function inMilliseconds(value: string, description: string): string | undefined {
  const [, count, unit = ""] = TIME_WITH_UNIT.exec(value) ?? [];
  if (count === undefined || !description.includes("Milliseconds")) return undefined;
  return String(Math.round(Number(count) * (unit.toLowerCase() === "s" ? 1_000 : 60_000)));
}

const TIME_WITH_UNIT = /^[\s"']*(\d{1,6}(?:\.\d{1,3})?)\s*(s|m)(?:ec(?:ond)?s?|in(?:ute)?s?)?[\s"']*$/i;

/** ` (Text to replace)` */
function described(definition: AnyAction | undefined, parameter: string): string {
  const description = descriptionOf(definition?.params.shape[parameter]);
  return description === "" ? "" : ` (${description})`;
}

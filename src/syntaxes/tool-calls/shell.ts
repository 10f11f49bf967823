/**
 * Commands that models send to the shell of another tool. Codex applies its patches with one, in these forms:
 *
 *     {"command": ["apply_patch", PATCH]}
 *     {"cmd": ["bash", "-lc", "apply_patch <<'EOF'\nPATCH\nEOF"]}
 */
import { parsedJson } from "./arguments.ts";

/**
 * Returns the words of a value that is only such a command. Undefined for other values. A command in one string must
 * be a patch, because other files have such keys.
 */
export function shellCommand(value: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const command = value["command"] ?? value["cmd"];
  const words: readonly unknown[] = Array.isArray(command) ? command : [command];
  if (words.length === 0 || !words.every((word) => typeof word === "string")) return undefined;
  if (Object.keys(value).some((key) => !KEYS.includes(key))) return undefined;
  return Array.isArray(command) || appliesPatch(words) ? words : undefined;
}

/** Does so for a value in JSON. */
export function shellCommandIn(json: string): readonly string[] | undefined {
  const value = /^\{[^{]*"(?:command|cmd)"/.test(json) ? parsedJson(json)?.value : undefined;
  return typeof value === "object" && value !== null
    ? shellCommand(value as Readonly<Record<string, unknown>>)
    : undefined;
}

const KEYS = "command cmd workdir cwd timeout timeout_ms login justification with_escalated_permissions".split(" ");

/** Returns whether a command applies a patch, perhaps among other things. */
export function appliesPatch(words: readonly string[]): boolean {
  const script = words.at(-1) ?? "";
  return words[0] === PROGRAM || PATCH_CALL.test(script) || [PROGRAM, BEGIN].every((part) => script.includes(part));
}

/** Returns the text of a patch that a command applies, or why it is none. */
export function patchIn(words: readonly string[]): { readonly patch: string } | { readonly problem: string } {
  const patch = words.at(-1) ?? "";
  if (!appliesPatch(words)) return { problem: `Loaf does not run this command: ${shown(words)}` };
  const program = words.slice(0, -1).join(" ");
  if (!isAlone(program, patch)) return { problem: "The command does more than apply a patch: send the patch alone" };
  return program !== PROGRAM && hasEscapes(patch)
    ? { problem: "A shell would change the backslashes of this patch: quote its end, as in apply_patch <<'EOF'" }
    : { patch };
}

/** Returns whether a shell takes the patch between double quotes, or below an unquoted word, and changes escapes in it. */
function hasEscapes(script: string): boolean {
  const [call = "", quote, word] = PATCH_CALL.exec(script) ?? [];
  if (quote === '"') return /\\[$`"\\\n]/.test(script);
  return word !== undefined && !/["']/.test(call) && /\\[$`\\\n]/.test(script);
}

/** @param program what gets the script */
function isAlone(program: string, script: string): boolean {
  if (program === PROGRAM) return true;
  const [call, quote = "", word = ""] = PATCH_CALL.exec(script) ?? [];
  const end = script.lastIndexOf(END);
  const below = end === -1 ? "" : script.slice(end + END.length).trim();
  return SHELL.test(program) && call !== undefined && [quote, word, ""].includes(below);
}

const SHELL = /^(?:(?:\/bin\/)?(?:ba|z)?sh -l?c)?$/;
/** With the quote or the name that ends the patch. */
const PATCH_CALL = /^\s*apply_patch\b(?:\s+(?:(["'])|<<-?[ \t]*["']?(\w+)["']?[ \t]*\n))?/;
const PROGRAM = "apply_patch";
const BEGIN = "*** Begin Patch";
const END = "*** End Patch";

/** Returns the first line of a command for a sentence. */
export function shown(words: readonly string[]): string {
  const [first = ""] = words.join(" ").split("\n", 1);
  return first.slice(0, MAX_SHOWN);
}

/** In UTF-16 units. */
const MAX_SHOWN = 200;

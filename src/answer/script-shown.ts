/** Finds the shell script that lines of a shell without a path are meant for: the only one that has them. */
import { basename } from "node:path";

/** Scripts, and UTF-16 units of each, that are looked through. */
const MAX_SCRIPTS = 200;
const MAX_TEXT = 200_000;

const MIN_LINES = 2;

interface Project {
  readonly workspace: { peek(path: string): string | undefined };
}

interface Script {
  readonly path: string;
  readonly text: string;
  readonly lines: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

/** Returns the scripts of a project. One without an extension names its shell. */
export function scriptsOf({ workspace }: Project, paths: readonly string[]): readonly Script[] {
  const candidates = paths.filter((path) => /\.(?:ba|z|k)?sh$/.test(path) || !basename(path).includes("."));
  if (candidates.length > MAX_SCRIPTS) return [];
  return candidates.flatMap((path) => {
    const text = workspace.peek(path) ?? "";
    if (text.length > MAX_TEXT || !(path.endsWith("sh") || SHEBANG.test(text))) return [];
    const lines = linesIn(text);
    return [{ path, text: `\n${lines.join("\n")}\n`, lines: new Set(lines), functions: new Set(functionsIn(lines)) }];
  });
}

const SHEBANG = /^#!.*\b(?:ba|da|k|z)?sh\b/;

/** @param isOld whether the script is to have all of the lines, one below the other */
export function scriptWith(content: string, isOld: boolean, scripts: readonly Script[]): string | undefined {
  const lines = linesIn(content);
  const declared = functionsIn(lines);
  const hasThem = ({ text, lines: there, functions }: Script): boolean => {
    if (isOld) return text.split(`\n${lines.join("\n")}\n`).length === 2;
    const shared = lines.filter((line) => there.has(line));
    const isMost = shared.length >= MIN_LINES && shared.length * 2 >= lines.length;
    const isLong = isMost && shared.some((line) => OF_SCRIPT.test(line) && /\w{3}.*\W\w{3}/.test(line));
    return isLong || declared.some((name) => functions.has(name));
  };
  if (isOld && lines.length < MIN_LINES && !OF_SCRIPT.test(lines[0] ?? "")) return undefined;
  const [only, other] = scripts.filter(hasThem);
  return other === undefined ? only?.path : undefined;
}

function linesIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}

function functionsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => FUNCTION.exec(line)?.[1] ?? []);
}

const FUNCTION = /^(?:function\s+)?([\w-]+)\s*\(\)\s*(?:\{|$)/;
/** What nobody types at a prompt. */
const OF_SCRIPT =
  /^(?:case|declare|do|done|elif|else|esac|fi|for|if|local|readonly|return|shift|then|trap|until|while)\b|;;$|^[\w-]+\(\)/;

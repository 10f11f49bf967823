import { join } from "node:path/posix";
import { API, type Component, type ProjectView } from "./component.ts";

/**
 * Returns the documentation of a name in a component's `doc/API.md`: the section with the name in its heading, else the
 * fenced code that declares it. If there is none, returns a sentence with the status.
 */
export function interfaceOf({ path, api }: Component, name: string, view: ProjectView): string {
  const lines = (view.read(join(path, API)) ?? "").split(/\r?\n/);
  const found = sectionOf(lines, name) ?? fenceOf(lines, name);
  if (found !== undefined) return found.join("\n").trimEnd();
  const status = api.exports.find((one) => one.name === name)?.status;
  return `${name}: not documented${status === undefined ? "" : ` [${status}]`}`;
}

/** Returns a section up to the next heading of the same or a higher level. Ignores headings in fenced code. */
function sectionOf(lines: readonly string[], name: string): string[] | undefined {
  const headings = headingsIn(lines);
  const index = headings.findIndex(({ title }) => firstName(title) === name);
  const heading = headings[index];
  if (heading === undefined) return undefined;
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
  return lines.slice(heading.line, next?.line);
}

interface Heading {
  readonly level: number;
  readonly title: string;
  /** 0-based. */
  readonly line: number;
}

function headingsIn(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const [line, text] of lines.entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    const heading = fence === undefined ? /^(#{1,6})\s+(.*)$/.exec(text) : null;
    if (heading !== null) headings.push({ level: heading[1]?.length ?? 0, title: heading[2] ?? "", line });
  }
  return headings;
}

/** Returns the name in `` `readFile(path)` `` or `class Store`. */
function firstName(title: string): string | undefined {
  return /^[`*_]*(?:(?:async|function|class|type|interface|enum|const)\s+)?([\w$]+)/.exec(title)?.[1];
}

function fenceOf(lines: readonly string[], name: string): string[] | undefined {
  let start: number | undefined;
  for (const [line, text] of lines.entries()) {
    if (!/^\s{0,3}(`{3,}|~{3,})/.test(text)) continue;
    if (start === undefined) {
      start = line;
      continue;
    }
    const code = lines.slice(start + 1, line);
    if (code.some((one) => DECLARATION.exec(one)?.[1] === name)) return lines.slice(start, line + 1);
    start = undefined;
  }
  return undefined;
}

const DECLARATION = /^\s*(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:interface|type|class|enum|function|const)\s+([\w$]+)/;

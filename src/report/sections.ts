/** The sections of the full report: what the blocks have to show, as their definitions say. */
import type { Shown } from "../actions/define.ts";
import { actionByName } from "../actions/index.ts";
import type { FailureCode } from "../core/failure.ts";
import { cutMiddle } from "./cut.ts";
import type { Entry, Executed } from "./entries.ts";
import { inert } from "./inert.ts";
import { visibleOnOneLine } from "./visible.ts";

/** The text of a file as it is now, or undefined where it cannot be read. */
export type Peek = (path: string) => string | undefined;

export interface Section {
  /** Undefined where there is nothing to show but remarks. */
  readonly title: string | undefined;
  readonly failed: boolean;
  readonly pieces: readonly Shown[];
  /** Hints and warnings, as lines. */
  readonly remarks: readonly string[];
}

/** In the order of the text. A file stands once, where it was first asked for, for all the blocks that ask for it. */
export function sectionsOf(entries: readonly Entry[], peek: Peek): Section[] {
  const groups = new Map<string | Executed, Executed[]>();
  for (const entry of entries) {
    if (!("result" in entry)) continue;
    const key = fileShownFor(entry) ?? entry;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups]
    .map(([key, group]) => (typeof key === "string" ? fileSection(key, group, peek) : ownSection(key)))
    .filter(({ title, remarks }) => title !== undefined || remarks.length > 0);
}

/** The section as text, its content cut to `limit` bytes. */
export function renderSection({ title, pieces, remarks }: Section, limit: number): string {
  // Made inert before it is measured, and after: what a cut leaves may open a block that the whole line did not.
  const contents = cutMiddle(pieces.map((piece) => inert("file" in piece ? piece.content : piece.text)), limit).map(inert);
  const body = pieces.map((piece, index) => frame(piece, contents[index] ?? "")).join("\n\n");
  return [...(title === undefined ? [] : [`${title}:`, body]), ...remarks].join("\n");
}

/** Failures after which the reader needs the file to do better. */
const MISSES: ReadonlySet<string> = new Set<FailureCode>([
  "text/not-found",
  "text/ambiguous",
  "text/count",
  "text/end-not-found",
  "text/end-ambiguous",
]);

function fileShownFor({ result: { action, params, code = "" } }: Executed): string | undefined {
  const show = actionByName.get(action)?.show;
  return show === "file" || (show === "file-on-miss" && MISSES.has(code)) ? String(params["path"]) : undefined;
}

function fileSection(path: string, entries: readonly Executed[], peek: Peek): Section {
  const content = peek(path);
  const failed = entries.some(({ mark }) => mark === "❌");
  if (content === undefined) return { title: undefined, failed, pieces: [], remarks: entries.flatMap(labelledRemarks) };
  return {
    title: `[${entries.map(({ label, mark }) => `${label} ${mark}`).join(", ")}] ${visibleOnOneLine(path)}`,
    failed,
    pieces: [{ file: path, content }],
    remarks: entries.flatMap((entry) => (entries.length > 1 ? labelledRemarks(entry) : entry.remarks)),
  };
}

function ownSection(entry: Executed): Section {
  const { label, mark, action, subject, remarks, result } = entry;
  const failed = mark === "❌";
  const definition = actionByName.get(action);
  if (typeof definition?.show !== "function" || result.data === undefined) {
    return { title: undefined, failed, pieces: [], remarks: labelledRemarks(entry) };
  }
  const heading = definition.heading ?? subject;
  const pieces = definition.show(result.data as never, result.params as never);
  return { title: `[${label}] ${action}${heading === "" ? "" : ` ${heading}`}`, failed, pieces, remarks };
}

/** For where the section does not tell which block they are about. */
function labelledRemarks({ label, remarks }: Executed): string[] {
  return remarks.map((line) => line.replace(": ", `: [${label}] `));
}

function frame(piece: Shown, content: string): string {
  if (!("file" in piece)) return content === "" ? "(nothing)" : content;
  const path = visibleOnOneLine(piece.file);
  return `=== START FILE: ${path} ===\n${content}\n=== END FILE: ${path} ===`;
}

/** The report on a single action, for a program that called it and passes the text on to a model. */
import { explain } from "../core/failure.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import type { ExecutionResult, Peeked } from "../core/outcome.ts";
import { visibleOnOneLine } from "../core/visible.ts";
import { MAX_OUTPUT_BYTES, type ReportedProject, withinTokens } from "./chat.ts";
import { baseNote } from "./context.ts";
import { codeSentence, remarkLine, type Row, rowsOf } from "./rows.ts";
import { renderSection, type Section, sectionsOf, type Show } from "./sections.ts";

/**
 * Returns what an action has shown, alone and verbatim, or a line that says what it did; then what to know about it:
 * tags, hints, warnings and the output of checks. Masks secrets, and keeps to `report.max_tokens`.
 */
export function actionReport(result: ExecutionResult, project: ReportedProject): string[] {
  const { max_tokens: limit, on_miss: onMiss } = project.settings.report;
  const rows = rowsOf(result);
  const [row] = rows.blocks;
  const { fatalError } = result;
  if (row === undefined) return [maskSecrets(fatalError ?? result.hookErrors?.before?.join("\n") ?? "Nothing was run")];
  const sections = sectionsOf(rows, (path) => contentIn(row, path) ?? project.peek(path), onMiss);
  const shownSection = sections.find(({ label, title }) => label === row.label && title !== undefined);
  const others = sections.filter((section) => section !== shownSection && section.label !== row.label);
  const remarks = sections.find(({ label }) => label === row.label)?.remarks ?? row.remarks;
  const shown = shownSection && fitting(shownSection, limit);
  const isShown = row.mark !== "❌" && row.definition?.effect === undefined && shown !== undefined;
  const notes = [
    ...(shown === "" ? ["note: there is nothing in it"] : []),
    ...(isShown ? tagOf(shownSection) : []),
    // There is nothing else that they could be about.
    ...remarks.map(({ kind, text }) => remarkLine({ kind, text })),
    ...others.map((section) => fitting({ ...section, remarks: [] }, limit / 4, section.title)),
    ...noticesOn(result),
  ];
  const main = isShown ? shown : [headOf(row, result), ...(shown === undefined ? [] : [shown])].join("\n\n");
  return notes.length === 0 ? [main] : [main, notes.join("\n")];
}

/** Returns what the action has read itself, so that it need not be read again. */
function contentIn({ mark, result }: Row, path: string): Peeked | undefined {
  const { content } = Object(result?.data) as { readonly content?: unknown };
  return mark !== "❌" && typeof content === "string" ? { path, text: content } : undefined;
}

/** Returns the tag of the only file that a section shows. Sections of several files have their tags in their text. */
function tagOf(section: Section | undefined): string[] {
  const [piece, ...others] = section?.pieces ?? [];
  return others.length === 0 && piece !== undefined && "file" in piece && piece.base !== undefined
    ? [`note: ${baseNote(piece.base)}`]
    : [];
}

/** A failure has its whole sentence here, because no line above names the action and its path. */
function headOf(row: Row, { run, commit }: ExecutionResult): string {
  const { mark, action, subject, tally, problem, result } = row;
  const named = [mark, action, subject].filter((part) => part !== "").join(" ");
  const sentence = result?.failure === undefined ? problem : explain(result.failure);
  if (problem !== undefined) return `${named} - ${maskSecrets(sentence ?? problem)}`;
  const facts = [tally, run && `run ${run}`, commit && `committed ${commit.slice(0, 7)}`].filter((fact) => fact);
  return `${named}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}`;
}

function noticesOn(result: ExecutionResult): string[] {
  const { notices = [], hookErrors: { after = [] } = {}, externalChanges = [], rolledBack } = result;
  return [
    ...after.map((error) => `❌ hook ${error}`),
    ...(rolledBack ? ["nothing of this call is left: the run was all or nothing"] : []),
    ...(externalChanges.length > 0 ? [`changed by somebody else meanwhile: ${externalChanges.join(", ")}`] : []),
    codeSentence(result),
    ...notices,
  ].flatMap((note) => (note === undefined ? [] : [`note: ${visibleOnOneLine(note, Infinity)}`]));
}

/** Returns the content of a section within a number of tokens. A single file is shown without a frame. */
function fitting(section: Section, limit: number, title?: string): string {
  const [only, ...others] = section.pieces;
  const isFile = only !== undefined && "file" in only && others.length === 0;
  if (isFile && only.content === "") return "";
  const pieces = isFile ? [{ text: only.content }] : section.pieces;
  return withinTokens(limit, (bytes) => {
    const most = Math.min(bytes, MAX_OUTPUT_BYTES);
    const text = renderSection({ ...section, pieces, title: title ?? "", remarks: [] }, most, verbatim);
    return title === undefined ? text.slice(":\n".length) : text;
  });
}

/** It goes to a program, and is never pasted. */
const verbatim: Show = (text) => text;

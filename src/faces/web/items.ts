/** The items of an answer as the page shows them, from what a preview and a report say of them. */
import {
  type ActionResult,
  type ExecutionResult,
  type Loaf,
  maskSecrets,
  type Previewed,
  type Row,
  rowsOf,
  shownText,
  visibleInLines,
} from "../../index.ts";
import type { Colours } from "./colours.ts";
import { changeLines, fileViews, textLines, type OldLines } from "./files-of-change.ts";
import type { CommandView, ItemView, ProblemView } from "./protocol.ts";

/** Lines of a file below which a problem shows all of it. */
const MAX_CLOSEST = 15;

/** Previews an answer and returns its items, in its order. */
export async function itemViews(
  loaf: Loaf,
  previewed: readonly Previewed[],
  { oldLines, colours }: { readonly oldLines: Map<number, OldLines>; readonly colours: Colours },
): Promise<ItemView[]> {
  const results = previewed.flatMap(({ result }) => result ?? []);
  const errors = previewed.flatMap(({ errors = [] }) => errors);
  const rows = rowsFor({ results, parseErrors: errors });
  const items: ItemView[] = [];
  for (const shown of previewed) {
    const first = shown.errors?.[0];
    const row = shown.result
      ? rows.find(({ result }) => result === shown.result)
      : rows.find(({ result, line }) => result === undefined && line === first?.blockStartLine);
    const lines: OldLines = new Map();
    oldLines.set(shown.position, lines);
    const item = itemView(loaf, shown, row, lines);
    items.push({ ...item, files: await colours.colour(item.files, shown.changes) });
  }
  return items;
}

function rowsFor(some: Pick<ExecutionResult, "results" | "parseErrors">): readonly Row[] {
  return rowsOf({ success: true, totalBlocks: 0, executedActions: 0, ...some }).blocks;
}

function itemView(loaf: Loaf, previewed: Previewed, row: Row | undefined, oldLines: OldLines): ItemView {
  const { position, result, hunks, changes } = previewed;
  const { root } = loaf;
  const definition = row?.definition;
  const command = result && commandOf(result, definition?.runs);
  const files = fileViews(changes, { root, hunks, oldLines });
  const isEdit = definition?.effect !== undefined;
  const isPart = result?.hunks !== undefined;
  const isOff = command !== undefined && result?.code === "skip/no-exec";
  const problem = isOff ? undefined : problemOf(loaf, previewed, row);
  const subject = command?.code.trim().split("\n", 1)[0] ?? row?.subject ?? "";
  return {
    position,
    label: row?.label ?? "",
    line: row?.line ?? 0,
    action: row?.action ?? "",
    subject: visibleInLines(subject),
    does: visibleInLines((isPart ? undefined : row?.tally) ?? definition?.effect?.verb ?? ""),
    kind: command ? "command" : isEdit ? "edit" : "other",
    files,
    command,
    problem,
    remarks: problem || isOff ? [] : remarksOn(row),
    tags: [
      ...(isDestructive(result, row) ? (["deletes"] as const) : []),
      ...(changes.some(({ after }) => hasSecret(shownText(after))) ? (["secret"] as const) : []),
    ],
  };
}

/** Omits the remark about hunks left out: the page shows them. */
function remarksOn(row: Row | undefined): string[] {
  return (row?.remarks ?? []).map(({ text }) => text).filter((text) => !text.startsWith("partly taken: "));
}

/** Returns the program that an action runs. */
function commandOf({ params }: ActionResult, runs: string | undefined): CommandView | undefined {
  if (runs === undefined) return undefined;
  const { lang, cwd, dir } = params;
  const where = cwd ?? dir;
  return {
    code: visibleInLines(String(params[runs] ?? "")),
    lang: typeof lang === "string" ? lang : "",
    cwd: typeof where === "string" ? visibleInLines(where) : undefined,
  };
}

function problemOf(loaf: Loaf, { result, errors }: Previewed, row: Row | undefined): ProblemView | undefined {
  if (errors !== undefined)
    return { sentence: errors.map(({ message }) => visibleInLines(message)).join("; "), hint: hintOf(row) };
  if (result === undefined || result.success) return undefined;
  const { old_text: replaced, old_lines: patched, content, path } = result.params;
  const sought = replaced ?? patched;
  const [near] = result.near ?? [];
  const peeked = near && typeof path === "string" ? loaf.peek(path) : undefined;
  const isMissing = result.code === "text/not-found" && typeof sought === "string";
  const sentence = isMissing ? "The lines to replace are not in the file" : visibleInLines(row?.problem ?? "");
  if (near === undefined || peeked === undefined || typeof sought !== "string") {
    const text = typeof content === "string" ? content : sought;
    const lines = typeof text === "string" ? textLines(text).slice(0, MAX_CLOSEST) : [];
    return { sentence, hint: hintOf(row), sought: lines.map((line) => ({ sign: " ", text: visibleInLines(line) })) };
  }
  const shift = (peeked.firstLine ?? 1) - 1;
  const last = Math.min(near.last, near.first + MAX_CLOSEST - 1);
  const closest = peeked.text.split(/\r?\n/).slice(near.first - shift - 1, last - shift);
  const soughtLines = textLines(sought).slice(0, MAX_CLOSEST);
  const compared = changeLines(
    { oldStart: 1, oldLines: soughtLines, newStart: near.first, newLines: closest },
    near.first,
  );
  return {
    sentence,
    hint: hintOf(row),
    sought: compared.filter(({ sign }) => sign !== "+").map((line) => ({ ...line, old: undefined, new: undefined })),
    closest: {
      path: visibleInLines(String(path)),
      lines: compared.filter(({ sign }) => sign !== "-").map((line) => ({ ...line, old: undefined })),
    },
  };
}

function hintOf(row: Row | undefined): string | undefined {
  const hints = (row?.remarks ?? []).filter(({ kind }) => kind === "hint").map(({ text }) => text);
  return hints.join("\n") || undefined;
}

function isDestructive(result: ActionResult | undefined, row: Row | undefined): boolean {
  const { destroys } = row?.definition ?? {};
  if (typeof destroys !== "function") return destroys === true;
  return result?.success === true && destroys(result.data as never);
}

function hasSecret(text: string | undefined): boolean {
  return text !== undefined && maskSecrets(text) !== text;
}

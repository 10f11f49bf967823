import { resolve } from "node:path";
import type { ListedEntry } from "../../context/context-set.ts";
import { counted } from "../../core/counted.ts";
import { wholeShownFile } from "../../context/shown-files.ts";
import { explain, Failed } from "../../core/failure.ts";
import { largest } from "../../core/lists.ts";
import { contextReport, MIN_PART_TOKENS, splitReport } from "../../report/context.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { Loaf } from "../../loaf.ts";
import { copy, copyAndPrint } from "./copy.ts";
import type { CommandOptions, ShowOptions } from "./options.ts";
import { complain, print, printJson } from "./output.ts";
import { openProject } from "./project.ts";
import { hasTerminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** `loaf context add`: adds each path it can, and names the others. */
export async function addToContext(paths: readonly string[], options: CommandOptions): Promise<void> {
  const { context } = await openProject(options);
  let refused = 0;
  for (const path of paths) {
    try {
      complain(
        (await context.add(resolve(path))) ? `Added ${visibleOnOneLine(path)}` : `${path} was already in the set`,
      );
    } catch (thrown) {
      if (!(thrown instanceof Failed)) throw thrown;
      complain(paths.length === 1 ? explain(thrown.failure) : `${path} was not added: ${explain(thrown.failure)}`);
      refused += 1;
    }
  }
  if (refused > 0) process.exitCode = refused === paths.length ? 2 : 1;
}

/** `loaf context remove` */
export async function removeFromContext(paths: readonly string[], options: CommandOptions): Promise<void> {
  const { context } = await openProject(options);
  for (const path of paths)
    complain(context.remove(resolve(path)) ? `Removed ${visibleOnOneLine(path)}` : `${path} was not in the set`);
}

/** `loaf context list` */
export async function listContext(options: CommandOptions): Promise<void> {
  const { entries, total } = await (await openProject(options)).context.listWithTotal();
  if (options.json) printJson(entries);
  else if (entries.length === 0) complain("The context set is empty: loaf context add PATH, or loaf context pick");
  else print(tableOf([...entries, { path: "together", ...total }]).join("\n"));
}

function tableOf(entries: readonly ListedEntry[]): string[] {
  const rows = entries.map(({ path, files, size, tokens }) => ({
    path: visibleOnOneLine(path),
    facts: files === 0 ? "gone" : `${counted(files, "file")}, ${size} bytes, about ${counted(tokens, "token")}`,
  }));
  const width = largest(rows.map(({ path }) => path.length));
  return rows.map(({ path, facts }) => `${path.padEnd(width)}  ${facts}`);
}

/** `loaf context prune`: prints the removed paths, which another program may read, and says how many they are. */
export async function pruneContext(options: CommandOptions): Promise<void> {
  const removed = await (await openProject(options)).context.prune();
  if (removed.length > 0) print(removed.map((path) => visibleOnOneLine(path)).join("\n"));
  complain(
    removed.length === 0
      ? "Removed nothing: every path exists, and an action has named it or none has run since it was added"
      : `Removed ${counted(removed.length, "path")}, which ${removed.length === 1 ? "is" : "are"} gone or that no action has named since`,
  );
}

/** `loaf context clear` */
export async function clearContext(options: CommandOptions): Promise<void> {
  const removed = (await openProject(options)).context.clear();
  complain(
    removed.length === 0
      ? "The context set was empty"
      : `Removed ${counted(removed.length, "path")}: the context set is empty`,
  );
}

/** `loaf context pick`, and `loaf context add` without a path. */
export async function pickForContext(options: ShowOptions, { shows }: { readonly shows: boolean }): Promise<void> {
  const { pickContext } = await import("./pick.ts");
  if ((await pickContext(await openProject(options))) && shows) await showContext(options);
}

/** `loaf context show` */
export async function showContext(options: ShowOptions): Promise<void> {
  const loaf = await openProject(options);
  const { split } = options;
  if (split !== undefined && split < MIN_PART_TOKENS)
    throw new UsageError(`--split must be at least ${MIN_PART_TOKENS} tokens, not ${split}`);
  const parts = await contextParts(loaf, {
    isOnlyChanged: options.changed === true,
    maxTokens: options.maxTokens,
    split,
    changes: options.git ? await branchOf(loaf) : undefined,
  });
  if (parts.length === 0)
    return complain(
      options.changed
        ? "Nothing in the context set has changed since it was last shown"
        : "The context set is empty: loaf context add PATH, or loaf context pick",
    );
  if (!options.copy) print(parts.join("\n\n"));
  else if (parts.length === 1) await copyAndPrint(parts[0] ?? "");
  else await copyInParts(parts, loaf.root);
}

/** Copies one part after the other, as the person pastes them. */
async function copyInParts(parts: readonly string[], root: string): Promise<void> {
  if (!hasTerminal())
    throw new UsageError(
      `There are ${parts.length} parts and no terminal to ask at, so --copy copied nothing: leave it out, or choose a larger --split`,
    );
  const { Person } = await import("./ask.ts");
  const person = new Person(root);
  for (const [index, part] of parts.entries()) {
    if (!(await copy(part))) return print(parts.slice(index).join("\n\n"));
    const isLast = index + 1 === parts.length;
    complain(`Part ${index + 1} of ${parts.length} is on the clipboard${isLast ? "" : ": paste it into the chat"}`);
    if (!isLast && (await person.chooses(`Copy part ${index + 2}?`, true)) !== true) return;
  }
}

/** Returns what the project's branch changes, as a section. Throws `UsageError` if there is none. */
async function branchOf(loaf: Loaf): Promise<{ readonly title: string; readonly text: string }> {
  const changes = await loaf.view.branchChanges();
  if (changes === undefined)
    throw new UsageError(
      `${loaf.root} is not in a git repository with a commit, or git is not installed: --git has nothing to show`,
    );
  const { base, log, diff, omitted } = changes;
  const left =
    omitted === 0 ? [] : [`${omitted === 1 ? "1 changed file is" : `${omitted} changed files are`} not shown`];
  const text = [
    log.length === 0 ? "no commits" : log.join("\n"),
    ...left,
    diff === "" ? "no changes" : diff.trimEnd(),
  ].join("\n\n");
  return { title: `CHANGES since ${visibleOnOneLine(base)}`, text };
}

interface Wanted {
  readonly isOnlyChanged?: boolean;
  /** Default: the budget of a report, or none for several parts. */
  readonly maxTokens?: number | undefined;
  /** Tokens of a part. All is in one if undefined. */
  readonly split?: number | undefined;
  readonly changes?: { readonly title: string; readonly text: string } | undefined;
}

/** Returns the set, or its changes since it was last shown, and records them as shown. Empty if there is nothing. */
export async function contextParts(loaf: Loaf, wanted: Wanted): Promise<readonly string[]> {
  const { isOnlyChanged = false, split, changes } = wanted;
  const budget = split === undefined ? loaf.settings.report.max_tokens : Number.MAX_SAFE_INTEGER;
  const { changed: files, gone } = isOnlyChanged
    ? await loaf.context.changes()
    : { changed: await loaf.context.files(), gone: [] };
  if (files.length === 0 && gone.length === 0 && changes === undefined) return [];
  // Paths as actions accept them.
  const pathOf = (path: string) => (loaf.settings.relative_paths ? path : resolve(loaf.root, path));
  const title = isOnlyChanged ? "CONTEXT: what changed since it was last shown" : "CONTEXT";
  const shown = files.map((file) => ({ ...file, whole: wholeShownFile(file, (path) => loaf.view.read(path)) }));
  const tagged = shown.map(({ path, text, whole }) => ({ path: pathOf(path), text, base: whole?.base }));
  const report = await contextReport({
    title,
    files: tagged,
    gone: gone.map(pathOf),
    changes,
    maxTokens: wanted.maxTokens ?? budget,
    outlineOf: (path, levels) => outlineOf(loaf, path, levels),
  });
  loaf.context.noteShown(
    shown.filter(({ path }) => report.shown.has(pathOf(path))),
    gone,
  );
  return split === undefined ? [report.text] : splitReport(title, report.sections, Math.max(split, MIN_PART_TOKENS));
}

/** Returns undefined for a file in a language without addresses, or one that cannot be parsed. */
async function outlineOf(loaf: Loaf, path: string, levels: number): Promise<string[] | undefined> {
  try {
    const parts = await loaf.outline(resolve(loaf.root, path), levels);
    return parts.map(
      ({ address, kind, first_line: first, last_line: last }) => `${address}  ${kind}, lines ${first}-${last}`,
    );
  } catch (thrown) {
    if (thrown instanceof Error && thrown.cause instanceof Failed) return undefined;
    throw thrown;
  }
}

import { resolve } from "node:path";
import type { ListedEntry } from "../../context/context-set.ts";
import { explain } from "../../core/explain.ts";
import { Failed } from "../../core/failure.ts";
import { contextReport } from "../../report/context.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { Loaf } from "../../loaf.ts";
import { complain, print } from "./output.ts";
import { openProject } from "./project.ts";
import { readNumber } from "./usage-error.ts";

interface Options {
  readonly root?: string;
  readonly json?: boolean;
}

/** `loaf context add`: adds each path it can, and names the others. */
export async function addToContext(paths: readonly string[], options: Options): Promise<void> {
  const { context } = await openProject(options);
  let refused = 0;
  for (const path of paths) {
    try {
      if (!(await context.add(resolve(path)))) complain(`${path} was there already`);
    } catch (thrown) {
      if (!(thrown instanceof Failed)) throw thrown;
      complain(paths.length === 1 ? explain(thrown.failure) : `${path} was not added: ${explain(thrown.failure)}`);
      refused += 1;
    }
  }
  if (refused > 0) process.exitCode = refused === paths.length ? 2 : 1;
}

/** `loaf context remove` */
export async function removeFromContext(paths: readonly string[], options: Options): Promise<void> {
  const { context } = await openProject(options);
  for (const path of paths) if (!context.remove(resolve(path))) complain(`${path} was not there`);
}

/** `loaf context list` */
export async function listContext(options: Options): Promise<void> {
  const entries = await (await openProject(options)).context.list();
  if (options.json) print(JSON.stringify(entries, undefined, 2));
  else if (entries.length === 0) complain("The context set is empty: loaf context add PATH");
  else print(tableOf(entries).join("\n"));
}

function tableOf(entries: readonly ListedEntry[]): string[] {
  const sum = (of: "files" | "size" | "tokens") => entries.reduce((total, entry) => total + entry[of], 0);
  const rows = [...entries, { path: "together", files: sum("files"), size: sum("size"), tokens: sum("tokens") }].map(({ path, files, size, tokens }) => ({
    path: visibleOnOneLine(path),
    facts: files === 0 ? "gone" : `${files === 1 ? "1 file" : `${files} files`}, ${size} bytes, about ${tokens} tokens`,
  }));
  const width = Math.max(...rows.map(({ path }) => path.length));
  return rows.map(({ path, facts }) => `${path.padEnd(width)}  ${facts}`);
}

/** `loaf context prune` */
export async function pruneContext(options: Options): Promise<void> {
  const removed = await (await openProject(options)).context.prune();
  if (removed.length > 0) print(removed.map((path) => visibleOnOneLine(path)).join("\n"));
}

/** `loaf context clear` */
export async function clearContext(options: Options): Promise<void> {
  (await openProject(options)).context.clear();
}

/** `loaf context show` */
export async function showContext(options: Options & { readonly changed?: boolean; readonly copy?: boolean; readonly maxTokens?: string }): Promise<void> {
  const loaf = await openProject(options);
  const maxTokens = options.maxTokens === undefined ? loaf.settings.report.max_tokens : readNumber("--max-tokens", options.maxTokens, 9);
  const text = await contextText(loaf, { isOnlyChanged: options.changed === true, maxTokens });
  if (text === undefined) return complain(options.changed ? "Nothing in the context set has changed since it was last shown" : "The context set is empty: loaf context add PATH");
  print(text);
  if (options.copy) await (await import("./copy.ts")).copy(text);
}

/**
 * Returns the set, or its changes since it was last shown, and records them as shown. Undefined if there is nothing to
 * show.
 */
export async function contextText(loaf: Loaf, { isOnlyChanged, maxTokens }: { readonly isOnlyChanged: boolean; readonly maxTokens: number }): Promise<string | undefined> {
  const { changed: files, gone } = isOnlyChanged ? await loaf.context.changes() : { changed: await loaf.context.files(), gone: [] };
  if (files.length === 0 && gone.length === 0) return undefined;
  // Paths as actions accept them.
  const pathOf = (path: string) => (loaf.settings.relative_paths ? path : resolve(loaf.root, path));
  const title = isOnlyChanged ? "CONTEXT: what changed since it was last shown" : "CONTEXT";
  const { text, shown } = contextReport({ title, files: files.map((file) => ({ ...file, path: pathOf(file.path) })), gone: gone.map(pathOf), maxTokens });
  loaf.context.noteShown(files.filter(({ path }) => shown.has(pathOf(path))), gone);
  return text;
}

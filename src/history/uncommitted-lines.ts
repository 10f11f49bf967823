import { relative, sep } from "node:path";
import type { State } from "../core/change-set.ts";
import { tryOr } from "../core/errors.ts";
import { countsOf } from "../core/counted.ts";
import { Disk } from "../disk/disk.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { commitAt } from "../git/record-commit.ts";
import { openRepository } from "../git/repository-of-project.ts";
import { donePuts, netOf, PastFiles } from "../journal/change-set.ts";
import { listLogs } from "../journal/log.ts";
import { journalFolder, type Project } from "./turn.ts";

/** A line of a file, without white space around it, numbered from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** Runs to look at, newest first, for the lines that they wrote. */
const MAX_RUNS = 50;
/** Bytes of a file. A larger one is hardly written by hand. */
const MAX_SIZE = 2 ** 20;

/**
 * Returns the lines of a file that its new text lacks, and that are neither in HEAD nor of a run: the user has written
 * them and nothing else has them. Ignores white space around lines. Without a commit, the file as the first kept run
 * met it takes the place of HEAD. Returns none for a file that no run changed either.
 *
 * @param path absolute
 */
export async function uncommittedLinesLost(
  project: Pick<Project, "root" | "settings">,
  path: string,
  after: string,
): Promise<readonly NumberedLine[]> {
  const before = unlessSystemError(() => new Disk().readFile(path, MAX_SIZE).bytes.toString(), "");
  if (linesBeyond(before, [after]).length === 0) return [];
  const versions = tryOr(() => versionsInRuns(project.root, path), []);
  const start = (await textInHead(project, path)) ?? versions.at(-1)?.before();
  if (start === undefined) return [];
  // Most runs replace what HEAD has, so that no texts of earlier ones are read.
  let lost = linesBeyond(before, [after, start]);
  for (const version of versions) {
    if (lost.length === 0) return [];
    const text = version.after();
    // A large file, or one that a command created: its runs' own lines are not kept.
    if (text === undefined && start === "") return [];
    const added = new Set(linesBeyond(text ?? "", [version.before() ?? ""]).map((line) => line.text));
    lost = lost.filter((line) => !added.has(line.text));
  }
  return lost;
}

/** Returns the filled lines of a text that it has more often than each of the others. */
function linesBeyond(text: string, others: readonly string[]): NumberedLine[] {
  const counts = others.map((other) => countsOf(linesOf(other)));
  const seen = new Map<string, number>();
  return linesOf(text).flatMap((line, index) => {
    const count = (seen.get(line) ?? 0) + 1;
    seen.set(line, count);
    const isKnown = line === "" || counts.some((of) => (of.get(line) ?? 0) >= count);
    return isKnown ? [] : [{ number: index + 1, text: line }];
  });
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim());
}

/** Returns an empty text for a file that is not in HEAD. Undefined without a repository, git or commit. */
async function textInHead(project: Pick<Project, "root" | "settings">, path: string): Promise<string | undefined> {
  const opened = await openRepository(project).catch(() => undefined);
  if (opened === undefined) return undefined;
  const { git } = opened;
  if ((await commitAt(git, "HEAD")) === undefined) return undefined;
  const name = relative(git.top, path).split(sep).join("/");
  const { exitCode, stdout } = await git.attempt(["cat-file", "blob", `HEAD:${name}`]);
  return exitCode === 0 ? stdout.toString() : "";
}

/** Read a text. Undefined if it was not kept. */
interface Versions {
  readonly before: () => string | undefined;
  readonly after: () => string | undefined;
}

/** Returns the texts of a file, empty if it was not there, before and after each of the last runs that changed it, newest first. */
function versionsInRuns(root: string, path: string): Versions[] {
  const logs = listLogs(journalFolder(root), MAX_RUNS).filter(({ kind }) => kind === "run");
  return logs
    .toSorted((a, b) => b.sequence - a.sequence)
    .flatMap((log) => {
      const past = new PastFiles([log]);
      return netOf(donePuts(log))
        .filter((put) => put.path === path && put.after?.kind === "file")
        .map((put) => ({
          before: () => (put.before === null ? "" : textOf(put.before, () => past.before(put))),
          after: () => textOf(put.after, () => past.after(put)),
        }));
    });
}

function textOf(state: State | null, read: () => Buffer | undefined): string | undefined {
  return state?.kind === "file" && state.size <= MAX_SIZE ? read()?.toString() : undefined;
}

import type { HeadMove } from "../core/head-move.ts";
import type { MovedRecord } from "../journal/log-record.ts";
import type { Log } from "../journal/read-log.ts";
import { type Git, records } from "./git.ts";
import { openRepository } from "./repository-of-project.ts";
import { applyMove, changesByCommit, headPosition } from "./reverse-move.ts";

/**
 * Updates the user's index to the commit of a run, if Loaf was killed between the two. Otherwise the index would stage
 * a revert of the run. Keeps entries that the user has staged since. Throws `GitFailed`.
 *
 * @param note called once that is done
 */
export async function finishCommit(project: Parameters<typeof openRepository>[0], log: Log, note: (record: MovedRecord) => void): Promise<void> {
  const opened = await openRepository(project);
  const move = opened && (await completedMove(opened.git, log));
  if (opened === undefined || move?.to === undefined) return;
  const { git, repository } = opened;
  const { from, to } = move;
  // Paths that the second of two commits reverts are staged as they were before both.
  const touched = new Set(records(await git(["log", "--first-parent", "--format=", "--name-only", "--no-renames", "-z", to, ...(from === undefined ? [] : ["--not", from])])));
  const index = (await changesByCommit(git, from, to, move.index)).filter(({ path }) => touched.has(path));
  const { branch } = await headPosition(git);
  await applyMove(git, repository, { ...(branch && { branch }), from: to, to, index }, "");
  note({ type: "moved", to });
}

/**
 * Returns a run's move of HEAD. If the run was killed before it could log the end, HEAD is a commit with its number.
 */
export async function completedMove(git: Git, { head, header }: Log): Promise<HeadMove | undefined> {
  if (head === undefined || head.isDone) return head;
  const { from } = head;
  const { stdout } = await git.attempt(["log", "--first-parent", "--max-count=3", "-z", "--format=%H %P%n%B", "HEAD", ...(from === undefined ? [] : ["--not", from])]);
  const since = [...stdout.toString().matchAll(/(?<=^|\0)(?<id>\w+) (?<parents>[\w ]*)\n(?<message>[^\0]*)/g)].map(({ groups }) => groups ?? {});
  const [last, { parents } = {}] = [since[0], since.at(-1)];
  if (last?.["id"] === undefined || since.length > 2 || parents !== (from ?? "")) return undefined;
  const message = last["message"]?.trimEnd() ?? "";
  const isOwn = message.endsWith(`\nLoaf-Run: ${header.sequence}`) || (since.length === 1 && message.startsWith("Before AI: "));
  return isOwn ? { ...head, to: last["id"] } : undefined;
}

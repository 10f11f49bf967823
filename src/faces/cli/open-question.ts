/** A question that is open at one terminal, for the commands at others that wait for it. */
import type { Approve } from "../../core/approval.ts";
import { tryOr } from "../../core/errors.ts";
import type { Holder } from "../../state/lock.ts";
import { readStateJson, removeStateFile, writeStateFile } from "../../state/state-file.ts";

interface OpenQuestion {
  readonly pid: number;
  /** `loaf paste` */
  readonly command: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const FILE = "open-question";

/** Returns `approve`, which notes while it asks that this command waits for an answer. */
export function noteQuestions(root: string, approve: Approve): Approve {
  return async (request) => {
    const question: OpenQuestion = { pid: process.pid, command: `loaf ${process.argv[2] ?? ""}`, since: Date.now() };
    // The question matters more than the note.
    tryOr(() => writeStateFile(root, FILE, JSON.stringify(question)), undefined);
    try {
      return await approve(request);
    } finally {
      tryOr(() => removeStateFile(root, FILE), undefined);
    }
  };
}

/** Returns `loaf paste (pid 4711) has been waiting for an answer for 2 min`, if the holder asks something. */
export function openQuestionOf(root: string, { pid, isRunning }: Holder): string | undefined {
  const question = tryOr(() => readStateJson(root, FILE) as OpenQuestion | undefined, undefined);
  if (!isRunning || question?.pid !== pid) return undefined;
  const seconds = Math.max(0, Math.floor((Date.now() - question.since) / 1_000));
  return `${question.command} (pid ${pid}) has been waiting for an answer for ${timeOf(seconds)}`;
}

function timeOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

/** Errors of the operating system: how Loaf makes its own, in the system's words, and how they become failures. */
import { getSystemErrorMap } from "node:util";
import { Failed } from "../core/failure.ts";

/** What `node:fs` throws, and whoever stands in for it. */
export interface SystemError extends Error {
  /** `ENOENT` */
  readonly code: string;
}

export function isSystemError(thrown: unknown): thrown is SystemError {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" && WORDS.has(thrown.code);
}

/** An error as `node:fs` would throw it: `ENOENT: no such file or directory, open '/x'`. */
export function systemError(code: string, syscall: string, path: string): SystemError {
  return Object.assign(new Error(`${code}: ${WORDS.get(code)}, ${syscall} '${path}'`), { code, syscall });
}

/** The failure for a system error, told with the path as the block wrote it and not with the one that Loaf acted on. */
export function systemFailure(errno: string, syscall: string, path: string, to?: string): Failed {
  const code = errno === "ENOENT" ? "file/not-found" : errno === "EACCES" || errno === "EPERM" ? "file/permission" : "file/system";
  return new Failed({ code, errno, text: WORDS.get(errno) ?? "unknown error", syscall, path, ...(to !== undefined && { to }) });
}

/** Runs `act`; a system error in it becomes a failure told in these words. */
export function asFailure<Value>(syscall: string, path: string, act: () => Value, to?: string): Value {
  try {
    return act();
  } catch (thrown) {
    throw isSystemError(thrown) ? systemFailure(thrown.code, syscall, path, to) : thrown;
  }
}

/** Whether it went well; false where the system refused. */
export function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (thrown) {
    if (isSystemError(thrown)) return false;
    throw thrown;
  }
}

const WORDS: ReadonlyMap<string, string> = new Map(getSystemErrorMap().values());

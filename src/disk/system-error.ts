/** System errors: creates them in the system's words and converts them to failures. */
import { constants } from "node:os";
import { getSystemErrorMap } from "node:util";
import { Failed } from "../core/failure.ts";
import { Changed } from "./volume.ts";

/** An error of `node:fs`, or one in its form. */
export interface SystemError extends Error {
  /** `ENOENT` */
  readonly code: string;
  /** `open` */
  readonly syscall?: string;
  readonly path?: string;
}

export function isSystemError(thrown: unknown): thrown is SystemError {
  return (
    thrown instanceof Error &&
    "code" in thrown &&
    typeof thrown.code === "string" &&
    (WORDS.has(thrown.code) || UNNAMED.test(thrown.code))
  );
}

/** Creates an error as `node:fs` would throw it: `ENOENT: no such file or directory, open '/x'`. */
export function systemError(code: string, syscall: string, path: string): SystemError {
  return Object.assign(new Error(`${code}: ${WORDS.get(code)}, ${syscall} '${path}'`), { code, syscall, path });
}

/** Replaces the path in a system error. Returns other values unchanged. */
export function withPath(thrown: unknown, pathFor: (path: string) => string): unknown {
  if (!isSystemError(thrown) || thrown.path === undefined) return thrown;
  const path = pathFor(thrown.path);
  return path === thrown.path ? thrown : systemError(thrown.code, thrown.syscall ?? "open", path);
}

/** Returns the failure for a system error, with the path as the block wrote it rather than the one that Loaf used. */
export function systemFailure(given: string, syscall: string, path: string, to?: string): Failed {
  const errno = nameOf(given);
  const code =
    errno === "ENOENT" ? "file/not-found" : errno === "EACCES" || errno === "EPERM" ? "file/permission" : "file/system";
  return new Failed({
    code,
    errno,
    text: WORDS.get(errno) ?? "unknown error",
    syscall,
    path,
    ...(to !== undefined && { to }),
  });
}

/** Runs `act` and converts system errors and conflicts to failures. */
export function asFailure<Value>(syscall: string, path: string, act: () => Value, to?: string): Value {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Changed) throw new Failed({ code: "file/changed", path });
    throw isSystemError(thrown) ? systemFailure(thrown.code, syscall, path, to) : thrown;
  }
}

/** Returns whether it succeeded; false on a system error. */
export function attempt(act: () => void): boolean {
  return unlessSystemError(() => (act(), true), false);
}

/** Returns the value of `act`, or a fallback on a system error. `codes` limits that to some errors. */
export function unlessSystemError<Value, Fallback>(
  act: () => Value,
  fallback: Fallback,
  codes?: readonly string[],
): Value | Fallback {
  try {
    return act();
  } catch (thrown) {
    if (isSystemError(thrown) && codes?.includes(thrown.code) !== false) return fallback;
    throw thrown;
  }
}

/** Node has no names for some errors: it says `Unknown system error -122`. */
function nameOf(code: string): string {
  const number = Number(UNNAMED.exec(code)?.[1]);
  return Object.entries(constants.errno).find(([, value]) => value === number)?.[0] ?? code;
}

const UNNAMED = /^Unknown system error -(\d+)$/;

const WORDS: ReadonlyMap<string, string> = new Map([
  ...getSystemErrorMap().values(),
  ["ESTALE", "stale file handle"],
  ["EDQUOT", "disk quota exceeded"],
]);

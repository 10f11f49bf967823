/** Runs one command as configured: in a sandbox on a view, or without one where allowed. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Settings } from "../../config/schema.ts";
import { Failed, type Failure } from "../../core/failure.ts";
import { namedFew } from "../../core/visible.ts";
import { tryOr } from "../../core/errors.ts";
import type { Consent } from "../../run/consent.ts";
import { allowNoSandbox, mayLackSandbox } from "../../trust/trust.ts";
import { findCommand } from "../../process/find-program.ts";
import { type Ended, type Program, runProgram } from "../../process/run-program.ts";
import { textOf } from "../../paths/names.ts";
import { type CommandSite, confinementFor, type ViewedProject } from "./confinement.ts";
import { findSandbox, type NoSandbox, sandboxBy } from "./find-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

export interface ConfinedProgram extends Pick<Program, "program" | "args" | "timeout" | "most" | "signal"> {
  /** Canonical. */
  readonly cwd: string;
  /** A file outside the project that it reads. */
  readonly script?: string | undefined;
}

/** How a command ended, with warnings, or why it was not started. */
export type ConfinedResult = Finished | { readonly failure: Failure };

interface Finished extends Ended {
  readonly warnings: readonly string[];
  /** Files that it left in its own /tmp and home, which are lost with the sandbox. */
  readonly vanished: readonly string[];
}

/**
 * Returns the sandbox for commands, or undefined if they may run without one. Asks before any command starts, because
 * an answer may take long. Throws `Failed` if there is no sandbox and nobody agrees to run without one.
 */
export async function agreedSandbox(site: CommandSite, consent: Consent): Promise<Sandbox | undefined> {
  if (site.settings.exec.sandbox === "off") return undefined;
  const sandbox = findSandbox();
  if (!("reason" in sandbox)) return sandboxBy(sandbox);
  await confirmNoSandbox(site, consent, sandbox);
  return undefined;
}

/** Throws `Failed` unless somebody agrees. A plain yes is remembered for this machine. */
export async function confirmNoSandbox(
  { settings }: CommandSite, consent: Consent, { reason, remedy }: NoSandbox
): Promise<void> {
  if (settings.exec.sandbox === "auto" || mayLackSandbox()) return;
  if (!(await consent.isGiven({ kind: "no-sandbox", reason }, allowNoSandbox)))
    throw new Failed({ code: "exec/no-sandbox", reason, remedy });
}

/** Runs a command on a view. Only now a sandbox failure can show; then nothing was started. */
export async function runConfined(
  site: CommandSite,
  sandbox: Sandbox,
  project: ViewedProject,
  { program, args, cwd, script, timeout, most, signal }: ConfinedProgram,
): Promise<ConfinedResult> {
  const { confinement, path } = confinementFor(site, project, { cwd, script });
  const command = project.view.enter(sandbox.wrap({ program, args, cwd, env: environment(site, path) }, confinement));
  const ended = await runProgram({
    ...command, timeout, most, signal, onPiece: site.onPiece, hasThird: true, inheritsNothing: true
  });
  const wasStarted = await sandbox.settle(ended.third);
  // A command killed from outside has run.
  if (ended.endedBy === undefined && ended.signal === null && !wasStarted)
    return { failure: { code: "exec/sandbox-failed", reason: ended.stderr.trim().split("\n").at(-1) ?? "" } };
  if (ended.exitCode === NOT_FOUND && isShellsNotFound(ended.stderr, program))
    return { failure: { code: "exec/not-found", program } };
  // A visible file is mounted on an empty one.
  const { visible } = confinement;
  const vanished = filesIn(project.view.scratch?.files, site.home).filter((file) => !visible.includes(file));
  return { ...withSignal(ended), warnings: [], vanished };
}

/** Exit code of a shell for a missing command. */
const NOT_FOUND = 127;

/**
 * Recognises the message of each possible `/bin/sh`: `sh: 1: exec: x: not found`, `sh: line 1: exec: x: not found`,
 * `sh: exec: line 0: x: not found`.
 */
export function isShellsNotFound(complaint: string, program: string): boolean {
  const line = complaint.split("\n", 1)[0] ?? "";
  return line.startsWith("sh: ") && line.includes("exec: ") && line.endsWith(` ${program}: not found`);
}

/**
 * Inside, a signal shows only as the shell's exit code: 128 and its number. Translates only codes that no program uses
 * on purpose.
 */
function withSignal(ended: Ended): Ended {
  const signal = { 137: "SIGKILL", 139: "SIGSEGV", 134: "SIGABRT" } as const;
  const name = signal[ended.exitCode as keyof typeof signal];
  return name === undefined ? ended : { ...ended, exitCode: null, signal: name };
}

/** Runs a command on the project's files. Calls `noteStart` once the program is found, before it starts. */
export async function runFreely(
  site: CommandSite, { program, args, cwd, timeout, most, signal }: ConfinedProgram, noteStart: () => void
): Promise<ConfinedResult> {
  const path = process.env["PATH"] ?? "";
  const located = program.includes("/") ? program : findCommand(program);
  if (located === undefined) return { failure: { code: "exec/not-found", program } };
  noteStart();
  const ended = await runProgram({
    program, args, cwd, env: environment(site, path), timeout, most, signal, onPiece: site.onPiece, reach: "hunt"
  });
  const left = ended.survivors.length === 0 ? [] : [`may have left processes running: ${ended.survivors.join(", ")}`];
  return { ...ended, warnings: [NO_SANDBOX, ...left], vanished: [] };
}

const NO_SANDBOX =
  "ran without a sandbox, on the files themselves: it could read and change whatever you can, and undo does not cover what it changed";

/** Passes only the named variables of Loaf's own environment. */
function environment({ home, settings }: CommandSite, path: string): Record<string, string> {
  const named = settings.exec.env.flatMap((name) => {
    const value = name === "PATH" ? path : process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { LANG: process.env["LANG"] ?? "C.UTF-8", HOME: home, ...Object.fromEntries(named) };
}

/**
 * Returns up to 1,000 files and links that a command wrote to its own /tmp and home, which are lost with it, by the
 * command's own paths. Skips caches and temporary files.
 *
 * @param scratch as in `View`
 */
function filesIn(scratch: string | undefined, home: string): string[] {
  if (scratch === undefined) return [];
  const files: string[] = [];
  visit(join(scratch, "tmp"), "/tmp", TEMPORARY);
  visit(join(scratch, "home"), home, CACHE);
  return files;

  function visit(folder: string, path: string, junk?: RegExp): void {
    // The command may have made it inaccessible.
    for (const entry of tryOr(() => readdirSync(folder, { withFileTypes: true }), [])) {
      if (files.length >= MAX_FOUND) return;
      if (junk?.test(entry.name)) continue;
      if (entry.isDirectory()) visit(join(folder, entry.name), join(path, entry.name));
      else files.push(join(path, entry.name));
    }
  }
}

const MAX_FOUND = 1_000;
const MAX_NAMED = 5;
/** Files of compilers and languages, of mktemp and of Python's tempfile. */
const TEMPORARY =
  /^(node-compile-cache|v8-compile-cache.*|hsperfdata_.*|tmp\.\w{6,}|tmp[a-z0-9_]{8}|cc\w{6}\..*|npm-.*|\.X11-unix)$/;
/** Caches of package managers and the like. */
const CACHE =
  /^\.(bun|bundle|cache|cargo|composer|deno|dotnet|gem|gradle|ivy2|m2|node-gyp|npm|nuget|pnpm-store|pub-cache|rustup|yarn)$/;

export function noticeOnVanished(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const isOne = paths.length === 1;
  return [
    `wrote ${namedFew(paths, MAX_NAMED)}, which ${isOne ? "is" : "are"} gone with the sandbox: only files in the project are kept`,
  ];
}

/** The facts from which to guess which limit of the sandbox a command met. */
export interface CommandContext {
  readonly settings: Settings;
  readonly ran: Ended;
  /** Files hidden from the command, in the layer's naming. */
  readonly closed: readonly string[];
  /** Whether a block can say how long its command may take. */
  readonly takesTimeout?: boolean;
}

const NO_NETWORK =
  /could not resolve|temporary failure in name resolution|name or service not known|network is unreachable|ENOTFOUND|EAI_AGAIN|ENETUNREACH|nodename nor servname/i;
const READ_ONLY = /read-only file system|EROFS/i;
const MISSING = /no such file|ENOENT|not found|cannot open|can't open/i;

/** Returns a hint for a failed command, one line for each limit. Undefined if nothing points to the sandbox. */
export function hintAbout({
  settings: { exec },
  ran: { stdout, stderr, endedBy, signal },
  closed,
  takesTimeout = true,
}: CommandContext): string | undefined {
  const output = `${stdout}\n${stderr}`;
  const hidden = MISSING.test(output)
    ? closed.flatMap((entry) => textOf(entry) ?? []).find((path) => output.includes(basename(path)))
    : undefined;
  const hints: ReadonlyArray<readonly [isLikely: boolean, hint: string]> = [
    [
      endedBy === "timeout",
      takesTimeout
        ? `give the block a longer timeout = "${exec.timeout * 4}" (milliseconds), or the user can set exec.timeout in loaf.yml`
        : "for the user: exec.timeout in loaf.yml gives commands more time",
    ],
    [
      endedBy === undefined && signal === "SIGKILL",
      "it may have reached the sandbox's memory limit, which is half of the machine's memory",
    ],
    [
      !exec.network && NO_NETWORK.test(output),
      "commands have no network here; the user can allow it: `exec: {network: true}` in loaf.yml",
    ],
    [
      READ_ONLY.test(output),
      "a command can write in the project (but not in any .git), in /tmp and in its own home folder; the last two are deleted when it ends",
    ],
    [
      hidden !== undefined,
      `the rules hide ${hidden} from commands; the user can allow it: \`fs-guard: {read: {allow: ["./**", "./${hidden}"]}}\` in loaf.yml`,
    ],
  ];
  const lines = hints.flatMap(([isLikely, hint]) => (isLikely ? [hint] : []));
  return lines.length === 0 ? undefined : lines.join("\n");
}

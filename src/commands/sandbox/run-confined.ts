/** Runs one command as configured: in a sandbox on a view, or without one where allowed. */
import { Failed, type Failure } from "../../core/failure.ts";
import { type Ended, type Program, runProgram } from "../run-program.ts";
import type { Sandbox } from "./sandbox.ts";
import { allowNoSandbox, mayLackSandbox } from "../../trust/approvals.ts";
import { findCommand } from "../find-program.ts";
import { findSandbox, type NoSandbox } from "./find-sandbox.ts";
import { type CommandSite, confinementFor, type ViewedProject } from "./confinement.ts";
import type { Consent } from "../../run/consent.ts";
import { filesIn } from "../view/vanished.ts";
import { sandboxBy } from "./try-sandbox.ts";

export interface Request extends Pick<Program, "program" | "args" | "timeout" | "most" | "signal"> {
  /** Canonical. */
  readonly cwd: string;
  /** A file outside the project that it reads. */
  readonly script?: string | undefined;
}

/** How a command ended, with warnings, or why it was not started. */
export type Ran = Finished | { readonly failure: Failure };

interface Finished extends Ended {
  readonly warnings: readonly string[];
  /** Files that it left in its own /tmp and home, which are lost with the sandbox. */
  readonly vanished: readonly string[];
}

/**
 * Returns the sandbox for commands, or undefined if they may run without one. Asks before any command starts, because an answer may take
 * long. Throws `Failed` if there is no sandbox and nobody agrees to run without one.
 */
export async function agreedSandbox(site: CommandSite, consent: Consent): Promise<Sandbox | undefined> {
  if (site.settings.exec.sandbox === "off") return undefined;
  const found = findSandbox();
  if (!("reason" in found)) return sandboxBy(found);
  await confirmNoSandbox(site, consent, found);
  return undefined;
}

/** Throws `Failed` unless somebody agrees. A plain yes is remembered for this machine. */
export async function confirmNoSandbox({ settings }: CommandSite, consent: Consent, { reason, remedy }: NoSandbox): Promise<void> {
  if (settings.exec.sandbox === "auto" || mayLackSandbox()) return;
  if (!(await consent.isGiven({ kind: "no-sandbox", reason }, allowNoSandbox))) throw new Failed({ code: "exec/no-sandbox", reason, remedy });
}

/** Runs a command on a view. Only now a sandbox failure can show; then nothing was started. */
export async function runConfined(site: CommandSite, sandbox: Sandbox, project: ViewedProject, { program, args, cwd, script, timeout, most, signal }: Request): Promise<Ran> {
  const { confinement, path } = confinementFor(site, project, { cwd, script });
  const command = project.view.enter(sandbox.wrap({ program, args, cwd, env: environment(site, path) }, confinement));
  const ended = await runProgram({ ...command, timeout, most, signal, hasThird: true, inheritsNothing: true });
  const wasStarted = await sandbox.settle(ended.third);
  // A command killed from outside has run.
  if (ended.endedBy === undefined && ended.signal === null && !wasStarted) return { failure: { code: "exec/sandbox-failed", reason: lastLine(ended.stderr) } };
  if (ended.exitCode === NOT_FOUND && isShellsNotFound(ended.stderr, program)) return { failure: { code: "exec/not-found", program } };
  // A visible file is mounted on an empty one.
  const vanished = filesIn(project.view.scratch?.files, site.home).filter((one) => !confinement.visible.includes(one));
  return { ...withSignal(ended), warnings: [], vanished };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

/** Exit code of a shell for a missing command. */
const NOT_FOUND = 127;

/**
 * Recognises the message of each possible `/bin/sh`: `sh: 1: exec: x: not found`, `sh: line 1: exec: x: not found`, `sh: exec: line 0: x:
 * not found`.
 */
export function isShellsNotFound(complaint: string, program: string): boolean {
  const line = complaint.split("\n", 1)[0] ?? "";
  return line.startsWith("sh: ") && line.includes("exec: ") && line.endsWith(` ${program}: not found`);
}

/** Inside, a signal shows only as the shell's exit code: 128 and its number. Translates only codes that no program uses on purpose. */
function withSignal(ended: Ended): Ended {
  const signal = { 137: "SIGKILL", 139: "SIGSEGV", 134: "SIGABRT" } as const;
  const name = signal[ended.exitCode as keyof typeof signal];
  return name === undefined ? ended : { ...ended, exitCode: null, signal: name };
}

/** Runs a command on the project's files. Calls `noteStart` once the program is found, before it starts. */
export async function runFreely(site: CommandSite, { program, args, cwd, timeout, most, signal }: Request, noteStart: () => void): Promise<Ran> {
  const path = process.env["PATH"] ?? "";
  const found = program.includes("/") ? program : findCommand(program);
  if (found === undefined) return { failure: { code: "exec/not-found", program } };
  noteStart();
  const ended = await runProgram({ program, args, cwd, env: environment(site, path), timeout, most, signal, reach: "hunt" });
  const left = ended.survivors.length === 0 ? [] : [`may have left processes running: ${ended.survivors.join(", ")}`];
  return { ...ended, warnings: [NO_SANDBOX, ...left], vanished: [] };
}

const NO_SANDBOX = "ran without a sandbox, on the files themselves: it could read and change whatever you can, and undo does not cover what it changed";

/** Passes only the named variables of Loaf's own environment. */
function environment({ home, settings }: CommandSite, path: string): Record<string, string> {
  const named = settings.exec.env.flatMap((name) => {
    const value = name === "PATH" ? path : process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { LANG: process.env["LANG"] ?? "C.UTF-8", HOME: home, ...Object.fromEntries(named) };
}

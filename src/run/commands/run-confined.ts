/** Runs one command as the settings want it: in a sandbox, or without where that may be. */
import { Failed, type Failure } from "../../core/failure.ts";
import { bubblewrap } from "../../exec/bubblewrap.ts";
import { type Ended, type Program, runProgram } from "../../exec/run-program.ts";
import type { Sandbox } from "../../exec/sandbox.ts";
import { seatbelt } from "../../exec/seatbelt.ts";
import { allowNoSandbox, mayLackSandbox } from "../../host/approvals.ts";
import { findCommand } from "../../host/find-program.ts";
import { findSandbox, type NoSandbox, unavailable } from "../../host/find-sandbox.ts";
import { type CommandSite, confinementFor } from "./confinement.ts";
import type { Consent } from "../consent.ts";
import { type TakenOut, takeOutRefused } from "./refused-names.ts";
import { withPlaces } from "./left-places.ts";

interface Request extends Pick<Program, "program" | "args" | "timeout" | "most" | "signal"> {
  /** Canonical. */
  readonly cwd: string;
  /** A file that it reads, outside of the project. */
  readonly script?: string | undefined;
}

/** How a command ended, with what the user should know of it; or why it was not started. */
export type Ran = (Ended & TakenOut) | { readonly failure: Failure };

/**
 * The sandbox that commands are to run in; undefined where they may do without one, which somebody may have to be asked. Before any of them is started: what is
 * changed while a question waits is not a command's. Throws `Failed` where there is none, and nobody agrees to that.
 */
export async function agreedSandbox(site: CommandSite, consent: Consent): Promise<Sandbox | undefined> {
  if (site.settings.exec.sandbox === "off") return undefined;
  const found = findSandbox();
  if (!("reason" in found)) return found.kind === "bubblewrap" ? bubblewrap(found.path) : seatbelt(found.path);
  await agreeToNone(site, consent, found);
  return undefined;
}

/** Throws `Failed` where nobody agrees. A plain yes holds for this machine from then on. */
export async function agreeToNone({ settings }: CommandSite, consent: Consent, { reason, remedy }: NoSandbox): Promise<void> {
  if (settings.exec.sandbox === "auto" || mayLackSandbox()) return;
  if (!(await consent.isGiven({ kind: "no-sandbox", reason }, allowNoSandbox))) throw new Failed({ code: "exec/no-sandbox", reason, remedy });
}

/** Throws `Failed` where the project's rules are too many for a sandbox. That it cannot be made here shows only now: a failure `exec/no-sandbox`, and nothing was started. */
export function runConfined(site: CommandSite, sandbox: Sandbox | undefined, request: Request): Promise<Ran> {
  return sandbox === undefined ? runFreely(site, request) : runIn(sandbox, site, request);
}

async function runIn(sandbox: Sandbox, site: CommandSite, { program, args, cwd, script, timeout, most, signal }: Request): Promise<Ran> {
  const { confinement, path, refused } = confinementFor(site, { cwd, script });
  const env = environment(site, path);
  const command = sandbox.wrap({ program, args, cwd, env }, confinement);
  return withPlaces(site.root, sandbox.leavesPlaces ? confinement.absent : [], async () => {
    const ended = await runProgram({ ...command, timeout, most, signal, hasThird: true });
    const wasStarted = await sandbox.settle(ended.third);
    if (ended.endedBy === undefined && !wasStarted) return { failure: { code: "exec/no-sandbox", ...unavailable(sandbox, ended) } };
    if (ended.exitCode === NOT_FOUND && isShellsNotFound(ended.stderr, program)) return { failure: { code: "exec/not-found", program } };
    return { ...bySignal(ended), ...takeOutRefused(site, refused) };
  });
}

/** By a shell, for what is not there. */
const NOT_FOUND = 127;

/** Each shell that may be `/bin/sh` says it in its own words: `sh: 1: exec: x: not found`, `sh: line 1: exec: x: not found`, `sh: exec: line 0: x: not found`. */
export function isShellsNotFound(complaint: string, program: string): boolean {
  const line = complaint.split("\n", 1)[0] ?? "";
  return line.startsWith("sh: ") && line.includes("exec: ") && line.endsWith(` ${program}: not found`);
}

/** Inside, a shell's way of telling a signal is all there is: 128 and its number. Only of those that nobody exits with on purpose. */
function bySignal(ended: Ended): Ended {
  const signal = { 137: "SIGKILL", 139: "SIGSEGV", 134: "SIGABRT" } as const;
  const name = signal[ended.exitCode as keyof typeof signal];
  return name === undefined ? ended : { ...ended, exitCode: null, signal: name };
}

async function runFreely(site: CommandSite, { program, args, cwd, timeout, most, signal }: Request): Promise<Ran> {
  const path = process.env["PATH"] ?? "";
  const found = program.includes("/") ? program : findCommand(program);
  if (found === undefined) return { failure: { code: "exec/not-found", program } };
  const ended = await runProgram({ program, args, cwd, env: environment(site, path), timeout, most, signal, reach: "hunt" });
  const left = ended.survivors.length === 0 ? [] : [`may have left processes running: ${ended.survivors.join(", ")}`];
  return { ...ended, warnings: ["ran without a sandbox: it could read and change whatever you can", ...left] };
}

/** Nothing of Loaf's own but what is named. */
function environment({ home, settings }: CommandSite, path: string): Record<string, string> {
  const named = settings.exec.env.flatMap((name) => {
    const value = name === "PATH" ? path : process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { LANG: process.env["LANG"] ?? "C.UTF-8", HOME: home, ...Object.fromEntries(named) };
}

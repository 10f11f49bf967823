import { resolve } from "node:path";
import type { CodeRequest, Programs } from "../../actions/define.ts";
import type { ChangedPath } from "../../core/changed-path.ts";
import type { CommandData } from "../../core/command.ts";
import { explain } from "../../core/explain.ts";
import { Failed, type Failure } from "../../core/failure.ts";
import type { Outcome } from "../../core/outcome.ts";
import { isVersion, isVersionNumber, launchOf } from "../../exec/languages.ts";
import { runProgram } from "../../exec/run-program.ts";
import type { Sandbox } from "../../exec/sandbox.ts";
import { withScript } from "../../exec/script-file.ts";
import { allowCommand, allowedCommands } from "../../host/approvals.ts";
import { findCommand, findProgram } from "../../host/find-program.ts";
import type { Guard } from "../../workspace/guard/guard.ts";
import { isSystemError } from "../../workspace/volume/system-error.ts";
import type { CommandSite } from "./confinement.ts";
import type { Consent } from "../consent.ts";
import { agreedSandbox, agreeToNone, runConfined, type Ran } from "./run-confined.ts";

export interface ProgramsOptions {
  readonly site: CommandSite;
  readonly guard: Guard;
  readonly consent: Consent;
  /** Everything is looked at, and nothing is started. */
  readonly isDry: boolean;
  /** Ends what is running. */
  readonly signal?: AbortSignal | undefined;
  /** Brings to the disk what waits, acts, and finds out what that has changed. */
  observe<Value>(act: () => Promise<Value>): Promise<{ readonly value: Value; readonly changed: readonly ChangedPath[] }>;
}

/** What each command of several may take, in milliseconds, and write, in bytes. */
const EACH = { timeout: 5_000, most: 10 * 2 ** 20 };
/** Of code: bytes that it may write. */
const MOST_WRITTEN = 64 * 2 ** 20;

const NOTHING: CommandData = { stdout: "", stderr: "" };
const SKIPPED: Outcome<CommandData> = { warnings: ["skipped: a dry run runs no commands"] };

/** Runs commands for the actions of a run. */
export function createPrograms(options: ProgramsOptions): Programs {
  const { site, isDry, signal } = options;
  const { settings } = site;
  return {
    exec: (request) => withOutput(async () => {
      const { lang, timeout = settings.exec.timeout } = request;
      if (!settings.exec.languages.includes(lang)) throw new Failed({ code: "exec/language", lang });
      const cwd = directoryOf(options, request.cwd);
      const { program, args, ending } = await launchFor(request);
      if (isDry) return SKIPPED;
      const run = (sandbox: Sandbox | undefined, file?: string) => runConfined(site, sandbox, { program, args: args ?? [String(file)], cwd, script: file, timeout, most: MOST_WRITTEN, signal });
      const [[ran], changed] = await observed(options, async (sandbox) => [await (args === undefined ? withScript(request.code, ending, (file) => run(sandbox, file)) : run(sandbox))]);
      return outcomeOf(ran, changed, { timeout, most: MOST_WRITTEN });
    }),

    runEach: (commands, dir) => withOutput(async () => {
      const cwd = directoryOf(options, dir);
      await checkAllowed(options, commands, cwd);
      if (isDry) return SKIPPED;
      const [done, changed] = await observed(options, (sandbox) => runInOrder(options, sandbox, commands, cwd));
      return outcomeOfEach(done, commands, changed);
    }),
  };
}

/** Whatever is to be asked is asked before. Where a sandbox turns out not to be possible, nothing was started, and it begins anew. */
async function observed<Some extends readonly Ran[]>({ site, consent, observe }: ProgramsOptions, act: (sandbox: Sandbox | undefined) => Promise<Some>): Promise<[Some, readonly ChangedPath[]]> {
  const sandbox = await agreedSandbox(site, consent);
  const { value, changed } = await observe(() => act(sandbox));
  const [first, second] = value;
  const isLacking = second === undefined && first !== undefined && "failure" in first && first.failure.code === "exec/no-sandbox";
  if (!isLacking) return [value, changed];
  await agreeToNone(site, consent, first.failure);
  const again = await observe(() => act(undefined));
  return [again.value, again.changed];
}

/** Up to the first that fails. */
async function runInOrder({ site, signal }: ProgramsOptions, sandbox: Sandbox | undefined, commands: ReadonlyArray<readonly string[]>, cwd: string): Promise<Ran[]> {
  const done: Ran[] = [];
  for (const [program = "", ...args] of commands) {
    const ran = await runConfined(site, sandbox, { program, args, cwd, signal, ...EACH });
    done.push(ran);
    if (failureOf(ran, EACH) !== undefined) break;
  }
  return done;
}

/** What keeps a command from being started leaves it with empty output. */
async function withOutput(act: () => Promise<Outcome<CommandData>>): Promise<Outcome<CommandData>> {
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof Failed) return { ...failed(thrown.failure), ...(thrown.hint !== undefined && { hint: thrown.hint }) };
    throw thrown;
  }
}

/** Canonical. Throws `Failed`. */
function directoryOf({ site: { root, volume }, guard }: ProgramsOptions, given: string | undefined): string {
  if (given === undefined) return root;
  try {
    volume.realpath(resolve(root, given));
  } catch (thrown) {
    if (isSystemError(thrown)) throw new Failed({ code: "exec/cwd", path: given });
    throw thrown;
  }
  const { path, entry } = guard.admit({ path: given, access: ["read"], of: "target", names: "directory", syscall: "chdir" });
  if (entry?.kind !== "directory") throw new Failed({ code: "file/system", errno: "ENOTDIR", text: "not a directory", syscall: "chdir", path: given });
  return path;
}

/** The program that runs the code. Throws `Failed` where it is not installed, or not in that version. */
async function launchFor({ lang, version, code }: CodeRequest): Promise<{ readonly program: string; readonly args: readonly string[] | undefined; readonly ending: string }> {
  if (version === "") throw new Failed({ code: "exec/empty-version" });
  const launch = launchOf(lang, version, code);
  const missing = new Failed({ code: "exec/not-found", program: launch.program });
  if (version !== undefined && !isVersionNumber(version)) throw missing;
  if (findCommand(launch.program) !== undefined) return launch;
  if (version === undefined || !(await isOfVersion(launch.plain, version))) throw missing;
  return { ...launch, program: launch.plain };
}

/** It runs outside of the sandbox. */
async function isOfVersion(program: string, version: string): Promise<boolean> {
  const path = findProgram(program);
  if (path === undefined) return false;
  const { stdout } = await runProgram({ program: path, args: ["--version"], timeout: 10_000, keep: 4_096 });
  return isVersion(stdout, version);
}

/** Throws `Failed` where the user has not agreed to all of the commands, and does not now. Where nobody can be asked, the hint names all that are to be allowed. */
async function checkAllowed({ site: { root }, consent }: ProgramsOptions, commands: ReadonlyArray<readonly string[]>, cwd: string): Promise<void> {
  const allowed = allowedCommands(root);
  const unknown = [...new Set(commands.map(commandLine))].filter((command) => !allowed.includes(command));
  const isRefused = consent.canAsk;
  const hint = unknown.map((command) => `the user can allow it: loaf allow ${shellQuoted(command)}`).join("\n");
  for (const command of unknown) {
    const isGiven = await consent.isGiven({ kind: "command", command, cwd }, () => allowCommand(root, command));
    if (!isGiven) throw new Failed({ code: "skip/command", command, isRefused }, isRefused ? undefined : hint);
  }
}

/** Words as one would write them: the same words, however they were quoted, are the same command. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word))).join(" ");
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface Limits {
  readonly timeout: number;
  readonly most: number;
}

function failureOf(ran: Ran, { timeout, most }: Limits, command?: string): Failure | undefined {
  const named = command === undefined ? {} : { command };
  if ("failure" in ran) return ran.failure;
  if (ran.endedBy === "timeout") return { code: "exec/timeout", timeout, ...named };
  if (ran.endedBy === "signal") return { code: "exec/stopped", ...named };
  if (ran.endedBy === "output") return { code: "exec/output", limit: most, ...named };
  if (ran.signal !== null) return { code: "exec/signal", signal: ran.signal, ...named };
  if (ran.exitCode === 0) return ran.refused;
  return { code: "exec/exit", exitCode: ran.exitCode ?? -1, ...named };
}

/** Where a command has failed by itself, what else it did is a warning. */
function warningsOf(ran: Ran, limits: Limits): string[] {
  if ("failure" in ran) return [];
  const { refused, warnings } = ran;
  return refused === undefined || failureOf(ran, limits) === refused ? [...warnings] : [explain(refused), ...warnings];
}

function failed(failure: Failure): Outcome<CommandData> {
  return { failure, data: NOTHING };
}

function outcomeOf(ran: Ran, changed: readonly ChangedPath[], limits: Limits, command?: string): Outcome<CommandData> {
  const failure = failureOf(ran, limits, command);
  if ("failure" in ran) return failed(ran.failure);
  const data = { stdout: ran.stdout, stderr: ran.stderr, exit_code: ran.exitCode, ...(changed.length > 0 && { changed }) };
  const warnings = warningsOf(ran, limits);
  return { data, ...(failure !== undefined && { failure }), ...(warnings.length > 0 && { warnings }) };
}

/** Of several commands: all they wrote, in order, and how the last of them ended. */
function outcomeOfEach(done: readonly Ran[], commands: ReadonlyArray<readonly string[]>, changed: readonly ChangedPath[]): Outcome<CommandData> {
  const last = done.at(-1);
  if (last === undefined) return failed({ code: "exec/not-found", program: "" });
  const joined = (stream: "stdout" | "stderr") => done.map((ran) => ("failure" in ran ? "" : ran[stream])).join("");
  const outcome = outcomeOf(last, changed, EACH, done.length > 1 ? commandLine(commands[done.length - 1] ?? []) : undefined);
  const warnings = [...new Set(done.flatMap((ran) => warningsOf(ran, EACH)))];
  return { ...outcome, data: { ...(outcome.data ?? NOTHING), stdout: joined("stdout"), stderr: joined("stderr") }, ...(warnings.length > 0 && { warnings }) };
}

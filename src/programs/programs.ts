import { resolve } from "node:path";
import type { CodeRequest, Programs } from "../actions/define.ts";
import type { Change, ChangedPath } from "../core/change-set.ts";
import type { CommandData } from "../core/command.ts";
import { explain, Failed, type Failure } from "../core/failure.ts";
import type { Outcome } from "../core/outcome.ts";
import { isVersion, isVersionNumber, type Launch, launchOf, withScript } from "./languages.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { allowedCommands } from "../trust/trust.ts";
import { findCommand } from "../process/find-program.ts";
import type { Guard } from "../guard/guard.ts";
import { isSystemError } from "../disk/system-error.ts";
import type { RefusedChange } from "./view/view.ts";
import type { CommandSite, ViewedProject } from "./sandbox/confinement.ts";
import type { Consent } from "../run/consent.ts";
import {
  agreedSandbox, type ConfinedProgram, type ConfinedResult, confirmNoSandbox, hintAbout, noticeOnVanished, runConfined,
  runFreely
} from "./sandbox/run-confined.ts";
import { noticesOn } from "./view/land.ts";
import { sandboxProblem } from "./sandbox/find-sandbox.ts";

export interface ProgramsOptions {
  readonly site: CommandSite;
  readonly guard: Guard;
  readonly consent: Consent;
  /** `rehearsal`: checks everything and starts nothing. `dry`: must not touch the project's files. */
  readonly mode: "run" | "dry" | "rehearsal";
  /** Kills running commands. */
  readonly signal?: AbortSignal | undefined;
  /** Set if somebody confirms each action: before commands start or, with their results, before their changes land. */
  readonly confirm?: ((came?: CommandResult<CommandData>) => Promise<boolean>) | undefined;
  /** Shared by all commands of a run. */
  readonly known: SandboxDecision;
  /** Runs commands on a view and lands their changes. */
  onView<Value>(
    act: (project: ViewedProject) => Promise<Value>, agree?: (came: CommandResult<Value>) => Promise<boolean>
  ): Promise<LandedCommand<Value>>;
  /** Runs commands on the project's files, after flushing pending changes. */
  onFiles<Value>(act: (noteStart: () => void) => Promise<Value>): Promise<Value>;
}

/** Result of commands on a view before anything lands. */
export interface CommandResult<Value> {
  readonly value: Value;
  readonly changes: readonly Change[];
}

export interface SandboxDecision {
  /** The sandbox of the run's first command. No later command gets less. */
  decided?: { readonly sandbox: Sandbox | undefined };
}

/** Result of commands on a view. */
export interface LandedCommand<Value> {
  readonly value: Value;
  readonly changed: readonly ChangedPath[];
  readonly refused: readonly RefusedChange[];
  /** Why nothing that it changed was written. */
  readonly failure?: Failure;
  /** Files hidden from the command, in the layer's naming. Undefined if it ran on the project's files. */
  readonly closed?: readonly string[];
}

/** Limits for each of several commands: milliseconds, and bytes of output. */
const EACH_LIMITS = { timeout: 5_000, most: 10 * 2 ** 20 };
/** The setting's; another one counts for several commands too. */
const DEFAULT_TIMEOUT = 30_000;

const limitsOf = ({ exec: { timeout } }: CommandSite["settings"]): typeof EACH_LIMITS =>
  timeout === DEFAULT_TIMEOUT ? EACH_LIMITS : { ...EACH_LIMITS, timeout };
/** Limit for code: bytes of output. */
const MAX_OUTPUT = 64 * 2 ** 20;

const NOTHING: CommandData = { stdout: "", stderr: "" };
const NOT_STARTED: Outcome<CommandData> = {};
const SKIPPED: Outcome<CommandData> = {
  warnings: ["skipped: without a sandbox a dry run runs no commands, because they would change the actual files"],
};

/** Creates the runner of commands for the actions of a run. */
export function createPrograms(options: ProgramsOptions): Programs {
  const { site, site: { settings }, mode, signal } = options;
  return {
    exec: (request) =>
      withOutput(async () => {
        const { lang, timeout = settings.exec.timeout } = request;
        if (!settings.exec.languages.includes(lang)) throw new Failed({ code: "exec/language", lang });
        const cwd = directoryOf(options, request.cwd);
        const { program, args, ending, toAsk: versionCheck } = launchFor(request);
        if (mode === "rehearsal") return NOT_STARTED;
        const limits = { timeout, most: MAX_OUTPUT };
        const run = (start: Start, file?: string) =>
          start({ program, args: args ?? [String(file)], cwd, script: file, ...limits, signal });
        const landed = await runStarted(options, async (start) => {
          const unfit = versionCheck && (await versionFailure(start, versionCheck, { cwd, signal }));
          if (unfit !== undefined) return [unfit];
          if (args !== undefined) return [await run(start)];
          return [await withScript(request.code, ending, (file) => run(start, file))];
        });
        return landed === undefined ? SKIPPED : outcomeOf(site, landed.value[0] as ConfinedResult, landed, limits);
      }),

    runEach: (commands, dir) => withOutput(async () => {
      const cwd = directoryOf(options, dir);
      await checkAllowed(options, commands, cwd);
      if (mode === "rehearsal") return NOT_STARTED;
      const landed = await runStarted(options, (start) => runInOrder(options, start, commands, cwd));
      return landed === undefined ? SKIPPED : outcomeOfEach(site, landed, commands);
    }),
  };
}

type Start = (request: ConfinedProgram) => Promise<ConfinedResult>;

/**
 * Starts commands as configured: in a sandbox on a view or, if agreed, on the project's files. Returns undefined if a
 * dry run must skip them. Asks all questions first. If the first command shows that this machine has no working
 * sandbox, nothing was started, and it begins again without one.
 */
async function runStarted(
  { site, consent, mode, known, confirm, onView, onFiles }: ProgramsOptions,
  act: (start: Start) => Promise<ConfinedResult[]>
): Promise<LandedCommand<readonly ConfinedResult[]> | undefined> {
  const sandbox = known.decided === undefined ? await agreedSandbox(site, consent) : known.decided.sandbox;
  if (sandbox !== undefined) {
    await checkConfirmed(confirm);
    // What goes out to the network cannot be undone, so only changes of other commands are asked about afterwards.
    const confirmLater =
      site.settings.exec.network || confirm === undefined
        ? undefined
        : async ({ value, changes }: CommandResult<readonly ConfinedResult[]>) =>
            changes.length === 0 || value.every(hasSandboxFailed) || confirm({ value: dataOf(value), changes });
    let closed: readonly string[] = [];
    const landed = await onView((project) => {
      closed = project.closed.files;
      return act(async (request) => {
        const ran = await runConfined(site, sandbox, project, request);
        if (!hasSandboxFailed(ran)) known.decided = { sandbox };
        return ran;
      });
    }, confirmLater);
    // A single command may fail for its own settings. A test with an empty folder tells about the machine.
    const none = known.decided === undefined ? await sandboxProblem(sandbox) : undefined;
    if (none === undefined) {
      known.decided = { sandbox };
      return { ...landed, closed };
    }
    await confirmNoSandbox(site, consent, none);
  }
  known.decided = { sandbox: undefined };
  if (mode === "dry") return undefined;
  await checkConfirmed(confirm);
  return {
    value: await onFiles((noteStart) => act((request) => runFreely(site, request, noteStart))),
    changed: [],
    refused: [],
  };
}

function hasSandboxFailed(ran: ConfinedResult): boolean {
  return "failure" in ran && ran.failure.code === "exec/sandbox-failed";
}

async function checkConfirmed(agree: ProgramsOptions["confirm"]): Promise<void> {
  if (agree !== undefined && !(await agree())) throw new Failed({ code: "skip/refused" });
}

/** Joins the output of all commands, with the exit code of the last. */
function dataOf(done: readonly ConfinedResult[]): CommandData {
  const last = done.at(-1);
  const joined = (stream: "stdout" | "stderr") => done.map((ran) => ("failure" in ran ? "" : ran[stream])).join("");
  return {
    stdout: joined("stdout"),
    stderr: joined("stderr"),
    ...(last !== undefined && !("failure" in last) && { exit_code: last.exitCode }),
  };
}

/** Stops after the first failure. */
async function runInOrder(
  { signal, site: { settings } }: ProgramsOptions, start: Start, commands: ReadonlyArray<readonly string[]>, cwd: string
): Promise<ConfinedResult[]> {
  const done: ConfinedResult[] = [];
  for (const [program = "", ...args] of commands) {
    const limits = limitsOf(settings);
    const ran = await start({ program, args, cwd, signal, ...limits });
    done.push(ran);
    if (failureOf(ran, limits) !== undefined) break;
  }
  return done;
}

/** A failure before the start is reported with empty output. */
async function withOutput(act: () => Promise<Outcome<CommandData>>): Promise<Outcome<CommandData>> {
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof Failed && thrown.failure.code === "skip/refused") return { failure: thrown.failure };
    if (thrown instanceof Failed) return failed(thrown.failure);
    throw thrown;
  }
}

/** Returns a canonical path. Throws `Failed`. */
function directoryOf({ site: { root, volume }, guard }: ProgramsOptions, given: string | undefined): string {
  if (given === undefined) return root;
  try {
    volume.realpath(resolve(root, given));
  } catch (thrown) {
    if (isSystemError(thrown)) throw new Failed({ code: "exec/cwd", path: given });
    throw thrown;
  }
  const { path, entry } = guard.admit({
    path: given, access: ["read"], of: "target", names: "directory", syscall: "chdir"
  });
  if (entry?.kind !== "directory")
    throw new Failed({ code: "file/system", errno: "ENOTDIR", text: "not a directory", syscall: "chdir", path: given });
  return path;
}

interface Launched extends Pick<Launch, "program" | "args" | "ending"> {
  /** Set if only the program itself can tell its version. */
  readonly toAsk?: { readonly program: string; readonly version: string; readonly missing: Failure };
}

/** Returns the program for the code. Throws `Failed` if it is not installed. */
function launchFor({ lang, version, code }: CodeRequest): Launched {
  if (version === "") throw new Failed({ code: "exec/empty-version" });
  const launch = launchOf(lang, version, code);
  const missing = { code: "exec/not-found", program: launch.program } as const;
  if (version !== undefined && !isVersionNumber(version)) throw new Failed(missing);
  if (findCommand(launch.program) !== undefined) return launch;
  if (version === undefined || findCommand(launch.plain) === undefined) throw new Failed(missing);
  return { ...launch, program: launch.plain, toAsk: { program: launch.plain, version, missing } };
}

/**
 * Asks a program for its version in the command's folder, because the shim of a version manager reads files of the
 * project.
 */
async function versionFailure(
  start: Start, { program, version, missing }: NonNullable<Launched["toAsk"]>, where: Pick<ConfinedProgram, "cwd" | "signal">
): Promise<ConfinedResult | undefined> {
  const said = await start({ program, args: ["--version"], ...where, ...EACH_LIMITS });
  if ("failure" in said) return said.failure.code === "exec/not-found" ? { failure: missing } : said;
  return isVersion(said.stdout, version) ? undefined : { failure: missing };
}

/**
 * Throws `Failed` unless the user has allowed all commands, or does so now. If nobody can be asked, the hint names all
 * commands to allow.
 */
async function checkAllowed(
  { site: { root }, consent }: ProgramsOptions, commands: ReadonlyArray<readonly string[]>, cwd: string
): Promise<void> {
  const allowed = allowedCommands.of(root);
  const unknown = [...new Set(commands.map(commandLine))].filter((command) => !allowed.includes(command));
  const isRefused = consent.canAsk;
  const toAllow = unknown.map(shellQuoted);
  for (const command of unknown) {
    const isGiven = await consent.isGiven({ kind: "command", command, cwd }, () => allowedCommands.add(root, command));
    if (!isGiven) throw new Failed({ code: "skip/command", command, isRefused, toAllow });
  }
}

/** Writes words as a command line. The same words are the same command, however they were quoted. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word))).join(" ");
}

/** Quotes a word for POSIX shells. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface Limits {
  readonly timeout: number;
  readonly most: number;
}

function failureOf(ran: ConfinedResult, { timeout, most }: Limits, command?: string): Failure | undefined {
  const named = command === undefined ? {} : { command };
  if ("failure" in ran) return ran.failure;
  if (ran.endedBy === "timeout") return { code: "exec/timeout", timeout, ...named };
  if (ran.endedBy === "signal") return { code: "exec/stopped", ...named };
  if (ran.endedBy === "output") return { code: "exec/output", limit: most, ...named };
  if (ran.signal !== null) return { code: "exec/signal", signal: ran.signal, ...named };
  if (ran.exitCode === 0) return undefined;
  return { code: "exec/exit", exitCode: ran.exitCode ?? -1, ...named };
}

function failed(failure: Failure): Outcome<CommandData> {
  return { failure, data: NOTHING };
}

type Landing = Omit<LandedCommand<unknown>, "value">;

/** A failure of the command itself takes precedence, unless part of its changes was written. */
function outcomeOf(
  { settings }: CommandSite,
  ran: ConfinedResult,
  { changed, refused, failure: notLanded, closed }: Landing,
  limits: Limits,
  command?: string,
): Outcome<CommandData> {
  const failure = notLanded?.code === "run/torn" ? notLanded : (failureOf(ran, limits, command) ?? notLanded);
  const data = {
    ...("failure" in ran ? NOTHING : { stdout: ran.stdout, stderr: ran.stderr, exit_code: ran.exitCode }),
    ...(changed.length > 0 && { changed }),
    ...(refused.length > 0 && { refused: refused.map(({ path, reason, rule }) => ({ path, reason: rule ?? reason })) }),
  };
  const lost =
    notLanded === undefined || failure === notLanded ? [] : [`none of its changes were written: ${explain(notLanded)}`];
  const warnings = [
    ...("failure" in ran ? [] : ran.warnings),
    ...noticesOn(refused),
    ...("failure" in ran ? [] : noticeOnVanished(ran.vanished)),
    ...lost,
  ];
  const isUnclear = failure === undefined || closed === undefined || "failure" in ran;
  const hint = isUnclear ? undefined : hintAbout({ settings, ran, closed, takesTimeout: limits.most === MAX_OUTPUT });
  return {
    data,
    ...(failure !== undefined && { failure }),
    ...(hint !== undefined && { hint }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Joins several commands: all output, and the outcome of the last. */
function outcomeOfEach(
  site: CommandSite, landed: LandedCommand<readonly ConfinedResult[]>, commands: ReadonlyArray<readonly string[]>
): Outcome<CommandData> {
  const done = landed.value;
  const last = done.at(-1);
  if (last === undefined) return failed({ code: "exec/not-found", program: "" });
  const { stdout, stderr } = dataOf(done);
  const outcome = outcomeOf(
    site, last, landed, limitsOf(site.settings),
    done.length > 1 ? commandLine(commands[done.length - 1] ?? []) : undefined
  );
  const earlier = done.slice(0, -1).flatMap((ran) => ("failure" in ran ? [] : ran.warnings));
  const warnings = [...new Set([...earlier, ...(outcome.warnings ?? [])])];
  return {
    ...outcome,
    data: { ...(outcome.data ?? NOTHING), stdout, stderr },
    ...(warnings.length > 0 && { warnings }),
  };
}

import { devNull } from "node:os";
import { runProgram } from "../process/run-program.ts";

/** Calls git in one work tree. Nothing of the repository's own runs unless a call allows it. */
export interface Git {
  /** The top of the work tree. All paths are relative to it. */
  readonly top: string;
  readonly execution: Execution;
  /** Returns the output. Throws `GitFailed` if git fails. */
  (args: readonly string[], options?: CallOptions): Promise<Buffer>;
  /** Like the call, but returns failures too. */
  attempt(args: readonly string[], options?: CallOptions): Promise<Answer>;
}

export interface Answer {
  /** Null after a signal or a timeout. */
  readonly exitCode: number | null;
  /** All output, as bytes. */
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface CallOptions {
  readonly input?: string | Buffer;
  /** Replaces the user's index. */
  readonly index?: string;
  /** Replaces the work tree that files are read from. */
  readonly workTree?: string | undefined;
  /** Runs the hooks that are switched on, in the user's own language and with a longer timeout. For commit and push. */
  readonly runsHooks?: boolean;
  /** Fetches missing objects of a partial clone, as the repository's settings say. */
  readonly fetches?: boolean;
  /** Runs without a terminal for questions, and ends background processes. */
  readonly isAlone?: boolean;
  /** Only for a question about the hooks' folder. */
  readonly obeysHooksPath?: boolean;
}

/** What git may start in a repository. */
export interface Execution {
  /** Folder of the hooks that run in commits and pushes; undefined if none run. */
  readonly hooks?: string;
  /** Whether one of them takes part in a commit. */
  readonly hasCommitHooks: boolean;
  /** Whether the configuration mentions signing commits. */
  readonly maySign: boolean;
  /** What git does not start or read, because an action could have written it. */
  readonly excluded: {
    /** Configuration files in the work tree, relative to its top. */
    readonly configuration: readonly string[];
    /** Maps the name of a filter to its command. */
    readonly filters: ReadonlyMap<string, string>;
    /** The program that would sign commits. */
    readonly signing?: string;
    /** Programs that reach a server, and servers within the project. */
    readonly transport: readonly string[];
  };
  /** Points git to a configuration without the excluded entries. */
  readonly environment: Readonly<Record<string, string>>;
}

const NOTHING: Execution = {
  hasCommitHooks: false,
  maySign: true,
  excluded: { configuration: [], filters: new Map(), transport: [] },
  environment: {},
};

/** Git failed, or Loaf has a reason not to call it. The message is a clause, made of git's last lines. */
export class GitFailed extends Error {
  override readonly name = "GitFailed";
}

/** A hook may run a project's tests. Everything else takes seconds, even on a slow file system. */
const HOOK_TIMEOUT = 10 * 60_000;
const TIMEOUT_MS = 60_000;
/** Bytes kept of git's error output. */
const MAX_STDERR = 65_536;

/** @param program path of git */
export function createGit(
  program: string, top: string, variables: NodeJS.ProcessEnv = process.env, execution = NOTHING
): Git {
  const environment = { ...environmentOf(variables), ...execution.environment };
  const { hooks, excluded: { transport } } = execution;
  const attempt: Git["attempt"] = async (
    args,
    { input, index, workTree, runsHooks = false, fetches = runsHooks, isAlone = false, obeysHooksPath = false } = {}
  ) => {
    const env = {
      ...environment,
      ...(index !== undefined && { GIT_INDEX_FILE: index }),
      ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
      // Output that Loaf parses must be in one language. A hook is the user's program.
      ...(!runsHooks && { LC_ALL: "C" }),
      // Fetching runs the server that a repository names. An older git that does not know the first variable obeys the
      // second.
      ...((!fetches || transport.length > 0) && { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" }),
    };
    const pieces: Buffer[] = [];
    const { exitCode, stderr } = await runProgram({
      program,
      args: [...QUIET, ...(runsHooks ? [] : ALONE), ...(obeysHooksPath ? [] : hooksOption(runsHooks, hooks)), ...args],
      cwd: top,
      env,
      input,
      timeout: runsHooks ? HOOK_TIMEOUT : TIMEOUT_MS,
      // Background processes of hooks are the user's, and so is the agent that holds a signing key.
      reach: isAlone ? "group" : "leave",
      keep: MAX_STDERR,
      onOutput: (piece) => pieces.push(piece) > 0,
    });
    return { exitCode, stdout: Buffer.concat(pieces), stderr };
  };
  const call = async (args: readonly string[], options?: CallOptions): Promise<Buffer> => {
    const { exitCode, stdout, stderr } = await attempt(args, options);
    if (exitCode !== 0) throw new GitFailed(reasonOf({ exitCode, stderr }));
    return stdout;
  };
  return Object.assign(call, { top, execution, attempt });
}

/** Turns off everything that git would start on its own or leave running. */
const QUIET = [
  "--no-pager",
  ...[
    "core.fsmonitor=false", "maintenance.auto=false", "gc.auto=0", "submodule.recurse=false", "user.useConfigOnly=true",
    "log.showSignature=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** Takes paths literally. Hooks inherit these variables and may use patterns, so calls with hooks go without. */
const ALONE = ["--no-optional-locks", "--literal-pathspecs"];

function hooksOption(isAllowed: boolean, folder = devNull): string[] {
  return ["-c", `core.hooksPath=${isAllowed ? folder : devNull}`];
}

/**
 * Variables that say who the user is and how to reach a server. Any other `GIT_…` could point git elsewhere, or belong
 * to the git that started Loaf.
 */
const KEPT =
  /^GIT_(AUTHOR_NAME|AUTHOR_EMAIL|COMMITTER_NAME|COMMITTER_EMAIL|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|SSH|SSH_COMMAND|SSH_VARIANT)$/;

function environmentOf(variables: NodeJS.ProcessEnv): Record<string, string> {
  const isKept = (name: string): boolean => !/^GIT_/i.test(name) || KEPT.test(name);
  const kept = Object.entries(variables).filter(([name, value]) => value !== undefined && isKept(name));
  return { ...(Object.fromEntries(kept) as Record<string, string>), GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":" };
}

const NO_IDENTITY = "git does not know who you are: set user.name and user.email with git config --global";

/** Uses the last lines. Earlier ones are progress, or a hook's output for each file. */
export function reasonOf({ exitCode, stderr }: Pick<Answer, "exitCode" | "stderr">): string {
  // Git prints this command in every language.
  if (stderr.includes("git config --global user.email")) return NO_IDENTITY;
  // Joins indented names to the line that they belong to.
  const all = stderr.replaceAll("\n\t", " ").split("\n").map((line) => line.trim());
  const lines = all.filter((line) => line !== "" && !line.startsWith("hint: "));
  const errorLines = lines.filter((line) => /^(fatal|error): /.test(line));
  const last = (errorLines.length > 0 ? errorLines : lines).slice(-3);
  // Why a server refuses a push.
  const ofServer = errorLines.length > 0 ? lines.filter((line) => /^(?:remote: \S|! \[)/.test(line)).slice(-3) : [];
  const reason = [...last, ...ofServer].map((line) => line.replace(/^(fatal|error): /, "")).join("; ");
  if (exitCode === null) return `git took too long or was killed${reason === "" ? "" : `: ${reason}`}`;
  return reason === "" ? `git exited with code ${exitCode}` : reason;
}

/** Splits output into lines, or records ended by NUL. Returns strings of bytes, because names need not be UTF-8. */
export function records(output: Buffer, end = "\0"): string[] {
  return output.toString("latin1").split(end).slice(0, -1);
}

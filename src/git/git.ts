import { devNull } from "node:os";
import { runProgram } from "../commands/run-program.ts";

/** Calls git in one work tree, so that nothing of the repository's own is run unless a call says so. */
export interface Git {
  /** The top of the work tree, to which all paths are relative. */
  readonly top: string;
  readonly execution: Execution;
  /** What it printed. Throws `GitFailed` where it does not end well. */
  (args: readonly string[], options?: CallOptions): Promise<Buffer>;
  /** The same, however it ends. */
  attempt(args: readonly string[], options?: CallOptions): Promise<Answer>;
}

export interface Answer {
  /** Null where a signal or the time limit ended it. */
  readonly exitCode: number | null;
  /** All of it, byte by byte. */
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface CallOptions {
  readonly input?: string | Buffer;
  /** Instead of the user's index. */
  readonly index?: string;
  /** Instead of the work tree: where files are read from. */
  readonly workTree?: string;
  /** Hooks run, in the user's own language, and may take their time: only for a commit and a push. */
  readonly runsHooks?: boolean;
  /** Objects that a partial clone does not have are fetched, as the repository's settings say. */
  readonly fetches?: boolean;
  /** It has no terminal that it could ask at, and leaves nothing behind. */
  readonly isAlone?: boolean;
}

/** A file that git would run, or read as configuration, in a place where an action could write. */
export interface Source {
  /** Absolute. */
  readonly path: string;
  /** Of its bytes; undefined where they cannot be vouched for: too many files, or a repository. */
  readonly digest: string | undefined;
}

/** What git may start in a repository. */
export interface Execution {
  /** Whether a hook has a say in a commit, and may. */
  readonly hasCommitHooks: boolean;
  /** All that git would obey if it were let, sorted. */
  readonly sources: readonly Source[];
  /** Those among them that count in a checkout, trusted or not. */
  readonly inCheckout: readonly Source[];
  /** What stays out, each with the sources that nobody has trusted. */
  readonly untrusted: {
    readonly hooks: readonly Source[];
    /** By the filter's name. */
    readonly filters: ReadonlyMap<string, readonly Source[]>;
    readonly signing: readonly Source[];
    /** Programs that reach a server, and servers in the project itself. */
    readonly transport: readonly Source[];
    readonly configuration: readonly Source[];
  };
  /** Points git to a configuration without what stays out. */
  readonly environment: Readonly<Record<string, string>>;
}

const NOTHING: Execution = { hasCommitHooks: false, sources: [], inCheckout: [], untrusted: { hooks: [], filters: new Map(), signing: [], transport: [], configuration: [] }, environment: {} };

/** Git refused, or there is a reason not to ask it: the message is a clause, made of the last that git said. */
export class GitFailed extends Error {
  override readonly name = "GitFailed";
}

/** A hook may run a project's tests; anything else is over in seconds, also where a file system is slow. */
const LONGEST_HOOKS = 10 * 60_000;
const LONGEST = 60_000;
/** Bytes of what git complains about. */
const MOST_SAID = 65_536;

/** @param program git's path */
export function createGit(program: string, top: string, variables: NodeJS.ProcessEnv = process.env, execution = NOTHING): Git {
  const environment = { ...environmentOf(variables), ...execution.environment };
  const { hooks, transport } = execution.untrusted;
  const attempt: Git["attempt"] = async (args, { input, index, workTree, runsHooks = false, fetches = runsHooks, isAlone = false } = {}) => {
    const env = {
      ...environment,
      ...(index !== undefined && { GIT_INDEX_FILE: index }),
      ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
      // What is read must be in one language; a hook is the user's program.
      ...(!runsHooks && { LC_ALL: "C" }),
      // A filter such as `python -m nbstripout` would take modules from the work tree.
      ...(!runsHooks && { PYTHONSAFEPATH: "1" }),
      // Fetching runs what a repository names as its server. A git that does not know the first obeys the second.
      ...((!fetches || transport.length > 0) && { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" }),
    };
    const pieces: Buffer[] = [];
    const { exitCode, stderr } = await runProgram({
      program,
      args: [...QUIET, ...(runsHooks ? [] : ALONE), ...(hooks.length > 0 ? NO_HOOKS : []), ...args],
      cwd: top,
      env,
      input,
      timeout: runsHooks ? LONGEST_HOOKS : LONGEST,
      // What a hook leaves in the background is the user's, and so is the agent that keeps the key of a signature.
      reach: isAlone ? "group" : "leave",
      keep: MOST_SAID,
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

/** What git would start besides, or leave running, stays off. */
const QUIET = [
  "--no-pager",
  ...["core.fsmonitor=false", "maintenance.auto=false", "gc.auto=0", "submodule.recurse=false", "user.useConfigOnly=true", "log.showSignature=false"].flatMap((setting) => ["-c", setting]),
];

/** A path is a path, whatever stands in it. A hook inherits these, and may mean something by its patterns. */
const NO_HOOKS = ["-c", `core.hooksPath=${devNull}`];
const ALONE = ["--no-optional-locks", "--literal-pathspecs", ...NO_HOOKS];

/** Variables that may say who the user is and how to reach a server. All other `GIT_…` would point git somewhere else, or be meant for the git that Loaf was started by. */
const KEPT = /^GIT_(AUTHOR_NAME|AUTHOR_EMAIL|COMMITTER_NAME|COMMITTER_EMAIL|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|SSH|SSH_COMMAND|SSH_VARIANT)$/;

function environmentOf(variables: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(variables).filter(([name, value]) => value !== undefined && (!/^GIT_/i.test(name) || KEPT.test(name)));
  return { ...(Object.fromEntries(kept) as Record<string, string>), GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":" };
}

/** The last lines matter: what stands before them is progress, or what a hook says of each file. */
export function reasonOf({ exitCode, stderr }: Pick<Answer, "exitCode" | "stderr">): string {
  // Names that belong to a line stand below it, indented.
  const lines = stderr.replaceAll("\n\t", " ").split("\n").map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("hint: "));
  const telling = lines.filter((line) => /^(fatal|error): /.test(line));
  const said = (telling.length > 0 ? telling : lines).slice(-3).map((line) => line.replace(/^(fatal|error): /, "")).join("; ");
  if (exitCode === null) return `git took too long, or was ended${said === "" ? "" : `: ${said}`}`;
  return said === "" ? `git ended with exit code ${exitCode}` : said;
}

/** The lines, or records ended by NUL, of an output, as strings of bytes: names need not be UTF-8. */
export function records(output: Buffer, end = "\0"): string[] {
  return output.toString("latin1").split(end).slice(0, -1);
}

/** A path as git prints it, as a string of bytes. */
export function asBytes(path: string): string {
  return Buffer.from(path).toString("latin1");
}

export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Finds and opens the project of a command, asks whether to trust it, and says for whom the command waits. */
import { excludeProgramsOf } from "../../process/find-program.ts";
import type { Approve } from "../../core/approval.ts";
import { counted } from "../../core/counted.ts";
import { unifiedDiff } from "../../report/diff.ts";
import { ago } from "../../report/history.ts";
import type { Holder } from "../../state/lock.ts";
import { canonicalDirectory, findRoot, refuseRoot } from "../../state/root.ts";
import { Loaf } from "../../loaf.ts";
import type { OnCopying } from "../../programs/view/view.ts";
import type { LoafOptions } from "../../run/options.ts";
import { settingsWarnings, widenings } from "../../run/read-settings.ts";
import { LiveLine } from "./live-line.ts";
import { type Confirm, type LatePerson, personAt } from "./late-person.ts";
import type { RootOption, RunFlags } from "./options.ts";
import { complain } from "./output.ts";
import { UsageError } from "./usage-error.ts";
import { removeLeftovers } from "../../git/index-lock.ts";
import { findRepository } from "../../git/repository.ts";
import { tryOr } from "../../core/errors.ts";
import { readStateJson, removeStateFile, writeStateFile } from "../../state/state-file.ts";
import type { Content } from "../../core/change-set.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { ConfigFiles } from "../../state/config-files.ts";
import { trust, trustedText } from "../../trust/trust.ts";

/** Returns the root given by `--root`, or that of the current folder. Resolves links. */
export function rootOf(given: string | undefined): string {
  const root = given === undefined ? findRoot() : canonicalDirectory(given);
  if (root === undefined) throw new UsageError(`--root '${given}' is not a directory`);
  excludeProgramsOf(root);
  return root;
}

/** Like `rootOf`, for commands that write to the state folder without opening the project. */
export function ownRootOf(given: string | undefined): string {
  const root = rootOf(given);
  refuseRoot(root);
  return root;
}

export function readOnly(root: string): string {
  return `The project ${root} is read-only: nothing can be changed in it`;
}

export interface ProjectOptions extends Pick<
  RunFlags,
  "root" | "dryRun" | "ask" | "yes" | "hooks" | "exec" | "git" | "sandbox"
> {
  /** Whether to ask the user at the terminal to trust a changed loaf.yml. */
  readonly asksTrust?: boolean;
  /** Who is asked. Default: the user at the terminal, if there is one. */
  readonly person?: Pick<LatePerson, "approve" | "confirm"> | undefined;
  /** Replaces the default progress line. */
  readonly onCopying?: OnCopying;
}

/** Opens a project to run actions. Warns of settings that need trust and of unknown actions in the configuration. */
export async function openProject(
  { ask = false, yes = false, hooks = true, exec = true, asksTrust = false, ...options }: ProjectOptions,
  warn: (sentence: string) => void = complain,
): Promise<Loaf> {
  const root = rootOf(options.root);
  const person = options.person ?? personAt(root);
  if (ask && !yes && person === undefined && options.dryRun !== true)
    throw new UsageError("There is no terminal to ask at, so nothing was run: --yes answers yes to all questions");
  const approve: Approve | undefined = yes ? () => "once" : person && noteQuestions(root, person.approve);
  const loaf = await Loaf.create({
    ...openingOf(root, warn, asksTrust ? person?.confirm : undefined),
    dryRun: options.dryRun ?? false,
    ...(approve && { approve }),
    approveEach: ask,
    isPerson: !yes,
    enableHooks: hooks,
    enableCommands: exec,
    ...(options.git === false && { gitCommit: false }),
    ...(options.sandbox !== undefined && { config: { exec: { sandbox: options.sandbox } } }),
    onWait: (holder) => warn(waitingFor(root, holder)),
    onCopying: options.onCopying ?? showCopying(new LiveLine()),
  });
  for (const sentence of settingsWarnings(loaf.settings)) warn(`WARNING: ${sentence}`);
  return loaf;
}

/** Opens a project to show or undo runs. Runs no action, so it gives no warnings about trust. */
export function openHistory(options: RootOption): Promise<Loaf> {
  return Loaf.create(openingOf(rootOf(options.root), () => {}));
}

/** Returns how all commands open a project. */
export function openingOf(root: string, warn: (sentence: string) => void, confirm?: Confirm): LoafOptions {
  return {
    repoPath: root,
    assumeInit: true,
    trustProject: (_, files) => isTrustedProject(root, files, { warn, confirm }),
    onWait: (holder) => complain(waitingFor(root, holder)),
  };
}

function showCopying(line: LiveLine): OnCopying {
  return (copied) => (copied === undefined ? line.clear() : line.show(copyingSentence(copied)));
}

export function copyingSentence({ files, bytes }: NonNullable<Parameters<OnCopying>[0]>): string {
  return `copying the project for the command: ${files} files, ${Math.round(bytes / 1e6)} MB`;
}

export function waitingFor(root: string, holder: Holder): string {
  const question = openQuestionOf(root, holder);
  if (question !== undefined) return `${question}: give it there. Ctrl-C stops waiting; nothing has been changed yet`;
  const { pid, since, isRunning, file } = holder;
  const remedy = isRunning
    ? "Ctrl-C stops waiting; nothing has been changed yet"
    : `if it no longer runs, delete ${file}`;
  const milliseconds = Date.now() - Date.parse(since);
  const isRecent = milliseconds >= 0 && milliseconds < 60_000;
  const start = isRecent ? `${counted(Math.floor(milliseconds / 1_000), "second")} ago` : ago(milliseconds, since);
  return `Waiting for another run on this project (process ${pid}, started ${start}): ${remedy}`;
}

/** Removes files that a killed Loaf left in the project's repository. */
export function removeLeftoversIn({ root }: RootOption): void {
  try {
    const repository = findRepository(rootOf(root));
    if (repository !== undefined) removeLeftovers(repository.gitFolder);
  } catch {
    // The command itself meets the same error, and reports it.
  }
}

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
function openQuestionOf(root: string, { pid, isRunning }: Holder): string | undefined {
  const question = tryOr(() => readStateJson(root, FILE) as OpenQuestion | undefined, undefined);
  if (!isRunning || question?.pid !== pid) return undefined;
  const seconds = Math.max(0, Math.floor((Date.now() - question.since) / 1_000));
  return `${question.command} (pid ${pid}) has been waiting for an answer for ${timeOf(seconds)}`;
}

function timeOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

/**
 * Returns whether a project's loaf.yml may allow more than the defaults do. If it has changed since it was trusted,
 * shows the difference and asks, if possible. Otherwise only its restrictions apply, and a warning says so.
 */
export async function isTrustedProject(
  root: string,
  files: ConfigFiles,
  { warn, confirm }: { readonly warn: (sentence: string) => void; readonly confirm?: Confirm | undefined },
): Promise<boolean> {
  const { ignored } = files.project ?? {};
  if (ignored !== undefined)
    warn(`WARNING: loaf.yml asks for ${ignored}, which only your own settings or --sandbox can set: ignored`);
  const opened = widenings(root, files);
  // Without widenings, returns false, so that nothing depends on the widenings being complete.
  if (files.project === undefined || opened.length === 0) return false;
  const { text } = files.project;
  const trusted = trustedText(root);
  if (trusted === text) return true;
  const asksFor = opened.map((setting) => visibleOnOneLine(setting)).join(", ");
  if (trusted !== undefined && confirm !== undefined) {
    const question = `loaf.yml has changed since it was trusted (it asks for: ${asksFor}). Trust it as it is now?`;
    if (await confirm(trustDifference(trusted, text), question)) {
      trust(root, text);
      return true;
    }
  }
  const what = trusted === undefined ? "loaf.yml is not trusted" : "loaf.yml has changed since it was trusted";
  warn(`WARNING: ${what}, so it allows no more than the defaults (it asks for: ${asksFor}). Read it, then: loaf trust`);
  return false;
}

/** Returns the changes of loaf.yml as a diff for display. */
export function trustDifference(before: string, after: string): string {
  return unifiedDiff([{ path: "/loaf.yml", before: textFile(before), after: textFile(after) }], "/");
}

/** Returns a file with this text, for a diff. */
export function textFile(text: string): Content {
  return { kind: "file", mode: 0o644, size: Buffer.byteLength(text), bytes: Buffer.from(text) };
}

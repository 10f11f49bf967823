/** Finds and opens the project of a command. */
import { excludeProgramsOf } from "../../process/find-program.ts";
import type { Approve } from "../../core/approval.ts";
import { counted } from "../../core/counted.ts";
import { ago } from "../../report/history.ts";
import type { Holder } from "../../state/lock.ts";
import { canonicalDirectory, findRoot, refuseRoot } from "../../state/root.ts";
import { Loaf } from "../../loaf.ts";
import type { LoafOptions } from "../../run/options.ts";
import { settingsWarnings } from "../../run/read-settings.ts";
import { LiveLine } from "./live-line.ts";
import { type LatePerson, personAt } from "./late-person.ts";
import { noteQuestions, openQuestionOf } from "./open-question.ts";
import { complain } from "./output.ts";
import { isTrustedProject } from "./trusted-project.ts";
import { UsageError } from "./usage-error.ts";

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

/** Options of most commands. */
export interface CommandOptions {
  readonly root?: string;
  readonly json?: boolean;
}

export interface ProjectOptions extends Pick<CommandOptions, "root"> {
  readonly dryRun?: boolean;
  /** Whether to ask about each action. */
  readonly ask?: boolean;
  /** Whether to answer all questions but trust with yes. */
  readonly yes?: boolean;
  /** Whether hooks run. */
  readonly hooks?: boolean;
  /** Whether commands of the answer run. */
  readonly exec?: boolean;
  /** False with `--no-git`. */
  readonly git?: boolean;
  readonly sandbox?: "required" | "auto" | "off";
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
    repoPath: root,
    assumeInit: true,
    dryRun: options.dryRun ?? false,
    ...(approve && { approve }),
    approveEach: ask,
    isPerson: !yes,
    enableHooks: hooks,
    enableCommands: exec,
    ...(options.git === false && { gitCommit: false }),
    ...(options.sandbox !== undefined && { config: { exec: { sandbox: options.sandbox } } }),
    trustProject: (_, files) =>
      isTrustedProject(root, files, { warn, confirm: asksTrust ? person?.confirm : undefined }),
    onWait: (holder) => warn(waitingFor(root, holder)),
    onCopying: options.onCopying ?? showCopying(new LiveLine()),
  });
  for (const sentence of settingsWarnings(loaf.settings)) warn(`WARNING: ${sentence}`);
  return loaf;
}

/** Opens a project to show or undo runs. Runs no action, so it gives no warnings about trust. */
export function openHistory(options: { readonly root?: string }): Promise<Loaf> {
  const root = rootOf(options.root);
  return Loaf.create({
    repoPath: root,
    assumeInit: true,
    trustProject: (root, files) => isTrustedProject(root, files, { warn: () => {} }),
    onWait: (holder) => complain(waitingFor(root, holder)),
  });
}

export type OnCopying = NonNullable<LoafOptions["onCopying"]>;

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

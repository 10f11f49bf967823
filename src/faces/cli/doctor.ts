import { mergeConfigs } from "../../config/merge.ts";
import { relative } from "node:path";
import { ConfigError } from "../../config/problem.ts";
import { gitFilesIn } from "./trust-git-files.ts";
import { readConfigFiles } from "../../state/config-files.ts";
import { createGit, reasonOf } from "../../git/git.ts";
import { findRepository, operationInProgress } from "../../git/repository.ts";
import { findProgram } from "../../commands/find-program.ts";
import { findRipgrep } from "../../search/ripgrep.ts";
import { couldBeWritable, isWritable, refuseStateIn } from "../../state/root.ts";
import { isTrusted } from "../../trust/trust.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { journalStatus } from "../../history/past-runs.ts";
import { overlayProblem } from "../../commands/view/open-view.ts";
import { trySandbox } from "../../commands/sandbox/find-sandbox.ts";
import { journalFolder } from "../../history/turn.ts";
import { unknownNames } from "../../run/read-settings.ts";
import { widenings } from "../../run/widening.ts";
import { findClipboards, remedy } from "../watch/clipboard.ts";
import { canCopyThroughTerminal } from "./copy.ts";
import { paint, printProse } from "./output.ts";
import { rootOf } from "./project.ts";

/** From package.json, inserted by the build: `>=20.19`. */
declare const LOAF_NODE: string;

interface Finding {
  /** `missing`: something is unavailable. `broken`: runs will fail. */
  readonly state: "works" | "missing" | "broken";
  readonly name: string;
  readonly fact: string;
}

/** `loaf doctor` */
export async function doctor(options: { readonly root?: string }): Promise<void> {
  const root = rootOf(options.root);
  const misplaced = stateInside(root);
  const findings = misplaced === undefined ? [node(), ...(await findingsOn(root))] : [node(), misplaced];
  const width = Math.max(...findings.map(({ name }) => name.length));
  printProse(
    findings
      .map(({ state, name, fact }) => `${mark(state)} ${name.padEnd(width)}  ${visibleOnOneLine(fact)}`)
      .join("\n"),
  );
  process.exitCode = findings.some(({ state }) => state === "broken") ? 1 : 0;
}

async function findingsOn(root: string): Promise<Finding[]> {
  return [
    project(root),
    ...(await configuration(root)),
    ...history(root),
    clipboard(),
    ripgrep(),
    await git(root),
    await sandbox(),
    await view(root),
  ];
}

function mark(state: Finding["state"]): string {
  const marks = { works: paint("green", "✓"), missing: paint("yellow", "!"), broken: paint("red", "✗") };
  return marks[state];
}

function node(): Finding {
  const needed = LOAF_NODE.replace(">=", "");
  const isNew = needed.localeCompare(process.versions.node, "en", { numeric: true }) <= 0;
  return {
    state: isNew ? "works" : "broken",
    name: "node",
    fact: `${process.version}${isNew ? "" : `: install ${needed} or newer`}`,
  };
}

/** Returns a finding if the state folder is in the project, since other checks would throw then. */
function stateInside(root: string): Finding | undefined {
  try {
    refuseStateIn(root);
    return undefined;
  } catch (thrown) {
    return { state: "broken", name: "project", fact: (thrown as Error).message };
  }
}

function project(root: string): Finding {
  return isWritable(root)
    ? { state: "works", name: "project", fact: root }
    : { state: "broken", name: "project", fact: `${root} is read-only: actions can read files but not change them` };
}

async function configuration(root: string): Promise<Finding[]> {
  try {
    const files = await readConfigFiles(root);
    const { user, project } = files;
    const unknown = unknownNames(mergeConfigs(user?.config ?? {}, project?.config ?? {})).map((fact): Finding => ({
      state: "missing",
      name: "actions",
      fact,
    }));
    const own: Finding[] = [
      ...(user === undefined ? [] : [{ state: "works", name: "user settings", fact: user.path } as const]),
      ...unknown,
    ];
    own.push(...(await gitFiles(root)));
    if (project === undefined)
      return [
        ...own,
        { state: "works", name: "loaf.yml", fact: "none: commands use the settings that loaf init would write" },
      ];
    return [
      ...own,
      { state: "works", name: "loaf.yml", fact: project.path },
      trust(isTrusted(root, project.text), widenings(root, files)),
    ];
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return thrown.message.split("\n").map((fact) => ({ state: "broken", name: "loaf.yml", fact }));
  }
}

/** Returns nothing if git runs no file of the project. */
async function gitFiles(root: string): Promise<Finding[]> {
  const { open, files } = await gitFilesIn(root);
  const name = "git files";
  if (open.length === 0)
    return files.size === 0 ? [] : [{ state: "works", name, fact: "the files that git runs in commits are trusted" }];
  return [
    {
      state: "missing",
      name,
      fact: `not trusted, so Loaf commits without them: ${open.map((path) => relative(root, path)).join(", ")}; loaf trust shows and trusts them`,
    },
  ];
}

function trust(trusted: boolean, rules: readonly string[]): Finding {
  const name = "trust";
  if (trusted) return { state: "works", name, fact: "loaf.yml is trusted" };
  if (rules.length === 0)
    return { state: "works", name, fact: "not needed: loaf.yml allows no more than the defaults" };
  return {
    state: "missing",
    name,
    fact: `loaf.yml is not trusted, so these settings are ignored: ${rules.join(", ")}; loaf trust accepts them`,
  };
}

function history(root: string): Finding[] {
  const folder = journalFolder(root);
  const { runs, bytes, unfinished } = journalStatus(folder);
  const kept = `${runs === 1 ? "1 run" : `${runs} runs`} can be undone, ${(bytes / 2 ** 20).toFixed(1)} MiB in ${folder}`;
  const own: Finding = couldBeWritable(folder)
    ? { state: "works", name: "history", fact: kept }
    : {
        state: "broken",
        name: "history",
        fact: `nothing can run: ${folder} is not writable; change that, or set XDG_STATE_HOME to a writable folder`,
      };
  if (unfinished === undefined) return [own];
  return [
    own,
    {
      state: "missing",
      name: "recovery",
      fact: `run ${unfinished} is still running or was interrupted: loaf recover or the next run finishes it`,
    },
  ];
}

function clipboard(): Finding {
  const found = findClipboards();
  const [first] = found;
  const name = "clipboard";
  const usable = found.find(({ isOutOfReach }) => !isOutOfReach);
  if (usable !== undefined) return { state: "works", name, fact: usable.program };
  const rest = canCopyThroughTerminal()
    ? "--copy goes through the terminal (OSC 52) and loaf paste cannot work"
    : "--copy and loaf paste cannot work";
  if (first === undefined) return { state: "missing", name, fact: `${rest}: ${remedy()}` };
  return {
    state: "missing",
    name,
    fact: `${first.program} finds no display, so ${rest} here: neither DISPLAY nor WAYLAND_DISPLAY is set`,
  };
}

function ripgrep(): Finding {
  const path = findRipgrep();
  return path === undefined
    ? {
        state: "missing",
        name: "ripgrep",
        fact: "not installed: grep finds the same without it, but takes about twice as long in large projects. Install ripgrep, or: npm i -g @vscode/ripgrep",
      }
    : { state: "works", name: "ripgrep", fact: path };
}

/** Makes a sandbox, since the system may forbid it even if the program is installed. */
async function sandbox(): Promise<Finding> {
  const found = await trySandbox();
  return "reason" in found
    ? {
        state: "missing",
        name: "sandbox",
        fact: `${found.reason}: exec is refused where a sandbox is required. ${found.remedy}`,
      }
    : { state: "works", name: "sandbox", fact: found.path };
}

async function view(root: string): Promise<Finding> {
  const name = "view";
  const reason = await overlayProblem(root);
  if (reason === undefined) return { state: "works", name, fact: "commands work on an overlay of the project" };
  const isForbidden = process.platform === "linux" && /permitted|denied|unshare/i.test(reason);
  return {
    state: "missing",
    name,
    fact: `commands work on a copy of the project, which is slower and limited in size (exec.copy_limit): ${reason}.${isForbidden ? FORBIDDEN : ""}`,
  };
}

/** Advice for systems that forbid mounts. */
const FORBIDDEN =
  " On Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0. In Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined, or --cap-add SYS_ADMIN";

async function git(root: string): Promise<Finding> {
  const program = findProgram("git");
  if (program === undefined)
    return { state: "missing", name: "git", fact: "not installed: runs are not committed, but can be undone" };
  const repository = findRepository(root);
  if (repository === undefined)
    return {
      state: "works",
      name: "git",
      fact: `${program}; the project is not in a repository, so runs are not committed`,
    };
  const operation = operationInProgress(repository);
  if (operation !== undefined)
    return {
      state: "missing",
      name: "git",
      fact: `${operation} is in progress in ${repository.top}: until it is over, runs are not committed`,
    };
  const identity = await createGit(program, repository.top).attempt(["var", "GIT_COMMITTER_IDENT"]);
  if (identity.exitCode !== 0)
    return { state: "missing", name: "git", fact: `runs are not committed: ${reasonOf(identity)}` };
  return { state: "works", name: "git", fact: `${program}; runs are committed in ${repository.top}` };
}

import { mergeConfigs } from "../../config/merge.ts";
import { ConfigError } from "../../config/problem.ts";
import { largest } from "../../core/lists.ts";
import { readConfigFiles } from "../../state/config-files.ts";
import { createGit, reasonOf } from "../../git/git.ts";
import { findRepository, operationInProgress } from "../../git/repository.ts";
import { findProgram } from "../../process/find-program.ts";
import { findRipgrep } from "../../search/ripgrep.ts";
import { couldBeWritable, isWritable, refuseRoot } from "../../state/root.ts";
import { trustedText } from "../../trust/trust.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { journalStatus } from "../../history/past-runs.ts";
import { overlayProblem } from "../../programs/view/command-views.ts";
import { trySandbox } from "../../programs/sandbox/find-sandbox.ts";
import { journalFolder } from "../../history/turn.ts";
import { settingsWarnings, widenings } from "../../run/read-settings.ts";
import { findClipboards, remedy } from "../watch/clipboard.ts";
import { canCopyThroughTerminal } from "./copy.ts";
import type { RootOption } from "./options.ts";
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

const works = (name: string, fact: string): Finding => ({ state: "works", name, fact });
const missing = (name: string, fact: string): Finding => ({ state: "missing", name, fact });
const broken = (name: string, fact: string): Finding => ({ state: "broken", name, fact });

/** `loaf doctor` */
export async function doctor(options: RootOption): Promise<void> {
  const root = rootOf(options.root);
  const misplaced = stateInside(root);
  const findings = misplaced === undefined ? [node(), ...(await findingsOn(root))] : [node(), misplaced];
  const width = largest(findings.map(({ name }) => name.length));
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
  return isNew ? works("node", process.version) : broken("node", `${process.version}: install ${needed} or newer`);
}

/** Returns a finding if the state folder is in the project, since other checks would throw then. */
function stateInside(root: string): Finding | undefined {
  try {
    refuseRoot(root);
    return undefined;
  } catch (thrown) {
    return broken("project", (thrown as Error).message);
  }
}

function project(root: string): Finding {
  return isWritable(root)
    ? works("project", root)
    : broken("project", `${root} is read-only: actions can read files but not change them`);
}

async function configuration(root: string): Promise<Finding[]> {
  try {
    const files = await readConfigFiles(root);
    const { user, project } = files;
    const warnings = settingsWarnings(mergeConfigs(user?.config ?? {}, project?.config ?? {}));
    return [
      ...(user === undefined ? [] : [works("user settings", user.path)]),
      ...warnings.map((fact) => missing("settings", fact)),
      ...(project === undefined
        ? [works("loaf.yml", "none: commands use the settings that loaf init would write")]
        : [works("loaf.yml", project.path), trust(trustedText(root), project.text, widenings(root, files))]),
    ];
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return thrown.message.split("\n").map((fact) => broken("loaf.yml", fact));
  }
}

function trust(trusted: string | undefined, text: string, rules: readonly string[]): Finding {
  if (trusted === text) return works("trust", "loaf.yml is trusted");
  if (rules.length === 0) return works("trust", "not needed: loaf.yml allows no more than the defaults");
  return missing(
    "trust",
    `loaf.yml ${trusted === undefined ? "is not trusted" : "has changed since it was trusted"}, so these settings are ignored: ${rules.join(", ")}; loaf trust accepts them`,
  );
}

function history(root: string): Finding[] {
  const folder = journalFolder(root);
  const { runs, bytes, unfinished } = journalStatus(folder);
  const kept = `${runs === 1 ? "1 run" : `${runs} runs`} can be undone, ${(bytes / 2 ** 20).toFixed(1)} MiB in ${folder}`;
  const history = couldBeWritable(folder)
    ? works("history", kept)
    : broken(
        "history",
        `nothing can run: ${folder} is not writable; change that, or set XDG_STATE_HOME to a writable folder`,
      );
  if (unfinished === undefined) return [history];
  const fact = `run ${unfinished} is still running or was interrupted: loaf recover or the next run finishes it`;
  return [history, missing("recovery", fact)];
}

function clipboard(): Finding {
  const clipboards = findClipboards();
  const [first] = clipboards;
  const usable = clipboards.find(({ isOutOfReach }) => !isOutOfReach);
  if (usable !== undefined) return works("clipboard", usable.program);
  const consequence = canCopyThroughTerminal()
    ? "--copy goes through the terminal (OSC 52) and loaf paste cannot work"
    : "--copy and loaf paste cannot work";
  return missing(
    "clipboard",
    first === undefined
      ? `${consequence}: ${remedy()}`
      : `${first.program} finds no display, so ${consequence} here: neither DISPLAY nor WAYLAND_DISPLAY is set`,
  );
}

function ripgrep(): Finding {
  const path = findRipgrep();
  if (path !== undefined) return works("ripgrep", path);
  return missing(
    "ripgrep",
    "not installed: grep finds the same without it, but takes about twice as long in large projects. Install ripgrep, or: npm i -g @vscode/ripgrep",
  );
}

/** Makes a sandbox, since the system may forbid it even if the program is installed. */
async function sandbox(): Promise<Finding> {
  const tried = await trySandbox();
  return "reason" in tried
    ? missing("sandbox", `${tried.reason}: exec is refused where a sandbox is required. ${tried.remedy}`)
    : works("sandbox", tried.path);
}

async function view(root: string): Promise<Finding> {
  const reason = await overlayProblem(root);
  if (reason === undefined) return works("view", "commands work on an overlay of the project");
  const isForbidden = process.platform === "linux" && /permitted|denied|unshare/i.test(reason);
  return missing(
    "view",
    `commands work on a copy of the project, which is slower and limited in size (exec.copy_limit): ${reason}.${isForbidden ? FORBIDDEN : ""}`,
  );
}

/** Advice for systems that forbid mounts. */
const FORBIDDEN =
  " On Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0. In Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined, or --cap-add SYS_ADMIN";

async function git(root: string): Promise<Finding> {
  const program = findProgram("git");
  if (program === undefined) return missing("git", "not installed: runs are not committed, but can be undone");
  const repository = findRepository(root);
  if (repository === undefined)
    return works("git", `${program}; the project is not in a repository, so runs are not committed`);
  const operation = operationInProgress(repository);
  if (operation !== undefined)
    return missing(
      "git",
      `${operation} is in progress in ${repository.top}: until it is over, runs are not committed`,
    );
  const identity = await createGit(program, repository.top).attempt(["var", "GIT_COMMITTER_IDENT"]);
  if (identity.exitCode !== 0) return missing("git", `runs are not committed: ${reasonOf(identity)}`);
  return works("git", `${program}; runs are committed in ${repository.top}`);
}

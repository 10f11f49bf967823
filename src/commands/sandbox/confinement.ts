/** What a command may reach, from the rules of the project. */
import { totalmem, userInfo } from "node:os";
import type { GuardRules } from "../../config/guard-rules.ts";
import type { Settings } from "../../config/schema.ts";
import { Failed } from "../../core/failure.ts";
import type { Confinement } from "./sandbox.ts";
import { isOfSystem, toolchainsOf } from "./toolchains.ts";
import type { OnCopying, View } from "../view/view.ts";
import { gitDirectories, provenGitDirectories } from "../../guard/git-directories.ts";
import type { Policy } from "../../guard/policy.ts";
import { type ClosedPlaces, closedPlaces, textOf } from "../view/closed-places.ts";
import { isWithin, joinPath } from "../../paths/path-segments.ts";
import { isSystemError } from "../../disk/system-error.ts";
import type { Volume } from "../../disk/volume.ts";

/** What is known of a project that commands run in. Paths are absolute. */
export interface CommandSite {
  /** Canonical, as is all that comes from it. */
  readonly root: string;
  readonly home: string;
  readonly settings: Settings;
  readonly rules: readonly GuardRules[];
  readonly policy: Policy;
  /** As in `PolicyOptions`. */
  readonly executed?: readonly string[];
  /** The disk, without what waits. */
  readonly volume: Volume;
  /** Never shown: Loaf's own folders. */
  readonly sealed: readonly string[];
  /** Never written. */
  readonly readOnly: readonly string[];
  readonly onCopying?: OnCopying | undefined;
}

/** Repositories in a project that are mounted read-only; of more of them, changes are refused all the same. */
const MOST_MOUNTED = 200;
/** Processes at one time, counted within the sandbox where the user is not root. */
const MOST_PROCESSES = 2_048;
const LEAST_MEMORY = 2 ** 30;

/** The view that commands run on, and what it does not show. */
export interface ViewedProject {
  readonly view: View;
  readonly closed: ClosedPlaces;
}

export interface Confined {
  readonly confinement: Confinement;
  /** The PATH that it gets. */
  readonly path: string;
}

/** Throws `Failed` where the folder in which it is to run cannot be shown. */
export function confinementFor(site: CommandSite, { view, closed }: ViewedProject, { cwd, script }: { readonly cwd: string; readonly script?: string | undefined }): Confined {
  const { root, home, settings, volume } = site;
  const kindOf = (path: string) => volume.entry(path)?.kind;
  const sealed = site.sealed.filter((path) => kindOf(path) === "directory");
  const toolchains = toolchainsOf(process.env["PATH"] ?? "", [home, ...homeOfAccount(), root, ...site.sealed], (folder) => canonical(volume, folder));
  const isElsewhere = !isWithin(cwd, root) && !isOfSystem(cwd) && !PRIVATE.includes(cwd);
  const visible = [...toolchains.folders, ...provenGitDirectories(volume, root), ...(isElsewhere ? [cwd] : []), ...(script === undefined ? [] : [script])];
  const shown = visible.filter((path) => !isWithin(path, root) && kindOf(path) !== undefined && !PRIVATE.includes(path));
  const closedElsewhere = isElsewhere ? closedIn(site, cwd) : [];
  const hidden = [...view.masks.map((entry) => inFolder(root, entry)), ...sealed.filter((path) => shown.some((folder) => isWithin(path, folder))), ...closedElsewhere];
  const limits = { memory: Math.max(LEAST_MEMORY, Math.floor(totalmem() / 2)), processes: MOST_PROCESSES };
  const confinement = { root, folder: view.folder, readOnly: mountedRepositories(site, closed), hidden, visible: shown, home, scratch: view.scratch?.folder, network: settings.exec.network, ...limits };
  return { confinement, path: toolchains.path };
}

/** Every `.git` that a sandbox can mount read-only: a link leads elsewhere, and a name that is not UTF-8 cannot be given to it. */
export function mountedRepositories({ root, volume }: CommandSite, { repositories }: Pick<ClosedPlaces, "repositories">): string[] {
  const named = repositories.flatMap((entry) => textOf(entry) ?? []).map((entry) => joinPath(root, entry));
  const own = gitDirectories(volume, root).filter((path) => isWithin(path, root) && volume.entry(path) !== undefined);
  return [...new Set([...own, ...named])].filter((path) => path !== root && volume.entry(path)?.kind !== "link").slice(0, MOST_MOUNTED);
}

/** Each place that is covered is a mount. */
const MOST_COVERED = 1_000;

/** What the rules close in a folder outside of the project, which is shown as it is. Throws `Failed` where not all of it can be covered. */
function closedIn(site: CommandSite, folder: string): string[] {
  const { files, directories } = closedPlaces({ ...site, from: folder });
  const entries = [...files, ...directories];
  const failed = (reason: string) => new Failed({ code: "exec/sandbox-failed", reason: `${folder} has ${reason}` });
  if (entries.some((entry) => textOf(entry) === undefined)) throw failed("closed files whose names are not UTF-8");
  const paths = entries.map((entry) => inFolder(folder, entry)).filter((path) => !isWithin(path, site.root));
  if (paths.length > MOST_COVERED) throw failed(`more than ${MOST_COVERED} files and folders that your rules close for reading`);
  return paths;
}

function inFolder(folder: string, entry: string): string {
  return entry === "" ? folder : joinPath(folder, Buffer.from(entry, "latin1").toString());
}

/** Empty ones of a sandbox's own stand in their place. */
const PRIVATE = ["/tmp", "/var/tmp", "/"];

/** HOME may name another one for this run. */
function homeOfAccount(): string[] {
  try {
    return [userInfo().homedir];
  } catch {
    // In a container a user need not have an account.
    return [];
  }
}

function canonical(volume: Volume, folder: string): string | undefined {
  try {
    return volume.realpath(folder);
  } catch (thrown) {
    if (isSystemError(thrown)) return undefined;
    throw thrown;
  }
}

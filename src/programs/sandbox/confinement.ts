/** Derives what a command may reach from the project's rules. */
import { totalmem } from "node:os";
import type { Settings } from "../../config/schema.ts";
import { Failed } from "../../core/failure.ts";
import { unlessSystemError } from "../../disk/system-error.ts";
import type { Volume } from "../../disk/volume.ts";
import { gitDirectories, provenGitDirectories } from "../../guard/built-in.ts";
import type { Policy, PolicyOptions } from "../../guard/policy.ts";
import { fromBytes, textOf } from "../../paths/names.ts";
import { isWithin, joinPath } from "../../paths/path-segments.ts";
import { otherHomes } from "../../state/places.ts";
import { type ClosedPlaces, closedPlaces } from "../view/closed-places.ts";
import type { OnCopying, View } from "../view/view.ts";
import type { Confinement } from "./sandbox.ts";
import { isOfSystem, toolchainsOf } from "./toolchains.ts";

/** The project that commands run in. Paths are absolute. */
export interface CommandSite extends Pick<PolicyOptions, "home" | "rules" | "executed" | "sealed" | "readOnly"> {
  /** Canonical, like every path derived from it. */
  readonly root: string;
  readonly settings: Settings;
  readonly policy: Policy;
  /** The disk, without pending changes. */
  readonly volume: Volume;
  readonly onCopying?: OnCopying | undefined;
  /** Receives what commands write, as it comes. */
  readonly onPiece?: ((piece: Uint8Array) => void) | undefined;
}

/** Maximum number of repositories mounted read-only. Changes in further ones are refused when they land. */
const MAX_MOUNTED = 200;
/** Processes at one time. Counted within the sandbox, unless the user is root. */
const MAX_PROCESSES = 2_048;
const MIN_MEMORY = 2 ** 30;

/** The view that commands run on, and what it hides. */
export interface ViewedProject {
  readonly view: View;
  readonly closed: ClosedPlaces;
}

export interface Confined {
  readonly confinement: Confinement;
  /** PATH within the sandbox. */
  readonly path: string;
}

/** A command: the folder that it runs in, and the file with its code if it has one. */
interface Located {
  readonly cwd: string;
  readonly script?: string | undefined;
}

/** Throws `Failed` if the folder of the command cannot be shown. */
export function confinementFor(site: CommandSite, { view, closed }: ViewedProject, command: Located): Confined {
  const { root, home, settings } = site;
  const toolchains = toolchainsFor(site);
  const visible = visiblePaths(site, toolchains.folders, command);
  const confinement = {
    root,
    folder: view.folder,
    readOnly: mountedRepositories(site, closed),
    hidden: [...view.masks.map((entry) => inFolder(root, entry)), ...hiddenElsewhere(site, visible, command)],
    visible,
    home,
    scratch: view.scratch?.folder,
    network: settings.exec.network,
    memory: Math.max(MIN_MEMORY, Math.floor(totalmem() / 2)),
    processes: MAX_PROCESSES,
  };
  return { confinement, path: toolchains.path };
}

function toolchainsFor({ root, home, sealed, volume }: CommandSite): ReturnType<typeof toolchainsOf> {
  const excluded = [home, ...otherHomes(), root, ...sealed];
  return toolchainsOf(process.env["PATH"] ?? "", excluded, (folder) =>
    unlessSystemError(() => volume.realpath(folder), undefined),
  );
}

/**
 * Returns what of the machine a command sees beside the project and the system: toolchains, git's own folders, its
 * folder and its code.
 */
function visiblePaths(
  { root, volume }: CommandSite, toolchains: readonly string[], { cwd, script }: Located
): string[] {
  const needed = [
    ...toolchains,
    ...provenGitDirectories(volume, root),
    ...(isElsewhere(root, cwd) ? [cwd] : []),
    ...(script === undefined ? [] : [script]),
  ];
  return needed.filter(
    (path) => !isWithin(path, root) && volume.entry(path)?.kind !== undefined && !PRIVATE.includes(path),
  );
}

/** Returns what is hidden in those paths: Loaf's own folders, and in the command's folder what the rules close. */
function hiddenElsewhere(site: CommandSite, visible: readonly string[], { cwd }: Located): string[] {
  const sealed = site.sealed.filter(
    (path) => site.volume.entry(path)?.kind === "directory" && visible.some((folder) => isWithin(path, folder)),
  );
  return [...sealed, ...(isElsewhere(site.root, cwd) ? closedPathsIn(site, cwd) : [])];
}

/** Returns whether a command runs outside the project, in a folder missing from the sandbox. */
function isElsewhere(root: string, cwd: string): boolean {
  return !isWithin(cwd, root) && !isOfSystem(cwd) && !PRIVATE.includes(cwd);
}

/**
 * Returns every `.git` to mount read-only. Skips links, which lead elsewhere, and names that are not UTF-8, which
 * cannot be passed on.
 */
export function mountedRepositories(
  { root, volume }: CommandSite, { repositories }: Pick<ClosedPlaces, "repositories">
): string[] {
  const named = repositories.flatMap((entry) => textOf(entry) ?? []).map((entry) => joinPath(root, entry));
  const isInside = (path: string): boolean => isWithin(path, root) && volume.entry(path) !== undefined;
  const inside = gitDirectories(volume, root).filter(isInside);
  return [...new Set([...inside, ...named])]
    .filter((path) => path !== root && volume.entry(path)?.kind !== "link")
    .slice(0, MAX_MOUNTED);
}

/** Each covered path is a mount. */
const MAX_COVERED = 1_000;

/**
 * Returns what the rules hide in a folder outside the project, which is mounted as it is. Throws `Failed` if not all of
 * it can be covered.
 */
function closedPathsIn(site: CommandSite, folder: string): string[] {
  const { files, directories } = closedPlaces({ ...site, from: folder });
  const entries = [...files, ...directories];
  const failed = (reason: string) => new Failed({ code: "exec/sandbox-failed", reason: `${folder} has ${reason}` });
  if (entries.some((entry) => textOf(entry) === undefined)) throw failed("forbidden files whose names are not UTF-8");
  const paths = entries.map((entry) => inFolder(folder, entry)).filter((path) => !isWithin(path, site.root));
  if (paths.length > MAX_COVERED)
    throw failed(`more than ${MAX_COVERED} files and folders that your rules forbid to read`);
  return paths;
}

function inFolder(folder: string, entry: string): string {
  return entry === "" ? folder : joinPath(folder, fromBytes(entry));
}

/** The sandbox has its own, empty ones. */
const PRIVATE = ["/tmp", "/var/tmp", "/"];

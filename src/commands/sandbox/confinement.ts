/** Derives what a command may reach from the project's rules. */
import { totalmem } from "node:os";
import { isAbsolute, join } from "node:path";
import type { GuardRules } from "../../config/guard-rules.ts";
import type { Settings } from "../../config/schema.ts";
import { Failed } from "../../core/failure.ts";
import { unlessSystemError } from "../../disk/system-error.ts";
import type { Volume } from "../../disk/volume.ts";
import { gitDirectories, provenGitDirectories } from "../../guard/built-in.ts";
import type { Policy } from "../../guard/policy.ts";
import { isWithin, joinPath } from "../../paths/path-segments.ts";
import { otherHomes } from "../../state/places.ts";
import { type ClosedPlaces, closedPlaces, textOf } from "../view/closed-places.ts";
import type { OnCopying, View } from "../view/view.ts";
import type { Confinement } from "./sandbox.ts";

/** The project that commands run in. Paths are absolute. */
export interface CommandSite {
  /** Canonical, like every path derived from it. */
  readonly root: string;
  readonly home: string;
  readonly settings: Settings;
  readonly rules: readonly GuardRules[];
  readonly policy: Policy;
  /** As in `PolicyOptions`. */
  readonly executed?: readonly string[];
  /** The disk, without pending changes. */
  readonly volume: Volume;
  /** Never visible: Loaf's own folders. */
  readonly sealed: readonly string[];
  /** Never writable. */
  readonly readOnly: readonly string[];
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
  const own = [home, ...otherHomes(), root, ...sealed];
  return toolchainsOf(process.env["PATH"] ?? "", own, (folder) =>
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

/** Returns whether a command runs outside the project, in a folder that the sandbox has not got anyway. */
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
  const own = gitDirectories(volume, root).filter((path) => isWithin(path, root) && volume.entry(path) !== undefined);
  return [...new Set([...own, ...named])]
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
  return entry === "" ? folder : joinPath(folder, Buffer.from(entry, "latin1").toString());
}

/** The sandbox has its own, empty ones. */
const PRIVATE = ["/tmp", "/var/tmp", "/"];

/** Programs outside the system's folders, and the folders that a sandbox must show for them to work. */

export interface Toolchains {
  /** PATH within the sandbox. */
  readonly path: string;
  /** Folders to show, none within another. */
  readonly folders: readonly string[];
}

/** Always visible. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/opt", "/nix/store", "/gnu/store"];

function isOfSystem(path: string): boolean {
  return SYSTEM.some((folder) => isWithin(path, folder));
}

/**
 * Recognises a toolchain by its folder on PATH. The group is the toolchain's own folder, of which these parts are
 * needed.
 */
interface Layout {
  readonly onPath: RegExp;
  readonly parts: readonly string[];
  /** Applies only if this exists in its folder. */
  readonly mark?: string;
}

const WHOLE = ["."];
const PREFIX = ["bin", "sbin", "lib", "lib64", "libexec", "include", "share"];

/**
 * The first match counts. The parent of a `bin` is not shown for that reason alone: `~/.docker`, `~/.fly` and
 * `~/.pulumi` hold credentials and sockets there.
 */
const LAYOUTS: readonly Layout[] = [
  // One folder for each version, with nothing else in it.
  { onPath: /^(.+\/versions\/node\/[^/]+)\/bin$/, parts: WHOLE },
  { onPath: /^(.+\/fnm\/node-versions\/[^/]+\/installation)\/bin$/, parts: WHOLE },
  { onPath: /^(.+\/\.(?:py|rb|nod|go|pl|php|j)env\/versions\/[^/]+)\/s?bin$/, parts: WHOLE },
  { onPath: /^(.+\/(?:\.asdf|mise)\/installs\/[^/]+\/[^/]+)(?:\/.+)?\/bin$/, parts: WHOLE },
  { onPath: /^(.+\/\.sdkman\/candidates\/[^/]+\/[^/]+)\/bin$/, parts: WHOLE },
  { onPath: /^(.+\/\.rubies\/[^/]+)\/bin$/, parts: WHOLE },
  { onPath: /^(.+\/\.?gem\/ruby\/[^/]+)\/bin$/, parts: WHOLE },
  { onPath: /^(.+\/\.opam\/[^/]+)\/bin$/, parts: WHOLE },
  { onPath: /^(.+\/node_modules)\/\.bin$/, parts: WHOLE },
  { onPath: /^(.+\/vendor)\/bin$/, parts: WHOLE, mark: "autoload.php" },
  // Version managers, with all versions that their shims start.
  {
    onPath: /^(.+\/\.(?:py|rb|nod|go|pl|php|j)env)\/(?:plugins\/[^/]+\/)?(?:bin|shims)$/,
    parts: ["bin", "libexec", "plugins", "pyenv.d", "rbenv.d", "shims", "version", "versions"],
  },
  { onPath: /^(.+\/\.asdf)\/(?:bin|shims)$/, parts: ["asdf.sh", "bin", "installs", "lib", "plugins", "shims"] },
  { onPath: /^(.+\/mise)\/shims$/, parts: ["installs", "plugins", "shims"] },
  { onPath: /^(.+\/\.volta)\/bin$/, parts: ["bin", "hooks.json", "tools"] },
  {
    onPath: /^(.+\/\.rvm)\/(?:bin|(?:rubies|gems)\/[^/]+\/bin)$/,
    parts: ["bin", "environments", "gems", "rubies", "scripts", "wrappers"],
  },
  { onPath: /^(.+)\/\.cargo\/bin$/, parts: [".cargo/bin", ".rustup/settings.toml", ".rustup/toolchains"] },
  { onPath: /^(.+\/\.elan)\/bin$/, parts: ["bin", "settings.toml", "toolchains"] },
  { onPath: /^(.+\/\.ghcup)\/bin$/, parts: ["bin", "ghc", "hls", "share"] },
  { onPath: /^(.+\/\.bun)\/bin$/, parts: ["bin", "install/global"] },
  { onPath: /^(.+\/\.dotnet)$/, parts: ["dotnet", "host", "packs", "sdk", "sdk-manifests", "shared", "templates"] },
  {
    onPath: /^(.+\/\.local)\/bin$/,
    parts: ["bin", "lib", "pipx/venvs", "share/pipx/venvs", "share/uv/python", "share/uv/tools"],
  },
  { onPath: /^(.+\/\.linuxbrew)\/s?bin$/, parts: [...PREFIX, "Cellar", "etc", "opt"] },
  // Recognised by files beside their programs.
  { onPath: /^(.+)\/bin$/, parts: ["bin", "lib", "lib64", "include", "pyvenv.cfg", "share"], mark: "pyvenv.cfg" },
  {
    onPath: /^(.+)\/(?:bin|condabin)$/,
    parts: [...PREFIX, "conda-meta", "condabin", "envs", "etc", "ssl"],
    mark: "conda-meta",
  },
  {
    onPath: /^(.+)\/bin$/,
    parts: ["api", "bin", "go.env", "lib", "misc", "pkg", "src", "test", "VERSION"],
    mark: "pkg/tool",
  },
  { onPath: /^(.+)\/bin$/, parts: ["bin", "pkg/mod"], mark: "pkg/mod" },
  { onPath: /^(.+)\/bin$/, parts: ["bin", "conf", "include", "jmods", "legal", "lib", "release"], mark: "lib/modules" },
  { onPath: /^(.+)\/bin$/, parts: ["bin", "include", "lib/node_modules"], mark: "lib/node_modules" },
];

/**
 * @param path the value of PATH
 * @param excluded folders that no toolchain may show, nor their parents: home folders, the project and Loaf's own
 * @param resolve returns a folder's path with links resolved, or undefined if it is missing
 */
export function toolchainsOf(
  path: string, excluded: readonly string[], resolve: (folder: string) => string | undefined
): Toolchains {
  const around = excluded.flatMap((one) => [one, resolve(one) ?? one]);
  const entries = [...new Set(path.split(":"))].filter((entry) => isAbsolute(entry) && !DRIVE.test(entry));
  const found = entries.flatMap((entry) => {
    const real = resolve(entry);
    return real === undefined ? [] : [{ entry, real }];
  });
  const folders = found
    .filter(({ real }) => !isOfSystem(real))
    .flatMap(({ entry, real }) => toolchainPaths(entry, real, resolve));
  const wanted = [...new Set(folders)].filter((folder) => !around.some((one) => isWithin(one, folder)));
  return {
    path: found.map(({ entry }) => entry).join(":"),
    folders: wanted.filter((folder) => !wanted.some((other) => other !== folder && isWithin(folder, other))),
  };
}

/** Windows programs under WSL run outside any sandbox. */
const DRIVE = /^\/mnt\/[a-z](\/|$)/;

/** Returns the parts of a known toolchain, or the folder itself. Adds the name on PATH if it differs. */
function toolchainPaths(entry: string, folder: string, resolve: (folder: string) => string | undefined): string[] {
  for (const { onPath, parts, mark } of LAYOUTS) {
    const own = onPath.exec(folder)?.[1];
    if (own === undefined || (mark !== undefined && resolve(join(own, mark)) === undefined)) continue;
    const shownParts = parts.map((part) => join(own, part)).filter((path) => resolve(path) !== undefined);
    return entry === folder || !shownParts.some((path) => isWithin(folder, path)) ? shownParts : [...shownParts, entry];
  }
  return entry === folder ? [folder] : [folder, entry];
}

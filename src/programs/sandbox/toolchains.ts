/** Finds programs outside the system's folders, and the folders that a sandbox must show for them to work. */
import { isAbsolute, join } from "node:path";
import { isWithin, outermost } from "../../paths/path-segments.ts";

export interface Toolchains {
  /** PATH within the sandbox. */
  readonly path: string;
  /** Folders to show, none within another. */
  readonly folders: readonly string[];
}

/** Always visible. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/opt", "/nix/store", "/gnu/store"];

export function isOfSystem(path: string): boolean {
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
  const around = excluded.flatMap((folder) => [folder, resolve(folder) ?? folder]);
  const entries = [...new Set(path.split(":"))].filter((entry) => isAbsolute(entry) && !DRIVE.test(entry));
  const resolved = entries.flatMap((entry) => {
    const real = resolve(entry);
    return real === undefined ? [] : [{ entry, real }];
  });
  const folders = resolved
    .filter(({ real }) => !isOfSystem(real))
    .flatMap(({ entry, real }) => toolchainPaths(entry, real, resolve));
  const wanted = [...new Set(folders)].filter((folder) => !around.some((parent) => isWithin(parent, folder)));
  return {
    path: resolved.map(({ entry }) => entry).join(":"),
    folders: outermost(wanted),
  };
}

/** Windows programs under WSL run outside any sandbox. */
const DRIVE = /^\/mnt\/[a-z](\/|$)/;

/** Returns the parts of a known toolchain, or the folder itself. Adds the name on PATH if it differs. */
function toolchainPaths(entry: string, folder: string, resolve: (folder: string) => string | undefined): string[] {
  for (const { onPath, parts, mark } of LAYOUTS) {
    const prefix = onPath.exec(folder)?.[1];
    if (prefix === undefined || (mark !== undefined && resolve(join(prefix, mark)) === undefined)) continue;
    const shownParts = parts.map((part) => join(prefix, part)).filter((path) => resolve(path) !== undefined);
    return entry === folder || !shownParts.some((path) => isWithin(folder, path)) ? shownParts : [...shownParts, entry];
  }
  return entry === folder ? [folder] : [folder, entry];
}

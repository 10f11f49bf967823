/** Programs that lie outside of the system's own folders: what of the disk a sandbox has to show for them to work. */
import { basename, dirname, isAbsolute, join } from "node:path";

export interface Toolchains {
  /** What PATH is to be inside. */
  readonly path: string;
  /** Folders to show, none of them in another one. */
  readonly folders: readonly string[];
}

/** What is always there. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/opt", "/nix/store", "/gnu/store"];
/** Folders for programs of which the one above belongs to a single toolchain. */
const BIN = new Set(["bin", "sbin", "shims", ".bin"]);
/** Where people's home folders are. */
const HOMES = new Set(["/home", "/Users"]);

/**
 * @param path the value of PATH
 * @param besides folders that no toolchain may show, by whichever name: home folders, the project and Loaf's own, and whatever lies above them
 * @param resolve a folder's path with its links resolved, or undefined where there is none
 */
export function toolchainsOf(path: string, besides: readonly string[], resolve: (folder: string) => string | undefined): Toolchains {
  const around = besides.flatMap((one) => [one, resolve(one) ?? one]);
  const entries = [...new Set(path.split(":"))].filter((entry) => isAbsolute(entry) && !DRIVE.test(entry));
  const found = entries.flatMap((entry) => {
    const real = resolve(entry);
    return real === undefined ? [] : [{ entry, real }];
  });
  const folders = found.filter(({ real }) => !SYSTEM.some((folder) => isWithin(real, folder))).flatMap(({ entry, real }) => [...shown(real, around, resolve), ...(entry === real ? [] : [entry])]);
  const wanted = [...new Set(folders)].filter((folder) => !around.some((one) => isWithin(one, folder)));
  return { path: found.map(({ entry }) => entry).join(":"), folders: wanted.filter((folder) => !wanted.some((other) => other !== folder && isWithin(folder, other))) };
}

/** Windows' own programs under WSL run outside of any sandbox. */
const DRIVE = /^\/mnt\/[a-z](\/|$)/;

/** The folder itself or, where it is a part of something larger that it needs, that. */
function shown(folder: string, around: readonly string[], resolve: (folder: string) => string | undefined): string[] {
  const above = dirname(folder);
  // These two hold much that is no toolchain's, credentials too, whoever's home they are in.
  if (folder.endsWith("/.cargo/bin")) return [folder, ...[join(above, "../.rustup")].filter((one) => resolve(one) !== undefined)];
  if (folder.endsWith("/.local/bin")) return [folder, ...[join(above, "lib")].filter((one) => resolve(one) !== undefined)];
  const isPart = BIN.has(basename(folder)) && dirname(dirname(above)) !== dirname(above) && !HOMES.has(dirname(above)) && !around.some((one) => isWithin(one, above));
  return [isPart ? above : folder];
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}

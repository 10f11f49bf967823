/** Paths of Loaf's own files. Trusted data is kept outside projects, where no cloned repository can forge it. */
import { hash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join, posix, win32 } from "node:path";
import type { Settings } from "../config/schema.ts";
import { tryOr } from "../core/errors.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import type { OwnFiles } from "../guard/built-in.ts";

/** Everything that the paths depend on. Tests pass their own. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Returns the folder for the state of all projects, which may not exist yet. */
export function stateFolder(machine: Machine = thisMachine()): string {
  return pathsOf(machine).join(absolute(machine, "XDG_STATE_HOME") ?? usualStateHome(machine), "loaf");
}

/** Returns all state folders of this user. A run with XDG_STATE_HOME must not touch the state of one without it. */
export function stateFolders(machine: Machine = thisMachine()): string[] {
  return [...new Set([stateFolder(machine), pathsOf(machine).join(usualStateHome(machine), "loaf")])];
}

/**
 * Returns home folders other than `HOME`: that of the account may differ, and `HOME=/tmp/x loaf run` must not expose
 * it.
 */
export function otherHomes(): string[] {
  // In a container, the user may have no account.
  return tryOr(() => [userInfo().homedir], []).filter((home) => home !== homedir() && isAbsolute(home));
}

/** What the guard needs to know of this machine. */
export function guardedMachine() {
  return { home: homedir(), platform: process.platform };
}

/** Returns the path of the user's settings, which apply to every project. */
export function userConfigPath(machine: Machine = thisMachine()): string {
  const { join } = pathsOf(machine);
  return join(absolute(machine, "XDG_CONFIG_HOME") ?? join(machine.home, ".config"), "loaf", "config.yml");
}

function usualStateHome(machine: Machine): string {
  const { join } = pathsOf(machine);
  if (machine.platform === "darwin") return join(machine.home, "Library", "Application Support");
  if (machine.platform === "win32") return absolute(machine, "LOCALAPPDATA") ?? join(machine.home, "AppData", "Local");
  return join(machine.home, ".local", "state");
}

/** Ignores relative paths, as the XDG specification requires: they would be in the project. */
function absolute(machine: Machine, variable: string): string | undefined {
  const value = machine.variables[variable];
  return value !== undefined && pathsOf(machine).isAbsolute(value) ? value : undefined;
}

function pathsOf({ platform }: Machine): typeof posix {
  return platform === "win32" ? win32 : posix;
}

function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), variables: process.env };
}

/** Returns the folder for the state of one project, such as trust and journal. It may not exist yet. */
export function projectStateFolder(root: string): string {
  return join(stateFolder(), hash("sha256", root, "hex").slice(0, 32));
}

/** Creates a folder and its parents, accessible to the user only. Node's `recursive` never returns below /proc. */
export function makeFolders(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  // Another process may have created it.
  unlessSystemError(() => mkdirSync(path, { mode: 0o700 }), undefined, ["EEXIST"]);
}

/**
 * Returns Loaf's own paths: state folders are sealed, the user's settings and the watched files are read-only. The
 * folder of the settings is read-only as a whole, so that no action can move or make it. Absolute.
 */
export function ownPlaces(root: string, { watch }: Pick<Settings, "watch">): OwnFiles {
  return {
    sealed: stateFolders(),
    readOnly: [dirname(userConfigPath()), userConfigPath(), join(root, watch.input), join(root, watch.output)],
  };
}

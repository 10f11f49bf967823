/** Where Loaf keeps files of its own. Nothing that is trusted lies in a project, where a cloned repository could plant it. */
import { homedir, userInfo } from "node:os";
import { isAbsolute, posix, win32 } from "node:path";

/** What decides on the places; tests give their own. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The folder for what Loaf keeps about all projects. It need not be there yet. */
export function stateFolder(machine: Machine = thisMachine()): string {
  return pathsOf(machine).join(absolute(machine, "XDG_STATE_HOME") ?? usualStateHome(machine), "loaf");
}

/** Wherever a run of this user's may keep its state: one without XDG_STATE_HOME has to be safe from one with it. */
export function stateFolders(machine: Machine = thisMachine()): string[] {
  return [...new Set([stateFolder(machine), pathsOf(machine).join(usualStateHome(machine), "loaf")])];
}

/** Home folders besides the one that `HOME` names: the account may have another one. */
export function otherHomes(): string[] {
  return homeOfAccount().filter((home) => home !== homedir() && isAbsolute(home));
}

function homeOfAccount(): string[] {
  try {
    return [userInfo().homedir];
  } catch {
    // In a container a user need not have an account.
    return [];
  }
}

/** The user's own settings, which count in every project. */
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

/** Relative folders in these variables are invalid and ignored, as the XDG specification wants: they would lie in the project. */
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

/** What a command may reach, from the rules of the project. */
import { totalmem, userInfo } from "node:os";
import { dirname } from "node:path";
import { Failed } from "../../core/failure.ts";
import type { GuardRules } from "../../config/guard-rules.ts";
import type { Settings } from "../../config/schema.ts";
import type { Confinement } from "../../exec/sandbox.ts";
import { toolchainsOf } from "../../exec/toolchains.ts";
import { gitDirectories, provenGitDirectories } from "../../workspace/guard/git-directories.ts";
import type { Policy } from "../../workspace/guard/policy.ts";
import { refusedBelow } from "../../workspace/guard/refused-below.ts";
import { isWithin, joinPath } from "../../workspace/volume/path-segments.ts";
import { isSystemError } from "../../workspace/volume/system-error.ts";
import type { Volume } from "../../workspace/volume/volume.ts";

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
}

/** Places that are covered one by one: each takes time, and the more there are the more it takes. */
const MOST_PLACES = 500;
/** Processes at one time, counted within the sandbox where the user is not root. */
const MOST_PROCESSES = 2_048;
const LEAST_MEMORY = 2 ** 30;

export interface Confined {
  readonly confinement: Confinement;
  /** The PATH that it gets. */
  readonly path: string;
  /** What stands there now by names that it may not write. */
  readonly refused: ReadonlySet<string>;
}

/** Throws `Failed` where the rules are too many for a sandbox, or `.git` is a link. */
export function confinementFor(site: CommandSite, { cwd, script }: { readonly cwd: string; readonly script?: string | undefined }): Confined {
  const { root, home, settings, rules, policy, volume } = site;
  const refused = refusedBelow(root, policy, rules, home, site.executed);
  const kindOf = (path: string) => volume.entry(path)?.kind;
  const control = [joinPath(root, "loaf.yml"), joinPath(root, ".git"), joinPath(root, ".loaf")];
  // A mount goes to what a link leads to: nothing would keep the link itself.
  if (kindOf(joinPath(root, ".git")) === "link") throw new Failed({ code: "exec/git-link", path: joinPath(root, ".git") });
  const absent = control.filter((path) => kindOf(path) === undefined).map((path) => ({ path, kind: path.endsWith("loaf.yml") ? ("file" as const) : ("directory" as const) }));
  const own = [...site.readOnly, ...gitDirectories(volume, root)].filter((path) => isWithin(path, root) && kindOf(path) !== undefined && !refused.readOnly.includes(path));
  const pinned = [...refused.pinned, ...own.flatMap((path) => foldersBetween(root, path).filter((folder) => policy(folder, "write") === undefined))];
  const sealed = site.sealed.filter((path) => kindOf(path) === "directory").map((path) => ({ path, kind: "directory" as const }));
  const toolchains = toolchainsOf(process.env["PATH"] ?? "", [home, ...homeOfAccount(), root, ...site.sealed], (folder) => canonical(volume, folder));
  const visible = [...toolchains.folders, ...provenGitDirectories(volume, root), cwd, ...(script === undefined ? [] : [script])];
  const shown = visible.filter((path) => !isWithin(path, root) && kindOf(path) !== undefined && !PRIVATE.includes(path));
  const hidden = [...refused.hidden, ...sealed.filter(({ path }) => [root, ...shown].some((folder) => isWithin(path, folder)))];
  const count = hidden.length + refused.readOnly.length + refused.writable.length + pinned.length;
  if (count > MOST_PLACES) throw new Failed({ code: "exec/too-many-rules", count, limit: MOST_PLACES });
  const limits = { memory: Math.max(LEAST_MEMORY, Math.floor(totalmem() / 2)), processes: MOST_PROCESSES };
  const confinement = { root, readOnly: [...refused.readOnly, ...own], absent, writable: refused.writable, pinned, hidden, visible: shown, home, network: settings.exec.network, ...limits };
  return { confinement, path: toolchains.path, refused: new Set([...refused.unwritable, ...absent.map(({ path: place }) => place), ...own]) };
}

function foldersBetween(root: string, path: string): string[] {
  const above = dirname(path);
  return above.length <= root.length ? [] : [...foldersBetween(root, above), above];
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

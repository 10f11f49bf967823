/** What the guard closes for reading in a project, found on the disk by the bytes of names: a command must not see it. */
import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync, realpathSync } from "node:fs";
import type { AccessRules, GuardRules } from "../../config/guard-rules.ts";
import { compileSegment, type GlobSegment, matchSegment } from "../../core/glob.ts";
import { DEFAULT_DENY, HOME_DENY } from "../guard/default-rules.ts";
import { namedBy } from "../guard/pattern.ts";
import type { Policy } from "../guard/policy.ts";
import { readableName } from "../scan.ts";
import { segmentsOf } from "../volume/path-segments.ts";

/** Paths from the folder on, as bytes in latin1. */
export interface ClosedPlaces {
  /** Files, and sockets, which reach out of any sandbox. */
  readonly files: readonly string[];
  /** Directories of which nothing may be read, or that cannot be listed. */
  readonly directories: readonly string[];
  /** Every `.git`, of the project and of repositories in it. */
  readonly repositories: readonly string[];
}

/** What is judged: rules, and what relative patterns in them are relative to. */
export interface Judged {
  /** Canonical. */
  readonly root: string;
  readonly home: string;
  readonly policy: Policy;
  /** Those of which the policy was made: most names are none of their business. */
  readonly rules: readonly GuardRules[];
  /** Canonical path of the folder to walk through; the root unless given. */
  readonly from?: string;
}

/** Walks through a folder once. Passes over links, since the policy judges what they lead to. */
export function closedPlaces({ root, home, policy, rules, from = root }: Judged): ClosedPlaces {
  const mayClose = nameFilter(rules, { root, home });
  const rootNames = segmentsOf(from);
  const repositories: string[] = [];
  const { closed, isOpen } = visit("", rootNames, policy.ofNames(rootNames, "read") !== undefined);
  return isOpen ? { ...closed, repositories } : { files: [], directories: [""], repositories };

  function visit(directory: string, names: readonly string[], isClosed: boolean): { readonly closed: { files: string[]; directories: string[] }; readonly isOpen: boolean } {
    const closed = { files: [] as string[], directories: [] as string[] };
    const entries = entriesOf(from, directory);
    if (entries === undefined) return { closed, isOpen: false };
    let isOpen = !isClosed;
    for (const { entry, name, text } of entries) {
      if (entry.isSymbolicLink()) continue;
      const path = directory === "" ? name : `${directory}/${name}`;
      const own = isClosed || mayClose(text) ? policy.ofNames([...names, text], "read") !== undefined : false;
      if (text === ".git") {
        repositories.push(path);
        isOpen ||= !own;
      } else if (entry.isDirectory()) {
        const below = visit(path, [...names, text], own);
        if (below.isOpen) {
          closed.files.push(...below.closed.files);
          closed.directories.push(...below.closed.directories);
          isOpen = true;
        } else closed.directories.push(path);
      } else if (own || entry.isSocket()) closed.files.push(path);
      else isOpen = true;
    }
    return { closed, isOpen };
  }
}

interface NamedDirent {
  readonly entry: Dirent | Dirent<Buffer>;
  /** Bytes in latin1. */
  readonly name: string;
  /** As patterns are compared with it. */
  readonly text: string;
}

/** Undefined for a directory that cannot be listed: a program may know a name in it, or give itself the right. */
function entriesOf(from: string, directory: string): NamedDirent[] | undefined {
  const path = Buffer.concat([Buffer.from(`${from}/`), Buffer.from(directory, "latin1")]);
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    if (!entries.some(({ name }) => name.includes("\ufffd"))) return entries.map((entry) => ({ entry, name: bytesOf(entry.name), text: entry.name }));
    return readdirSync(path, { withFileTypes: true, encoding: "buffer" }).map((entry) => ({ entry, name: entry.name.toString("latin1"), text: readableName(entry.name) }));
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
  }
}

function bytesOf(name: string): string {
  return NOT_ASCII.test(name) ? Buffer.from(name).toString("latin1") : name;
}

const NOT_ASCII = /[^\x00-\x7f]/;

/** A relative path in latin1 as text, or undefined where it is not UTF-8. */
export function textOf(path: string): string | undefined {
  if (!NOT_ASCII.test(path)) return path;
  const bytes = Buffer.from(path, "latin1");
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** Whether an entry of this name may be closed in a directory that is not. Where something else than the usual is allowed, any may. */
function nameFilter(rules: readonly GuardRules[], at: { readonly root: string; readonly home: string }): (name: string) => boolean {
  const all = rules.map(({ read }): AccessRules => read);
  if (all.some(({ allow }) => allow !== undefined)) return () => true;
  const denied = all.flatMap(({ deny = [] }) => deny);
  // Where a link leads to, the same is refused by another name.
  const real = denied.map((pattern) => realName(namedBy("deny", pattern, at).start));
  const patterns = [...DEFAULT_DENY.read, ...HOME_DENY.read, ...denied].map(telling);
  const literals = new Set([...real, ...patterns.flatMap((one) => (one !== "**" && "literal" in one ? [one.literal.toLowerCase()] : []))]);
  const others = patterns.filter((one) => one === "**" || !("literal" in one));
  // Names that case-blind and normalising file systems take for another one are always asked about.
  return (name) => /[^\w.-]|[A-Z]|[. ]$|~\d/.test(name) || literals.has(name) || others.some((one) => one === "**" || matchSegment(one, name));
}

function realName(path: string): string {
  try {
    return (segmentsOf(realpathSync(path)).at(-1) ?? "").toLowerCase();
  } catch {
    return "";
  }
}

/** The last segment that has to fit for a pattern to match: of `private/**` the directory's. */
function telling(pattern: string): GlobSegment {
  return compileSegment(segmentsOf(pattern).findLast((segment) => segment !== "**") ?? "**");
}

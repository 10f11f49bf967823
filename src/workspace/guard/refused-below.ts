/** What of a project the policy refuses, found on the disk: for programs, which no guard watches. */
import { type Dirent, readdirSync } from "node:fs";
import type { AccessRules, GuardRules } from "../../config/guard-rules.ts";
import { compileSegment, type GlobSegment, matchSegment } from "../../core/glob.ts";
import { joinPath, segmentsOf } from "../volume/path-segments.ts";
import { DEFAULT_DENY } from "./default-rules.ts";
import type { Policy } from "./policy.ts";

export interface RefusedPlace {
  readonly path: string;
  readonly kind: "file" | "directory";
}

export interface RefusedBelow {
  /** May not be read. A directory of which nothing may be read stands for all in it. */
  readonly hidden: RefusedPlace[];
  /** May be read and not written; a directory stands for all in it but for what is `writable`. */
  readonly readOnly: string[];
  readonly writable: string[];
}

/**
 * Walks through a project once. Links are passed over, since the policy judges what they lead to; sockets are refused whatever it says.
 *
 * @param root canonical
 * @param rules those of which the policy was made: by their names most entries are seen to be none of their business
 */
export function refusedBelow(root: string, policy: Policy, rules: readonly GuardRules[]): RefusedBelow {
  const mayRefuse = nameFilter(rules);
  const names = segmentsOf(root);
  const all: RefusedBelow = { hidden: [], readOnly: policy.ofNames(names, "write") === undefined ? [] : [root], writable: [] };
  const { found, isOpen } = visit(root, names, { isHidden: policy.ofNames(names, "read") !== undefined, isReadOnly: all.readOnly.length > 0 });
  if (!isOpen) return { ...all, hidden: [{ path: root, kind: "directory" }] };
  return { hidden: found.hidden, readOnly: [...all.readOnly, ...found.readOnly], writable: found.writable };

  /** @returns whether anything in it may be read, and what is refused of it */
  function visit(directory: string, names: readonly string[], state: State): { readonly found: RefusedBelow; readonly isOpen: boolean } {
    const found: RefusedBelow = { hidden: [], readOnly: [], writable: [] };
    let isOpen = !state.isHidden;
    for (const entry of entriesOf(directory)) {
      const { name } = entry;
      if (entry.isSymbolicLink()) continue;
      const path = joinPath(directory, name);
      const isDirectory = entry.isDirectory();
      const asks = state.isHidden || state.isReadOnly || mayRefuse(name);
      const own: State = asks ? stateOf([...names, name]) : state;
      if (own.isReadOnly !== state.isReadOnly) (own.isReadOnly ? found.readOnly : found.writable).push(path);
      if (isDirectory && name !== ".git") {
        const below = visit(path, [...names, name], own);
        found.readOnly.push(...below.found.readOnly);
        found.writable.push(...below.found.writable);
        if (below.isOpen) found.hidden.push(...below.found.hidden);
        else found.hidden.push({ path, kind: "directory" });
        isOpen ||= below.isOpen;
      } else if (own.isHidden || entry.isSocket()) found.hidden.push({ path, kind: isDirectory ? "directory" : "file" });
      else isOpen = true;
    }
    return { found, isOpen };
  }

  function stateOf(path: readonly string[]): State {
    return { isHidden: policy.ofNames(path, "read") !== undefined, isReadOnly: policy.ofNames(path, "write") !== undefined };
  }
}

interface State {
  readonly isHidden: boolean;
  readonly isReadOnly: boolean;
}

/** What cannot be listed cannot be read by a program either. */
function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Whether an entry of this name may be refused in a directory that is not. Where something else than the usual is allowed, any may. */
function nameFilter(rules: readonly GuardRules[]): (name: string) => boolean {
  const all = rules.flatMap(({ read, write }): AccessRules[] => [read, write]);
  if (all.some(({ allow }) => allow !== undefined)) return () => true;
  const patterns = [...DEFAULT_DENY.read, ...DEFAULT_DENY.write, ...all.flatMap(({ deny = [] }) => deny)].map(telling);
  const literals = new Set([...CONTROL, ...patterns.flatMap((one) => (one !== "**" && "literal" in one ? [one.literal.toLowerCase()] : []))]);
  const others = patterns.filter((one) => one === "**" || !("literal" in one));
  // Names that case-blind and normalising file systems take for another one are asked about always.
  return (name) => /[^\w.-]|[A-Z]|[. ]$|~\d/.test(name) || literals.has(name) || others.some((one) => matchSegment(one, name));
}

/** Built-in refusals in a project. */
const CONTROL = [".git", ".loaf", "loaf.yml"];

/** The last segment that has to fit for a pattern to match: of `private/**` the directory's. */
function telling(pattern: string): GlobSegment {
  const segments = segmentsOf(pattern.endsWith("/") ? `${pattern}**` : pattern);
  return compileSegment(segments.findLast((segment) => segment !== "**") ?? "**");
}

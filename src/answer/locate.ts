/** Finds the files that paths of an answer mean: by names that look the same, or by the end of their paths. */
import { basename, dirname, isAbsolute, join, relative, resolve as resolvePath } from "node:path";
import { pathsIn } from "../actions/params.ts";
import type { Settings } from "../config/schema.ts";
import { isBlock } from "../core/block.ts";
import { type Access, type Failure, unlessFailed } from "../core/failure.ts";
import { append } from "../core/lists.ts";
import { once } from "../core/once.ts";
import type { Guard, JudgedPlace } from "../guard/guard.ts";
import { STEP } from "../paths/address.ts";
import { isWithin, segmentsOf, withSlashes } from "../paths/path-segments.ts";
import type { KnownFiles } from "./known-files.ts";
import type { ReadGroup } from "./reading.ts";
import { type Action, resolve } from "./resolve.ts";

/** Maximum number of candidates in a sentence. */
const MAX_NAMED = 10;

interface Answered {
  readonly root: string;
  paths(): readonly string[];
  isCertain(syntax: string): boolean;
}

/** The resolved path, or why it cannot be resolved. */
type Found = { readonly path: string; readonly warnings: readonly string[] } | { readonly failure: Failure };

/**
 * Resolves paths by their tail. If nothing is at a path, looks for a file whose path ends with it. If the action may
 * create the file, keeps the path as it is, because overwriting the wrong file is worse than creating one; a warning
 * then names similar files. A whole file is refused, since it may be meant for one of them. Walks the project once,
 * when first needed, and honours `.gitignore`.
 *
 * Where all paths of an answer begin with the name of the root's own folder, and the root has nothing of that name, it
 * is taken off all of them: in `/home/me/rep`, `rep/src/a.js` is `src/a.js`.
 *
 * Not for NESL and CSL, which teach paths relative to the root: a folder of the root's own name (`mysite/mysite`) is
 * common.
 */
export class TailFinder {
  readonly #guard: Guard;
  readonly #known: KnownFiles;
  readonly #names: SameNames;
  readonly #root: string;
  /** The folders of the root that all paths repeat, with a slash. */
  readonly #repeated: () => string | undefined;
  readonly #isCertain: Answered["isCertain"];

  /**
   * @param answered.root canonical
   * @param answered.paths returns those of the whole answer; none if it is still to arrive
   * @param answered.isCertain returns whether edits in a syntax run without a question
   */
  constructor(known: KnownFiles, { root, paths, isCertain }: Answered) {
    this.#guard = known.guard;
    this.#known = known;
    this.#names = new SameNames(known, root);
    this.#root = root;
    this.#isCertain = isCertain;
    this.#repeated = once(() => this.#repeatedBy(paths().map(plain)));
  }

  /** Returns the action with resolved paths, or unchanged if its paths are not by tail. */
  place(given: Action): Action {
    const action = this.#names.place(given);
    const { meant } = action;
    if (meant === undefined || meant.paths === "from-root") return action;
    const params: Record<string, unknown> = { ...action.params };
    const warnings = [...action.warnings];
    for (const [parameter, access = []] of Object.entries(action.definition.needs)) {
      const path = this.#inFolderOf(meant.beside, String(action.params[parameter]));
      const resolved = this.#find(path, access, meant.uncertain);
      if ("failure" in resolved) return { ...action, refusal: resolved };
      // The target of a move has the tail of its source where it was made before.
      if (resolved.path === action.params["new_path"] && parameter === "old_path") continue;
      params[parameter] = resolved.path;
      append(warnings, resolved.warnings);
      const isTold = meant.paths === "by-tail-with-warning" && resolved.path !== path && resolved.warnings.length === 0;
      if (isTold) warnings.push(`'${path}' was read as '${resolved.path}', the only file whose path ends with it`);
    }
    return { ...action, params, warnings, meant: { ...meant, paths: "from-root" } };
  }

  /** Returns a name without a folder in that of the only file of another name. */
  #inFolderOf(beside: string | undefined, name: string): string {
    const [only, other] = beside === undefined || name.includes("/") ? [] : this.#candidatesFor(beside);
    return only === undefined || other !== undefined ? name : only.slice(0, only.lastIndexOf("/") + 1) + name;
  }

  #find(written: string, access: readonly Access[], isWhole: string | undefined): Found {
    const repeated = this.#repeated();
    const isRepeated = repeated !== undefined && plain(written).startsWith(repeated);
    const path = isRepeated ? plain(written).slice(repeated.length) : written;
    const warnings =
      path === written
        ? []
        : [`'${written}' was read as '${path}': paths start at the root and do not repeat its name`];
    const place = this.#placeOf(path, access);
    if (path.startsWith("/") && place?.entry === undefined) {
      const fromRoot = path.slice(1);
      if (this.#placeOf(fromRoot, access)?.entry !== undefined)
        return { path: fromRoot, warnings: [`'${path}' was read as '${fromRoot}': paths start at the project's root`] };
    }
    // A forbidden path is refused when the action uses it.
    if (place === undefined) return { path, warnings };
    if (!isWithin(place.path, this.#root)) return { failure: { code: "path/outside", path } };
    if (place.entry !== undefined) return { path, warnings };
    // Chats mention files as @src/app.js.
    const mentioned = path.startsWith("@") ? path.slice(1) : "";
    if (mentioned !== "" && this.#placeOf(mentioned, access)?.entry !== undefined)
      return { path: mentioned, warnings: [...warnings, `'${path}' was read as '${mentioned}'`] };
    const candidates = this.#candidatesFor(path);
    const [only] = candidates;
    const named = { path, count: candidates.length, candidates: candidates.slice(0, MAX_NAMED) };
    if (only === undefined || !access.includes("read")) {
      if (only !== undefined && isWhole !== undefined && !path.startsWith("./")) {
        // Somebody sees it before it runs.
        const warning = `'${path}' was read as '${only}', the only file whose path ends with it`;
        const isAsked = candidates.length === 1 && !this.#isCertain(isWhole);
        return isAsked ? { path: only, warnings: [warning] } : { failure: { code: "path/elsewhere", ...named } };
      }
      this.#known.remember(place.path);
      const alike = `'${path}' is a new file; these files with the same ending were left alone: ${listed(candidates)}`;
      return { path, warnings: only === undefined ? warnings : [...warnings, alike] };
    }
    if (candidates.length > 1) return { failure: { code: "path/ambiguous", ...named } };
    return { path: only, warnings: [] };
  }

  /** Returns the last folders of the root with a slash, if all paths begin with them. */
  #repeatedBy(paths: readonly string[]): string | undefined {
    if (paths.length === 0) return undefined;
    const folders = segmentsOf(this.#root);
    const isThere = (name: string): boolean => this.#placeOf(name, ["read"], "directory")?.entry !== undefined;
    for (let first = 0; first < folders.length; first++) {
      const start = `${folders.slice(first).join("/")}/`;
      if (paths.every((path) => path.startsWith(start))) return isThere(folders[first] as string) ? undefined : start;
    }
    return undefined;
  }

  #placeOf(path: string, access: readonly Access[], names: "file" | "directory" = "file"): JudgedPlace | undefined {
    return unlessFailed(() => this.#guard.admit({ path, access, of: "target", names, syscall: "open" }), undefined);
  }

  /** Returns candidates in order, without files deleted since the walk. */
  #candidatesFor(path: string): string[] {
    const segments = segmentsOf(path);
    if (isAbsolute(path) || segments.includes("..")) return [];
    const [name = "", tail] = [segments.at(-1), `/${segments.join("/")}`];
    const alike = this.#known.named(name).filter((candidate) => candidate.endsWith(tail));
    return alike.filter((candidate) => this.#placeOf(candidate, ["read"])?.entry !== undefined).sort();
  }
}

/** Returns the paths of an answer that may have to be looked up. */
export function pathsByTail(
  groups: readonly ReadGroup[],
  { root, settings }: { readonly root: string; readonly settings: Settings },
): readonly string[] {
  const options = { root, relativePaths: settings.relative_paths, allowed: settings["allowed-actions"] };
  return groups.flatMap(({ group, text, advise }) =>
    group.filter(isBlock).flatMap((item) => {
      const action = resolve(item, text, { ...options, advise });
      if (!("definition" in action) || (action.meant?.paths ?? "from-root") === "from-root") return [];
      return Object.keys(action.definition.needs).map((parameter) => String(action.params[parameter]));
    }),
  );
}

/** Returns a path as it is compared. */
function plain(path: string): string {
  return withSlashes(path).replace(/^(?:\.\/)+/, "");
}

function listed(paths: readonly string[]): string {
  return paths.slice(0, MAX_NAMED).join(", ") + (paths.length > MAX_NAMED ? ", …" : "");
}

/**
 * Finds files whose names are the same to a reader and written with other code points: models write `é` as one
 * character, and files from macOS may have it as two. White space around a path is no part of it, and a backslash
 * divides its names. If something is at the path as written, that is meant. Where the file system folds names, a path
 * gets the spelling of its folders.
 */
class SameNames {
  readonly #known: KnownFiles;
  readonly #root: string;

  /** @param root canonical */
  constructor(known: KnownFiles, root: string) {
    this.#known = known;
    this.#root = root;
  }

  /** Returns the action with the names that the project has. A warning tells of those that look different. */
  place(action: Action): Action {
    const {
      needs,
      params: { shape },
    } = action.definition;
    const before = new Set<string>();
    const warnings: string[] = [];
    const changed = Object.keys(needs).flatMap((parameter) => {
      const written = action.params[parameter];
      const paths = pathsIn(shape[parameter], written);
      const renamed = paths
        .map((path) => [path, this.#unless(before, path)] as const)
        .filter(([path, name]) => name !== path);
      const lines = new Map(renamed);
      if (lines.size === 0) return [];
      for (const path of lines.keys()) {
        const meant = this.#meant(path);
        if (meant !== path) warnings.push(`'${path}' was read as '${meant}'`);
      }
      const named = String(written)
        .split("\n")
        .map((line) => lines.get(line) ?? lines.get(line.trim()) ?? line)
        .join("\n");
      return [[parameter, named] as const];
    });
    if (changed.length === 0) return action;
    const params = { ...action.params, ...Object.fromEntries(changed) };
    return { ...action, params, warnings: [...action.warnings, ...warnings] };
  }

  /** Keeps the last name of a path as written if it leads to an entry named before: a move changes its spelling. */
  #unless(before: Set<string>, written: string): string {
    const name = this.#find(written);
    const place = resolvePath(this.#root, name);
    if (name !== written && before.has(place)) return join(dirname(name), basename(written));
    before.add(place);
    return name;
  }

  /**
   * Returns a path as written if something is there. Else without white space around it, and without the backslashes
   * with which Markdown escapes signs, or with slashes for them.
   */
  #meant(written: string): string {
    const path = written.trim();
    if (path === written && !path.includes("\\")) return written;
    const [plain, slashed] = [path.replace(ESCAPED, ""), withSlashes(path)];
    const there = [written, plain, slashed].find((one) => this.#known.has(one));
    return there ?? (path.includes("/") && !plain.includes("\\") ? plain : slashed);
  }

  #find(given: string): string {
    const written = this.#meant(given);
    const end = written.indexOf(STEP);
    const [path, address] = end === -1 ? [written, ""] : [written.slice(0, end), written.slice(end)];
    const absolute = isAbsolute(path) ? path : join(this.#root, path);
    if (!isWithin(absolute, this.#root) || segmentsOf(path).includes("..")) return written;
    const fromRoot = relative(this.#root, absolute);
    const spelled = this.#known.guard.spelled(fromRoot);
    if (spelled !== fromRoot) return (isAbsolute(path) ? join(this.#root, spelled) : spelled) + address;
    if (!NOT_ASCII.test(path)) return written;
    const segments = segmentsOf(fromRoot);
    for (let count = segments.length; count > 0; count--) {
      const head = segments.slice(0, count).join("/");
      if (this.#known.has(head)) return written;
      const [only, ...others] = this.#named(head, count);
      if (only === undefined || others.length > 0) continue;
      const actual = [only, ...segments.slice(count)].join("/");
      return (isAbsolute(path) ? join(this.#root, actual) : actual) + address;
    }
    return written;
  }

  /** Returns the files, and folders of files, whose path is the same to a reader. */
  #named(head: string, count: number): string[] {
    const wanted = head.normalize();
    const heads = this.#known.all().map((path) => segmentsOf(path).slice(0, count).join("/"));
    return [...new Set(heads)].filter((path) => path.normalize() === wanted);
  }
}

const NOT_ASCII = /[^\x00-\x7f]/;
/** Before signs that Markdown gives a meaning. */
const ESCAPED = /\\(?=[[\]()_*#~`])/g;

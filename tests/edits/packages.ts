/** Two versions of packages that scripts/install.mjs fetches, their changes, and what comes of an answer that tells one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Loaf } from "../../src/index.ts";
import { isComplete } from "../support/complete.ts";
import { createFolder } from "../support/folder.ts";
import type { Change } from "./answers.ts";

const folder = resolve("node_modules/.cache/loaf-samples");
/** How many scripts/install.mjs fetches in two versions. */
const PACKAGES = 15;
const versions = new Map<string, string[]>();
for (const name of existsSync(folder) ? readdirSync(folder).filter((one) => /^[\w-]+@/.test(one)).sort() : [])
  versions.set(name.replace(/@.*/, ""), [...(versions.get(name.replace(/@.*/, "")) ?? []), name]);
if (versions.size < PACKAGES && isComplete) throw new Error("the packages that scripts/install.mjs fetches are missing: in CI the tests that need them do not skip");

/** Files of each package, none of over so many UTF-16 units. */
const FILES = 30;
const LONGEST = 60_000;

export const hasPackages = versions.size >= PACKAGES;

export function changesOfPackages(): readonly Change[] {
  return [...versions.values()].flatMap(([old = "", now = ""]) => changesBetween(join(folder, old, "package"), join(folder, now, "package")));
}

function changesBetween(old: string, now: string): readonly Change[] {
  const changes: Change[] = [];
  for (const path of filesBelow(now)) {
    if (!SOURCE.test(path) || GENERATED.test(path) || !existsSync(join(old, path)) || changes.length === FILES) continue;
    const [before, after] = [old, now].map((root) => readFileSync(join(root, path), "utf8")) as [string, string];
    const isFit = before !== after && Math.max(before.length, after.length) <= LONGEST && !/\r|```/.test(before + after);
    if (isFit) changes.push({ path, before, after });
  }
  return changes;
}

const SOURCE = /\.(?:[cm]?[jt]sx?|py|java|s?css|md|json|go|rs|rb|kts?|swift|mm?|[ch]|cpp)$/;
const GENERATED = /\.min\.|\.d\.ts$|(?:^|\/)dist\//;

function filesBelow(root: string, below = ""): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}

/**
 * Returns what lands. Blank lines that a person would place otherwise are no wrong text.
 *
 * @param mayStay whether the answer shows no removal: what it does not show stays
 */
export async function outcomeOf({ path, before, after }: Change, answer: string, mayStay: boolean): Promise<"exact" | "refused" | "wrong"> {
  const root = createFolder({ [path]: before });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match: "tolerant" } }, approve: () => "once" });
  const { results } = await loaf.execute(answer);
  const now = readFileSync(join(root, path), "utf8");
  if (now === after) return "exact";
  const isRefused = now === before || results.some(({ success }) => !success);
  const plain = (text: string): string => text.replaceAll(/\n\s*\n+/g, "\n").trimEnd();
  const isRight = plain(now) === plain(after) || (mayStay && isMoreOf(now, { after, before }));
  return isRefused || isRight ? "refused" : "wrong";
}

/** Returns whether a text has all lines of the new version, in their order, and beside them only lines of the old one. */
function isMoreOf(text: string, { after, before }: Pick<Change, "after" | "before">): boolean {
  const linesOf = (one: string): readonly string[] => one.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const [wanted, old] = [linesOf(after), new Set(linesOf(before))];
  let next = 0;
  for (const line of linesOf(text)) {
    if (line === wanted[next]) next += 1;
    else if (!old.has(line)) return false;
  }
  return next === wanted.length;
}

/**
 * Changes between two versions of packages, rendered as chats answer that were taught no format: what lands is the new version, byte
 * for byte, or nothing lands. `scripts/install.mjs` fetches the packages.
 */
import { existsSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { isComplete } from "../support/complete.ts";
import { createFolder } from "../support/folder.ts";
import { type Change, prepare, STYLES } from "./answers.ts";

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

/** What must land of each style, in per cent, of the changes that it can show. What is no whole declaration, or stands in a file twice, is refused. */
const LEAST: Readonly<Record<string, number>> = { excerpt: 95, "method at column 0": 95, "class with some methods": 95, "lazy file": 90, pair: 93, diff: 95, whole: 95, fragment: 70 };

/** An import of which a name goes: it stays, as all that nothing replaces. */
const KNOWN = ["fragment lib/web/fetch/formdata-parser.js"];

describe.skipIf(versions.size < PACKAGES)("answers from histories (skipped where the packages are missing; scripts/install.mjs gets them)", () => {
  test("0 wrong", { timeout: 600_000 }, async () => {
    const changes = [...versions.values()].flatMap(([old = "", now = ""]) => changesBetween(join(folder, old, "package"), join(folder, now, "package")));
    const [wrong, shares]: [string[], Record<string, { all: number; exact: number }>] = [[], {}];
    for (const change of changes) {
      await prepare(change);
      for (const [style, render] of Object.entries(STYLES)) {
        const answer = render(change);
        if (answer === undefined) continue;
        const share = (shares[style] ??= { all: 0, exact: 0 });
        share.all += 1;
        const outcome = await outcomeOf(change, answer, STAYS.has(style));
        if (outcome === "exact") share.exact += 1;
        if (outcome === "wrong") wrong.push(`${style} ${change.path}`);
      }
    }
    const told = Object.entries(shares).map(([style, { all, exact }]) => `${style}: ${exact} of ${all} byte-exact`);
    writeSync(1, `${told.join("\n")}\n`);
    expect(wrong.filter((one) => !KNOWN.includes(one))).toEqual([]);
    expect(Object.keys(shares).sort()).toEqual(Object.keys(LEAST).sort());
    for (const [style, { all, exact }] of Object.entries(shares)) expect((100 * exact) / all, style).toBeGreaterThanOrEqual(LEAST[style] ?? 0);
  });
});

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

/** Blank lines that a person would place otherwise are no wrong text. */
async function outcomeOf({ path, before, after }: Change, answer: string, mayStay: boolean): Promise<"exact" | "refused" | "wrong"> {
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

/** Styles that show no removal: what an answer does not show stays. */
const STAYS: ReadonlySet<string> = new Set(["excerpt", "method at column 0", "class with some methods", "lazy file", "fragment"]);

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

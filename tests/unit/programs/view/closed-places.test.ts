/** What is closed is found anew for each command, and folders that have not changed are not listed again for that. */
import type * as Fs from "node:fs";
import { chmodSync, mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import type { GuardRules } from "../../../../src/config/guard-rules.ts";
import { mergeConfigs } from "../../../../src/config/merge.ts";
import { createGuard } from "../../../../src/guard/guard.ts";
import { closedPlaces } from "../../../../src/programs/view/closed-places.ts";
import { Disk } from "../../../../src/disk/disk.ts";
import { createFolder } from "../../../support/folder.ts";

const counted = vi.hoisted(() => ({ listings: 0, device: 0 }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const { readdirSync, statfsSync } = fs as unknown as Record<"readdirSync" | "statfsSync", (...given: unknown[]) => { type?: number }>;
  return {
    ...fs,
    readdirSync: (...given: unknown[]) => (counted.listings++, readdirSync(...given)),
    statfsSync: (...given: unknown[]) => ({ ...statfsSync(...given), ...(counted.device !== 0 && { type: counted.device }) }),
  };
});
beforeEach(() => void (counted.device = 0));

const [DEFAULT] = [mergeConfigs({})["fs-guard"]];

function walk(root: string, known?: string, rules: readonly GuardRules[] = [DEFAULT]) {
  const place = { root, home: "/home/nobody", rules };
  const policy = createGuard({ volume: new Disk(), platform: process.platform, sealed: [], readOnly: [], ...place }).refusal;
  counted.listings = 0;
  const { files, directories, repositories, cache } = closedPlaces({ ...place, policy, known });
  return { closed: [...files, ...directories, ...repositories].toSorted(), listings: counted.listings, cache };
}

/** As if the folders had been left alone for long. The clock of the file system must have moved before anything is changed after this. */
async function walkLater(root: string) {
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  const { cache } = walk(root);
  vi.restoreAllMocks();
  await setTimeout(50);
  return cache;
}

const project = () => createFolder({ "a/b/c.txt": "c", "a/.env": "SECRET=1", "d/e.txt": "e", "x/y/z.txt": "z", ".git/HEAD": "" });
const CLOSED = [".git", "a/.env"];

test.runIf(process.platform === "linux")("folders that have not changed are not listed again", async () => {
  const root = project();
  const cache = await walkLater(root);
  expect(walk(root)).toMatchObject({ closed: CLOSED, listings: 6 });
  expect(walk(root, cache)).toEqual({ closed: CLOSED, listings: 0, cache: undefined });
  writeFileSync(join(root, "d/new.txt"), "");
  expect(walk(root, cache)).toMatchObject({ closed: CLOSED, listings: 1 });
});

test.each<[string, (root: string) => void, readonly string[]]>([
  ["a new file", (root) => writeFileSync(join(root, "d/.env"), ""), ["a/.env", "d/.env"]],
  ["a file by another name", (root) => renameSync(join(root, "a/b/c.txt"), join(root, "a/b/c.pem")), ["a/.env", "a/b/c.pem"]],
  ["a folder whose time was set back", (root) => (writeFileSync(join(root, "d/.env"), ""), utimesSync(join(root, "d"), 1, 1)), ["a/.env", "d/.env"]],
  ["a folder that was moved", (root) => renameSync(join(root, "a"), join(root, "d/a")), ["d/a/.env"]],
  ["a folder in another one's place", (root) => (renameSync(join(root, "d"), join(root, "old")), renameSync(join(root, "a"), join(root, "d"))), ["d/.env"]],
  ["a repository", (root) => mkdirSync(join(root, "x/.git")), ["a/.env", "x/.git"]],
  ["a name that is not UTF-8", (root) => writeFileSync(Buffer.from(`${root}/d/caf\xe9.pem`, "latin1"), ""), ["a/.env", "d/caf\xe9.pem"]],
])("what has changed since is seen: %s", async (_, change, closed) => {
  const root = project();
  const cache = await walkLater(root);
  utimesSync(join(root, "d"), 1, 1);
  change(root);
  expect(walk(root, cache).closed).toEqual([".git", ...closed].toSorted());
});

test("a folder that changed just before it was listed is listed again, since the clock of its file system may stand still", () => {
  const root = project();
  const { cache } = walk(root);
  writeFileSync(join(root, "d/.env"), "");
  expect(walk(root, cache)).toMatchObject({ closed: [".git", "a/.env", "d/.env"], listings: 6 });
});

test("other rules close other names in folders that have not changed", async () => {
  const root = project();
  const cache = await walkLater(root);
  const rules = [{ read: { deny: ["**/e.txt"] }, write: {} }];
  expect(walk(root, cache, rules).closed).toEqual([".git", "a/.env", "d/e.txt"]);
  expect(walk(root, cache, [{ read: { allow: ["a/**"] }, write: {} }]).closed).toEqual([".git", "a/.env", "d", "x"]);
});

test("nothing is believed of a file system that is not known to tell the time of each change, nor of a damaged text", async () => {
  const root = project();
  const cache = await walkLater(root);
  const [key, rows] = JSON.parse(cache ?? "") as [unknown, unknown[][]];
  const [first = [], ...others] = rows;
  const damaged = [null, 5, [null], [["1", ...first.slice(1)], ...others], [first.slice(0, 3), ...others], [[...first.slice(0, 3), [1]], ...others]].map((one) => JSON.stringify([key, one]));
  for (const text of [cache?.slice(0, -5), "null", "[]", ...damaged]) expect(walk(root, text)).toMatchObject({ closed: CLOSED, listings: 6 });
  counted.device = 0x6969;
  expect(walk(root, cache)).toEqual({ closed: CLOSED, listings: 6, cache: undefined });
});

test.skipIf(process.geteuid?.() === 0)("a folder that cannot be listed any more is closed", async () => {
  const root = project();
  const cache = await walkLater(root);
  chmodSync(join(root, "a/b"), 0);
  expect(walk(root, cache).closed).toContain("a/b");
  chmodSync(join(root, "a/b"), 0o700);
});

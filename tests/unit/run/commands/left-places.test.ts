import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStateFile, writeStateFile } from "../../../../src/host/state-file.ts";
import { removeLeftPlaces, withPlaces } from "../../../../src/run/commands/left-places.ts";
import { createFolder } from "../../../support/folder.ts";

const placesIn = (root: string) => [{ path: join(root, "loaf.yml"), kind: "file" }, { path: join(root, ".git"), kind: "directory" }] as const;
const thereIn = (root: string) => placesIn(root).map(({ path }) => existsSync(path));

function make(root: string): void {
  writeFileSync(join(root, "loaf.yml"), "");
  mkdirSync(join(root, ".git"));
}

/** As a killed Loaf leaves it. */
async function leave(root: string, fill: () => void): Promise<void> {
  let left = "";
  await withPlaces(root, placesIn(root), async () => (left = readStateFile(root, "covered-places") ?? ""));
  writeStateFile(root, "covered-places", left);
  make(root);
  fill();
}

test("they go when the sandbox has ended, and nothing is remembered", async () => {
  const root = createFolder();
  await withPlaces(root, placesIn(root), async () => make(root));
  expect(thereIn(root)).toEqual([false, false]);
  expect(readStateFile(root, "covered-places")).toBeUndefined();
});

test("the next turn removes what a killed Loaf left", async () => {
  const root = createFolder();
  await leave(root, () => {});
  removeLeftPlaces(root);
  expect(thereIn(root)).toEqual([false, false]);
  expect(readStateFile(root, "covered-places")).toBeUndefined();
});

test("what somebody has put something into stays", async () => {
  const root = createFolder();
  await leave(root, () => {
    writeFileSync(join(root, "loaf.yml"), "version: 1\n");
    writeFileSync(join(root, ".git", "HEAD"), "");
  });
  removeLeftPlaces(root);
  expect(thereIn(root)).toEqual([true, true]);
});

test("so does what was made before the sandbox, or long after it", async () => {
  for (const away of [-60_000, 60_000]) {
    const root = createFolder();
    await leave(root, () => {});
    writeStateFile(root, "covered-places", JSON.stringify({ since: Date.now() + away, places: placesIn(root) }));
    removeLeftPlaces(root);
    expect(thereIn(root)).toEqual([true, true]);
  }
});

test("nothing is removed for what cannot be read", () => {
  const root = createFolder();
  make(root);
  for (const text of ["", "[]", '{"since": 0}']) {
    writeStateFile(root, "covered-places", text);
    removeLeftPlaces(root);
  }
  expect(thereIn(root)).toEqual([true, true]);
});

import { existsSync, mkdirSync, openSync, closeSync, readdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDescriptorPins, pins, type Pins, pinsByChdir } from "../../../src/disk/choose-pins.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { systemError } from "../../../src/disk/system-error.ts";
import { onPlatform } from "../../support/pins.ts";
import { grow, temporaryDirectory } from "../files/project.ts";

const isLinux = process.platform === "linux";
const ways: Array<[string, () => Pins]> = [["chdir", () => pinsByChdir], ...(isLinux ? [["descriptor", createDescriptorPins] as [string, () => Pins]] : [])];

describe.each(["darwin", "win32", "linux"] as const)("on %s", (platform) => {
  onPlatform(platform);

  test.skipIf(platform === "linux" && !isLinux)("directories are pinned by descriptors on Linux only", () => {
    const root = temporaryDirectory();
    expect(pins.inDirectory(root, (at) => at("a"))).toMatch(platform === "linux" ? /^\/proc\/\d+\/fd\/\d+\/a$/ : /^a$/);
  });
});

describe.each(ways)("pinned by %s", (_, create) => {
  const way = create();
  const list = (directory: string): string[] => way.inDirectory(directory, (at) => readdirSync(at(".")));

  test("what is done, is done in the directory", () => {
    const directory = temporaryDirectory();
    expect(way.inDirectory(directory, (at) => (writeFileSync(at("a"), "a"), readFileSync(at("a"), "utf8")))).toBe("a");
    expect(readdirSync(directory)).toEqual(["a"]);
  });

  test("another directory by now is ESTALE: a link in its place or above it", () => {
    const directory = temporaryDirectory();
    grow(directory, { "real/d/a": "a", link: { link: "real" }, last: { link: "real/d" } });
    for (const path of ["link/d", "last"]) expect(() => list(join(directory, path)), path).toThrow(/^ESTALE: /);
    expect(() => list(`${directory}/real/../real/d`)).toThrow(/^ESTALE: /);
    expect(list(join(directory, "real/d"))).toEqual(["a"]);
  });

  test("nothing there, and a file there, in the system's words", () => {
    const directory = temporaryDirectory();
    grow(directory, { a: "a" });
    expect(() => list(join(directory, "missing"))).toThrow(/^ENOENT: /);
    expect(() => list(join(directory, "a"))).toThrow(/^ENOTDIR: /);
  });

  test("31: a directory named `x (deleted)` works", () => {
    const directory = temporaryDirectory();
    grow(directory, { "x (deleted)/a (deleted)": "a" });
    expect(list(join(directory, "x (deleted)"))).toEqual(["a (deleted)"]);
    const file = way.openToRead(join(directory, "x (deleted)/a (deleted)"));
    expect(readFileSync(file, "utf8")).toBe("a");
    closeSync(file);
  });

  test.runIf(isLinux)("31: one that has been removed is ESTALE, though its path now reads `x (deleted)` as well", () => {
    const path = join(temporaryDirectory(), "x");
    mkdirSync(path);
    const removed = openSync(path, "r");
    rmdirSync(path);
    symlinkSync(`/proc/self/fd/${removed}`, `${path} (deleted)`);
    expect(() => list(`${path} (deleted)`)).toThrow(/^ESTALE: /);
    closeSync(removed);
  });

  test("a name that is not UTF-8 is not taken for one with the replacement character", () => {
    const directory = temporaryDirectory();
    const odd = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xff])]);
    mkdirSync(odd);
    symlinkSync(odd, join(directory, "\ufffd"));
    expect(() => list(join(directory, "\ufffd"))).toThrow(/^ESTALE: /);
    rmSync(join(directory, "\ufffd"));
    mkdirSync(join(directory, "\ufffd"));
    expect(list(join(directory, "\ufffd"))).toEqual([]);
  });

  test("a file is opened by its own path only", () => {
    const directory = temporaryDirectory();
    grow(directory, { "d/a": "a", link: { link: "d" }, "d/leaf": { link: "a" } });
    const file = way.openToRead(join(directory, "d/a"));
    expect(readFileSync(file, "utf8")).toBe("a");
    closeSync(file);
    expect(() => way.openToRead(join(directory, "link/a"))).toThrow(/^ESTALE: /);
    expect(() => way.openToRead(join(directory, "d/leaf"))).toThrow(/^ELOOP: /);
  });

  test("renaming, within a directory and between two, looking at both names first", () => {
    const directory = temporaryDirectory();
    grow(directory, { "one/a": "a", "two/b": "b" });
    const seen: string[] = [];
    const check = { from: (at: string) => seen.push(`from ${readFileSync(at, "utf8")}`), to: (at: string) => seen.push(`to ${existsSync(at)}`) };
    way.rename(join(directory, "one/a"), join(directory, "one/c"), check);
    way.rename(join(directory, "one/c"), join(directory, "two/b"), check);
    expect(seen).toEqual(["from a", "to false", "from a", "to true"]);
    expect([readdirSync(join(directory, "one")), readdirSync(join(directory, "two")), readFileSync(join(directory, "two/b"), "utf8")]).toEqual([[], ["b"], "a"]);
  });

  test.each(["from", "to"] as const)("what `%s` refuses is not renamed", (side) => {
    const directory = temporaryDirectory();
    grow(directory, { "one/a": "a", two: null });
    const refuse = (): never => { throw systemError("EEXIST", "rename", "x"); };
    for (const to of ["one/c", "two/c"]) expect(() => way.rename(join(directory, "one/a"), join(directory, to), { [side]: refuse })).toThrow(/^EEXIST/);
    expect([readdirSync(join(directory, "one")), readdirSync(join(directory, "two"))]).toEqual([["a"], []]);
  });

  test.each([["one/a", "link/c"], ["back/a", "two/c"]])("a rename between directories of which one has been replaced is refused: %s to %s", (from, to) => {
    const directory = temporaryDirectory();
    grow(directory, { "one/a": "a", two: null, link: { link: "two" }, back: { link: "one" } });
    expect(() => way.rename(join(directory, from), join(directory, to))).toThrow(/^ESTALE: /);
    expect([readdirSync(join(directory, "one")), readdirSync(join(directory, "two"))]).toEqual([["a"], []]);
  });

  test("errors name the real path", () => {
    const directory = temporaryDirectory();
    expect(() => way.inDirectory(directory, (at) => readFileSync(at("missing")))).toThrow(`ENOENT: no such file or directory, open '${directory}/missing'`);
    expect(() => way.rename(join(directory, "missing"), join(directory, "x"))).toThrow(`ENOENT: no such file or directory, rename '${directory}/missing'`);
  });

  test.runIf(isLinux)("70: no descriptor and no place is kept, whatever happens", () => {
    const directory = temporaryDirectory();
    grow(directory, { "d/a": "a", link: { link: "d" } });
    const [open, place] = [readdirSync("/proc/self/fd").length, process.cwd()];
    const acts = [
      () => list(directory),
      () => list(join(directory, "link")),
      () => way.inDirectory(directory, () => { throw new Error("by the way"); }),
      () => way.openToRead(join(directory, "link/a")),
      () => way.openToRead(join(directory, "d")),
      () => way.rename(join(directory, "d/a"), join(directory, "link/b")),
      () => way.rename(join(directory, "d/a"), join(directory, "missing/b")),
      () => way.rename(join(directory, "d/a"), join(directory, "b")),
    ];
    for (const act of acts) try { const file = act(); if (typeof file === "number") closeSync(file); } catch { /* Each of them may fail. */ }
    expect([readdirSync("/proc/self/fd").length, process.cwd()]).toEqual([open, place]);
  });
});

test("who has gone to a directory that is removed meanwhile ends up at the top", () => {
  const [old, directory] = [process.cwd(), temporaryDirectory()];
  grow(directory, { gone: null, d: null });
  process.chdir(join(directory, "gone"));
  try {
    pinsByChdir.inDirectory(join(directory, "d"), () => rmdirSync(join(directory, "gone")));
    expect(process.cwd()).toBe("/");
  } finally {
    process.chdir(old);
  }
});

test("what a search lists and reads on the disk is what its path leads to without links", () => {
  const directory = temporaryDirectory();
  grow(directory, { "real/a": "text", link: { link: "real" } });
  const disk = new Disk();
  expect(disk.namesIn(join(directory, "real"))).toEqual([{ name: "a", kind: "file" }]);
  expect(() => disk.namesIn(join(directory, "link"))).toThrow(/^ESTALE: /);
  expect(() => disk.readPieces(join(directory, "link/a"), () => true)).toThrow(/^ESTALE: /);
  const texts: string[] = [];
  const readA = (from: string) => disk.readIn(join(directory, from), (readPieces) => readPieces("a", (piece) => texts.push(String(piece)) > 0));
  readA("real");
  expect(texts).toEqual(["text"]);
  expect(() => readA("link")).toThrow(/^ESTALE: /);
  expect(() => disk.readIn(directory, (readPieces) => readPieces("link", () => true))).toThrow(/^ELOOP: .*link'$/);
});

/** Somebody else changes a file, or the way to it, while Loaf is at work. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { pins } from "../../../src/disk/choose-pins.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { systemError } from "../../../src/disk/system-error.ts";
import type { Volume, WritableVolume } from "../../../src/disk/volume.ts";
import { WritableDisk } from "../../support/writable-disk.ts";
import { createProject, outcomeOf, type Project, type ProjectOptions, temporaryDirectory } from "../files/project.ts";

describe.each<[string, ProjectOptions["volume"]]>([
  ["on the disk", undefined],
  ["on an overlay", (disk) => new Overlay(disk)],
])("76: %s", (_, volume) => {
  const replaced = (project: Project, meanwhile: () => void): unknown =>
    outcomeOf(() =>
      project.files.edit("a.txt", (bytes) => {
        meanwhile();
        return { splices: [{ start: 0, end: bytes.length, text: "mine" }] };
      }),
    );
  const refused = "File changed while Loaf worked on it, so it was not overwritten: 'a.txt'. Read it again";
  const project = (): Project => createProject({ "a.txt": "old" }, { ...(volume && { volume }) });

  test("a file that changed between reading and writing is not overwritten, and nothing is left behind", () => {
    const p = project();
    expect(replaced(p, () => writeFileSync(p.at("a.txt"), "theirs"))).toBe(refused);
    expect([readFileSync(p.at("a.txt"), "utf8"), readdirSync(p.root)]).toEqual(["theirs", ["a.txt"]]);
  });

  test("a file that was replaced by another with the same text is not overwritten", () => {
    const p = project();
    const put = (): void => {
      writeFileSync(p.at("b.txt"), "old");
      renameSync(p.at("b.txt"), p.at("a.txt"));
    };
    expect(replaced(p, put)).toBe(refused);
  });

  test("a file that was removed meanwhile does not come back", () => {
    const p = project();
    expect(replaced(p, () => rmSync(p.at("a.txt")))).toBe(refused);
    expect(readdirSync(p.root)).toEqual([]);
  });

  test("a file that stayed as it was is changed", () => {
    const p = project();
    expect(replaced(p, () => writeFileSync(p.at("b.txt"), "other"))).toMatchObject({ splices: [{ text: "mine" }] });
    expect(p.files.read("a.txt")).toBe("mine");
  });
});

test("76: a file that the run has moved to where it had read another one is known by the place that it came from", () => {
  const moved = (): Project => {
    const p = createProject({ "a.txt": "a", "b.txt": "b" }, { volume: (disk) => new Overlay(disk) });
    expect([p.files.read("a.txt"), p.files.read("b.txt")]).toEqual(["a", "b"]);
    p.files.move("b.txt", "a.txt");
    return p;
  };
  const [alone, disturbed] = [moved(), moved()];
  alone.files.write("a.txt", "new");
  expect(alone.files.read("a.txt")).toBe("new");
  writeFileSync(disturbed.at("b.txt"), "theirs");
  expect(outcomeOf(() => disturbed.files.write("a.txt", "new"))).toMatch("File changed while Loaf worked on it");
});

describe("a way that leads elsewhere by the time of the act", () => {
  /** A volume on which so many acts in a row find that the path is another one's. */
  const unsettled = (times: number) => (disk: WritableVolume): WritableVolume => {
    const stale = (path: string): void => {
      if (times-- > 0) throw systemError("ESTALE", "open", path);
    };
    const { readFile, writeFile, unlink, rename, makeDirectory, removeDirectory, readDirectory } = WritableDisk.prototype;
    return Object.assign(disk, {
      readFile: (...args: Parameters<Volume["readFile"]>) => (stale(args[0]), readFile.apply(disk as WritableDisk, args)),
      writeFile: (...args: Parameters<WritableVolume["writeFile"]>) => (stale(args[0]), writeFile.apply(disk as WritableDisk, args)),
      unlink: (path: string) => (stale(path), unlink.call(disk as WritableDisk, path)),
      rename: (from: string, to: string) => (stale(from), rename.call(disk as WritableDisk, from, to)),
      makeDirectory: (path: string) => (stale(path), makeDirectory.call(disk as WritableDisk, path)),
      removeDirectory: (path: string) => (stale(path), removeDirectory.call(disk as WritableDisk, path)),
      readDirectory: (path: string) => (stale(path), readDirectory.call(disk as WritableDisk, path)),
    });
  };

  const acts: Record<string, [path: string, act: (project: Project) => unknown]> = {
    read: ["a.txt", ({ files }) => files.read("a.txt")],
    edit: ["a.txt", ({ files }) => files.edit("a.txt", () => ({ splices: [{ start: 0, end: 1, text: "b" }] }))],
    write: ["d/b.txt", ({ files }) => files.write("d/b.txt", "x")],
    append: ["a.txt", ({ files }) => files.append("a.txt", "x")],
    remove: ["a.txt", ({ files }) => files.remove("a.txt")],
    move: ["a.txt", ({ files }) => files.move("a.txt", "d/b.txt")],
    createDirectory: ["new", ({ files }) => files.createDirectory("new")],
    removeDirectory: ["empty", ({ files }) => files.removeDirectory("empty")],
    list: ["d", ({ files }) => files.list("d")],
  };

  test.each(Object.entries(acts))("%s is judged and tried again", (_, [, act]) => {
    const p = createProject({ "a.txt": "a", d: null, empty: null }, { volume: unsettled(7) });
    expect(outcomeOf(() => act(p))).not.toEqual(expect.stringContaining("denied"));
  });

  test.each(Object.entries(acts))("%s is refused where that never ends, in words and not with an errno", (_, [path, act]) => {
    const p = createProject({ "a.txt": "a", d: null, empty: null }, { volume: unsettled(1000) });
    expect(outcomeOf(() => act(p))).toMatch(new RegExp(`^fs-guard violation: (Read|Write) access denied for '${path}' \\(what it leads to keeps changing\\)$`));
    expect(readdirSync(p.root)).toEqual(["a.txt", "d", "empty"]);
  });
});

test("11: an edit whose directory is put elsewhere between reading and writing follows it nowhere", () => {
  const p = createProject({ "d/a.txt": "old", "../outside/a.txt": "theirs" });
  const outcome = outcomeOf(() =>
    p.files.edit("d/a.txt", () => {
      rmSync(p.at("d"), { recursive: true });
      symlinkSync(join(p.directory, "outside"), p.at("d"));
      return { splices: [{ start: 0, end: 3, text: "mine" }] };
    }),
  );
  expect(outcome).toMatch(/^fs-guard violation: /);
  expect(readFileSync(join(p.directory, "outside/a.txt"), "utf8")).toBe("theirs");
});

test("12: a link that takes a file's place between judging and acting is not followed", () => {
  const outside = temporaryDirectory();
  writeFileSync(join(outside, "s.txt"), "secret");
  const directory = temporaryDirectory();
  const path = join(directory, "a.txt");
  symlinkSync(join(outside, "s.txt"), path);
  expect(() => new Disk().readFile(path)).toThrow(/^ESTALE/);
});

test.each<[string, (path: string) => void]>([
  ["a FIFO", (path) => execFileSync("mkfifo", [path])],
  ["a link", (path) => symlinkSync("/etc/passwd", path)],
])("12: %s that takes a file's place at the last moment is not read", (_, replace) => {
  const path = join(temporaryDirectory(), "a.txt");
  writeFileSync(path, "a");
  const open = pins.openToRead;
  const openToRead = vi.spyOn(pins, "openToRead").mockImplementation((file) => {
    rmSync(file);
    replace(file);
    return open(file);
  });
  expect(() => new Disk().readFile(path)).toThrow(/^ESTALE/);
  openToRead.mockRestore();
});

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type ContextView, ContextSet, type SaveMode } from "../../../src/context/context-set.ts";
import { shownFile } from "../../../src/context/shown-files.ts";
import { projectStateFolder } from "../../../src/state/places.ts";
import { writeStateFile } from "../../../src/state/state-file.ts";
import { createFolder } from "../../support/folder.ts";

let root: string;
let files: Record<string, string>;
let view: ContextView;

beforeEach(() => {
  vi.stubEnv("XDG_STATE_HOME", createFolder());
  root = createFolder();
  files = { "a.ts": "a", "src/b.ts": "bb", "src/c.ts": "ccc", "doc.md": "# One\n", "doc.md@@# One": "# One\n" };
  const own = (path: string) => path.slice(root.length + 1);
  view = {
    filesOf: async (path) => Object.keys(files).filter((file) => file === own(path) || (file.startsWith(`${own(path)}/`) && !file.includes("@@"))).map((file) => join(root, file)),
    read: async (file) => files[own(file)],
    coverageOf: (path) => (named) => named === path || named.startsWith(`${path}/`),
  };
});

const open = (saveMode: SaveMode = "at once") => new ContextSet(root, view, saveMode);

describe("the context set", () => {
  it("reopens with the same sorted entries, whatever the order they were added in", async () => {
    const one = open();
    await one.add("src");
    await one.add(join(root, "a.ts"));
    expect((await open().list()).map(({ path, size, files: count }) => [path, size, count])).toEqual([["a.ts", 1, 1], ["src", 5, 2]]);
    expect(readdirSync(projectStateFolder(root))).toEqual(["context.json"]);
    expect(statSync(join(projectStateFolder(root), "context.json")).mode & 0o777).toBe(0o600);
  });

  it("holds changes until they are flushed or discarded", async () => {
    await open().add("src");
    const [taken, settled] = [open(), open()];
    for (const [index, set] of [taken, settled].entries()) {
      set.hold();
      set.author = index + 3;
      await set.add("a.ts");
      set.author = 9;
      await set.add("a.ts");
    }
    expect((await open().list()).map(({ path }) => path)).toEqual(["src"]);
    expect(taken.discard()).toEqual([3]);
    expect((await taken.list()).map(({ path }) => path)).toEqual(["src"]);
    settled.flush();
    expect((await open().list()).map(({ path }) => path)).toEqual(["a.ts", "src"]);
    expect(settled.discard()).toEqual([]);
    settled.remove("src");
    expect((await open().list()).map(({ path }) => path)).toEqual(["a.ts"]);
  });

  it("stores nothing in a dry run", async () => {
    const dry = open("never");
    await dry.add("a.ts");
    expect(await dry.list()).toHaveLength(1);
    expect(existsSync(projectStateFolder(root))).toBe(false);
  });

  it("adds a path once, however it is written", async () => {
    const set = open();
    expect([await set.add("a.ts"), await set.add("./a.ts"), await set.add(join(root, "src/../a.ts"))]).toEqual([true, false, false]);
    expect([set.remove(join(root, "a.ts")), set.remove("a.ts")]).toEqual([true, false]);
  });

  it("lists every file once, and no part of a file that is included whole", async () => {
    const set = open();
    for (const path of ["src", "src/b.ts", "doc.md@@# One"]) await set.add(path);
    expect((await set.files()).map(({ path }) => path)).toEqual(["doc.md@@# One", "src/b.ts", "src/c.ts"]);
    await set.add("doc.md");
    expect((await set.files()).map(({ path }) => path)).toEqual(["doc.md", "src/b.ts", "src/c.ts"]);
  });

  it("prunes entries that are gone, or not named since they were added", async () => {
    const set = open();
    set.noteNamed(["a.ts"]);
    for (const path of ["a.ts", "src", "doc.md"]) await set.add(path);
    set.noteNamed([join(root, "src/b.ts"), join(root, "doc.md")]);
    delete files["doc.md"];
    expect(await open().prune()).toEqual(["a.ts", "doc.md"]);
    expect((await open().list()).map(({ path }) => path)).toEqual(["src"]);
  });

  it("prunes new entries only after an action that did not name them", async () => {
    const set = open();
    for (const path of ["a.ts", "src", "doc.md"]) await set.add(path);
    delete files["doc.md"];
    expect(await open().prune()).toEqual(["doc.md"]);
    open().noteNamed([join(root, "src/b.ts")]);
    expect(await open().prune()).toEqual(["a.ts"]);
  });

  it("returns what differs from what was last shown", async () => {
    const set = open();
    await set.add("src");
    const before = await set.files();
    set.noteShown(before);
    expect(await open().changes()).toEqual({ changed: [], gone: [] });
    files["src/b.ts"] = "changed";
    files["src/d.ts"] = "new";
    delete files["src/c.ts"];
    const { changed, gone } = await open().changes();
    expect([changed.map(({ path }) => path), gone]).toEqual([["src/b.ts", "src/d.ts"], ["src/c.ts"]]);
    open().noteShown(changed, gone);
    expect(await open().changes()).toEqual({ changed: [], gone: [] });
  });

  it.each([["at once", [["src/b.ts"]]], ["never", []]] as const)("keeps the whole files that it has shown, if it is saved %s: a dry run keeps none", async (saveMode, kept) => {
    const whole = shownFile("src/b.ts", "bb");
    open(saveMode).noteShown([{ path: "src/b.ts", text: "bb", whole }, { path: "src/c.ts", text: "ccc" }]);
    const names = existsSync(join(projectStateFolder(root), "shown")) ? readdirSync(join(projectStateFolder(root), "shown")) : [];
    expect(names).toEqual(kept.map(() => whole.hash));
  });

  it("fails if it cannot be stored, but fails no other action", async () => {
    await open().add("a.ts");
    const set = open();
    vi.stubEnv("XDG_STATE_HOME", join(createFolder({ file: "" }), "file"));
    expect(() => set.noteNamed([join(root, "a.ts")])).not.toThrow();
    await expect(set.add("src")).rejects.toThrow("file/system");
    expect(await open().list()).toEqual([]);
  });

  it("starts empty if the stored set is unreadable", async () => {
    for (const text of ["{", '{"version":2,"entries":{}}']) {
      writeStateFile(root, "context.json", text);
      expect(await open().list()).toEqual([]);
    }
    rmSync(projectStateFolder(root), { recursive: true });
  });
});

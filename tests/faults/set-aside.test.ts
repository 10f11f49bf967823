/** A power cut after a command's version of a file was set aside, at the moment when its view may be removed. */
import type * as Fs from "node:fs";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { setAside } from "../../src/programs/view/view-folders.ts";
import { createFolder } from "../support/folder.ts";
import { type Disk, disksAfter, type Ordering, type Recorder } from "./recorder.ts";

const recorder = vi.hoisted(() => ({ current: undefined as Recorder | undefined }));
vi.mock("node:fs", async (original) => {
  const { Recorder } = await import("./recorder.ts");
  recorder.current = new Recorder();
  return recorder.current.wrap(await original<typeof Fs>());
});

test.each<Ordering>(["ordered", "any order"])("the files that were set aside survive a power cut (entries reach the disk: %s)", async (ordering) => {
  const root = createFolder({ "view/a.txt": "command", "view/deep/er/b.txt": "also" });
  vi.stubEnv("XDG_STATE_HOME", root);
  recorder.current?.start();
  const folder = await setAside(root, ["a.txt", "deep/er/b.txt"].map((path) => ({ path, write: (to: string) => copyFileSync(join(root, "view", path), to) })));
  const { events } = recorder.current as Recorder;
  (recorder.current as Recorder).isOn = false;
  vi.unstubAllEnvs();
  expect(events.length).toBeGreaterThan(4);
  const start: Disk = new Map([[root, null]]);
  for (const disk of disksAfter(start, events, ordering, 200)) {
    expect(["a.txt", "deep/er/b.txt"].map((path) => disk.get(join(folder, path))?.toString())).toEqual(["command", "also"]);
  }
});

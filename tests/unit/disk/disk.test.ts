import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choosePins, pinsByChdir } from "../../../src/disk/choose-pins.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { temporaryDirectory } from "../files/project.ts";

test.each([["descriptor", choosePins()], ["chdir", pinsByChdir]])("pinned by %s, readFile follows no link and waits for no FIFO that took a file's place", (_, pins) => {
  const disk = new Disk(pins);
  const directory = temporaryDirectory();
  symlinkSync("/etc/passwd", join(directory, "link"));
  execFileSync("mkfifo", [join(directory, "pipe")]);
  expect(() => disk.readFile(join(directory, "link"))).toThrow(/^ESTALE/);
  expect(() => disk.readFile(join(directory, "pipe"))).toThrow(/^ESTALE/);
});

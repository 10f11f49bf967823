import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Disk } from "../../../src/disk/disk.ts";
import { onPlatform, waysToPin } from "../../support/pins.ts";
import { temporaryDirectory } from "../files/project.ts";

describe.each(waysToPin)("pinned by %s", (_, platform) => {
  onPlatform(platform);

  test("readFile follows no link and waits for no FIFO that took a file's place", () => {
    const disk = new Disk();
    const directory = temporaryDirectory();
    symlinkSync("/etc/passwd", join(directory, "link"));
    execFileSync("mkfifo", [join(directory, "pipe")]);
    expect(() => disk.readFile(join(directory, "link"))).toThrow(/^ESTALE/);
    expect(() => disk.readFile(join(directory, "pipe"))).toThrow(/^ESTALE/);
  });
});

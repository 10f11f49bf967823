import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
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

test("a file is read once while it does not change, and anew where it may have changed without a new time stamp", () => {
  const [disk, file] = [new Disk(), join(temporaryDirectory(), "a.txt")];
  for (let count = 1_000; count < 1_500; count++) {
    writeFileSync(file, String(count));
    expect(String(disk.readFile(file).bytes)).toBe(String(count));
  }
  const { bytes } = disk.readFile(file);
  expect(disk.readFile(file).bytes).not.toBe(bytes);
  vi.setSystemTime(Date.now() + 10_000);
  const later = disk.readFile(file).bytes;
  expect(later).not.toBe(bytes);
  expect(disk.readFile(file).bytes).toBe(later);
  writeFileSync(file, "2000");
  expect(String(disk.readFile(file).bytes)).toBe("2000");
  vi.useRealTimers();
});

/** Which program reads the clipboard, and what is said where none can. */
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { createFolder } from "../../../support/folder.ts";

afterEach(() => void vi.unstubAllEnvs());

/** Installs an xclip that runs a line of shell. */
function install(folder: string, line: string): void {
  writeFileSync(join(folder, "xclip"), `#!/bin/sh\n${line}\n`);
  chmodSync(join(folder, "xclip"), 0o755);
}

/** Each module remembers the program that has worked. */
async function clipboardOf(path: readonly string[], display: string) {
  vi.stubEnv("PATH", path.join(":"));
  vi.stubEnv("DISPLAY", display);
  vi.stubEnv("WAYLAND_DISPLAY", "");
  vi.resetModules();
  return await import("../../../../src/faces/watch/clipboard.ts");
}

test("the program is looked up once, and again after it has failed", async () => {
  const [first, second] = [createFolder(), createFolder()];
  install(second, "echo second");
  const { readClipboard } = await clipboardOf([first, second], ":0");
  expect(await readClipboard()).toBe("second\n");
  install(first, "echo first");
  expect(await readClipboard()).toBe("second\n");
  rmSync(join(second, "xclip"));
  expect(await readClipboard()).toBe("first\n");
});

test("a program that has worked and fails from now on is not tried for ever", async () => {
  const folder = createFolder();
  install(folder, "echo text");
  const { readClipboard } = await clipboardOf([folder], ":0");
  await readClipboard();
  install(folder, "echo broken >&2; exit 1");
  await expect(readClipboard()).rejects.toThrow(`The clipboard cannot be reached: ${folder}/xclip: broken`);
});

test("without a display, the sentence says what is missing and what to do", async () => {
  const folder = createFolder();
  install(folder, "echo \"Error: Can't open display: (null)\" >&2; exit 1");
  const { readClipboard } = await clipboardOf([folder], "");
  await expect(readClipboard()).rejects.toThrow(
    `The clipboard cannot be reached: ${folder}/xclip needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set, as over SSH. Start Loaf in a window of the desktop`,
  );
});

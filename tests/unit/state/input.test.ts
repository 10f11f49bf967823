import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { readInput, readTextFile } from "../../../src/state/input.ts";
import { createFolder } from "../../support/folder.ts";

test("reads any text file", async () => {
  const folder = createFolder({ "a.md": "\uFEFFGrüße\r\n\0" });
  expect(await readInput(join(folder, "a.md"), 100)).toBe("\uFEFFGrüße\r\n\0");
});

test("reads a named pipe, like that of `<(command)`", async () => {
  const pipe = join(createFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const [text] = await Promise.all([readInput(pipe, 100), writeFile(pipe, "piped")]);
  expect(text).toBe("piped");
});

test("a missing file is an error if it was named, otherwise undefined", async () => {
  const path = join(createFolder(), "a.md");
  await expect(readInput(path, 100)).rejects.toThrow(`'${path}' does not exist`);
  expect(await readTextFile(path, 100)).toBeUndefined();
});

test("a file that is removed while it is looked at is missing", async () => {
  const path = join(createFolder(), "a.md");
  const saving = 'const { rmSync, writeFileSync } = require("node:fs"); const { workerData: path } = require("node:worker_threads"); for (let save = 0; save < 5_000; save++) { writeFileSync(path, "text"); rmSync(path); }';
  const saver = new Worker(saving, { eval: true, workerData: path });
  const found = { missing: 0, read: 0 };
  const look = setInterval(() => {
    for (let time = 0; time < 500; time++) readTextFile(path, 100).then((text) => found[text === undefined ? "missing" : "read"]++, (thrown: unknown) => expect.soft(thrown).toBeUndefined());
  });
  await once(saver, "exit");
  clearInterval(look);
  expect(Math.min(found.missing, found.read)).toBeGreaterThan(0);
});

test.each([
  ["UTF-16", new Uint8Array([0xff, 0xfe, 0x41, 0x00]), "is UTF-16 text: save it as UTF-8"],
  ["Latin-1", new Uint8Array([0x47, 0xfc]), "is not UTF-8 text: save it as UTF-8"],
  ["more than the limit", "x".repeat(101), "is larger than the limit of 100 bytes"],
])("%s is refused", async (_, content, sentence) => {
  const path = join(createFolder({ "a.md": content }), "a.md");
  await expect(readInput(path, 100)).rejects.toThrow(`'${path}' ${sentence}`);
});

test("a directory is refused", async () => {
  const folder = createFolder();
  await expect(readInput(folder, 100)).rejects.toThrow(`'${folder}' is a directory, not a file`);
});

test("a path below a file is refused with a sentence too", async () => {
  const path = join(createFolder({ a: "" }), "a", "b");
  await expect(readInput(path, 100)).rejects.toThrow(`'${path}'`);
});

test("reads an endless file only up to the limit", async () => {
  await expect(readInput("/dev/zero", 100_000)).rejects.toThrow("'/dev/zero' is larger than the limit of 100000 bytes");
});

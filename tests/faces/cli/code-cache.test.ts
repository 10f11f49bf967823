import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { runLoaf } from "../../support/run-loaf.ts";

const help = async (state: string) => (await runLoaf(["--help"], { env: { XDG_STATE_HOME: state } })).stdout;

/** Returns the state folder after one `loaf --help`, and the only file in its code cache. */
async function warmed(): Promise<{ state: string; cache: string }> {
  const state = createFolder();
  expect(await help(state)).toContain("loaf run answer.md");
  const folder = join(state, "loaf", "code");
  const names = readdirSync(folder);
  expect(names).toHaveLength(1);
  return { state, cache: join(folder, names[0] as string) };
}

/** Returns a cache of other code that V8 accepts for the bundle, since the source has the same length and V8 the launcher's flag. */
function foreignCode(): Buffer {
  const script = `
    if (Number.parseInt(process.versions.node) <= 24) require("node:v8").setFlagsFromString("--no-regexp-tier-up");
    const [start, end] = ["(function(exports, require, module, __filename, __dirname) {", "\\n})"];
    const length = require("node:fs").readFileSync(process.argv[1], "utf8").length;
    const script = new (require("node:vm").Script)(start + 'console.log("owned");'.padEnd(length) + end);
    script.runInThisContext();
    const content = script.createCachedData();
    process.stdout.write(Buffer.concat([content, content]));`;
  return execFileSync(process.execPath, ["-e", script, resolve("dist/main.cjs")], { maxBuffer: 2 ** 24 });
}

/** Checks that foreign code in the cache runs, but no longer after `expose` makes the cache writable for others. */
async function doesNotRun(_: string, expose: (cache: string) => void): Promise<void> {
  const { state, cache } = await warmed();
  writeFileSync(cache, foreignCode());
  expect(await help(state)).toBe("owned\n");
  expose(cache);
  expect(await help(state)).toContain("loaf run answer.md");
}

test("the bundle is ASCII, since the launcher reads each byte as a character", () => {
  expect(readFileSync(resolve("dist/main.cjs")).findIndex((byte) => byte > 0x7f)).toBe(-1);
});

describe("the code cache", () => {
  it("is named after exactly this bundle, since V8 compares only its length", async () => {
    const { cache } = await warmed();
    const hash = createHash("sha256").update(readFileSync(resolve("dist/main.cjs"))).digest("hex");
    expect(cache).toContain(`/${hash.slice(0, 16)}-${process.version}-${process.arch}-help`);
  });

  it("is accessible to the user only", async () => {
    const { cache } = await warmed();
    expect(statSync(cache).mode & 0o777).toBe(0o600);
    expect(statSync(join(cache, "..")).mode & 0o777).toBe(0o700);
  });

  it("is reused, and renewed after a day", async () => {
    const { state, cache } = await warmed();
    const { ino } = statSync(cache);
    await help(state);
    expect(statSync(cache).ino).toBe(ino);
    const yesterday = Date.now() / 1000 - 90_000;
    utimesSync(cache, yesterday, yesterday);
    await help(state);
    expect(statSync(cache).mtimeMs / 1000).toBeGreaterThan(yesterday + 1000);
  });

  it.each([
    ["half of it", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["noise", (bytes: Buffer) => Buffer.alloc(bytes.length, "x")],
    ["nothing", () => Buffer.alloc(0)],
    ["a flipped bit, which V8 would run", (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 40_000 ? byte ^ 1 : byte)))],
  ])("is refused and replaced if it contains %s", async (_, spoil) => {
    const { state, cache } = await warmed();
    const bytes = readFileSync(cache);
    writeFileSync(cache, spoil(bytes));
    expect(await help(state)).toContain("loaf run answer.md");
    expect(readFileSync(cache).equals(spoil(bytes))).toBe(false);
    expect(readFileSync(cache).length).toBeGreaterThan(bytes.length / 2);
  });

  it.each<[string, (cache: string) => void]>([
    ["a file that others may write", (cache) => chmodSync(cache, 0o666)],
    ["a folder that others may write", (cache) => chmodSync(dirname(cache), 0o777)],
  ])("does not run code from %s", doesNotRun);

  it.runIf(process.getuid?.() === 0).each<[string, (cache: string) => void]>([
    ["file", (cache) => chownSync(cache, 65_534, 65_534)],
    ["folder", (cache) => chownSync(dirname(cache), 65_534, 65_534)],
  ])("does not run code from another user's %s", doesNotRun);

  it("is skipped if no folder can be created, as below /proc", async () => {
    expect(await help("/proc/loaf-test")).toContain("loaf run answer.md");
  });

  it("is skipped if it is not writable", async () => {
    const state = join(createFolder({ file: "" }), "file");
    expect(await help(state)).toContain("loaf run answer.md");
  });

  it("is not written by a command that could not run", async () => {
    const state = createFolder();
    expect((await runLoaf(["nonsense"], { env: { XDG_STATE_HOME: state } })).code).toBe(2);
    expect(readdirSync(state)).toEqual([]);
  });
});

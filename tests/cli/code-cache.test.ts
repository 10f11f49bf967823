import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder } from "../support/folder.ts";
import { runLoaf } from "../support/run-loaf.ts";

const help = async (state: string) => (await runLoaf(["--help"], { env: { XDG_STATE_HOME: state } })).stdout;

/** The state folder after one `loaf --help`, and the one file in its code cache. */
async function warmed(): Promise<{ state: string; cache: string }> {
  const state = createFolder();
  expect(await help(state)).toContain("loaf run answer.md");
  const folder = join(state, "loaf", "code");
  const names = readdirSync(folder);
  expect(names).toHaveLength(1);
  return { state, cache: join(folder, names[0] as string) };
}

describe("the code cache", () => {
  it("is named after exactly this bundle, since V8 compares only its length", async () => {
    const { cache } = await warmed();
    const hash = createHash("sha256").update(readFileSync(resolve("dist/main.cjs"))).digest("hex");
    expect(cache).toContain(`/${hash.slice(0, 16)}-${process.version}-${process.arch}-help`);
  });

  it("is for the user alone", async () => {
    const { cache } = await warmed();
    expect(statSync(cache).mode & 0o777).toBe(0o600);
    expect(statSync(join(cache, "..")).mode & 0o777).toBe(0o700);
  });

  it("is used as it is, and made anew after a day", async () => {
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
  ])("is refused and replaced where it holds %s", async (_, spoil) => {
    const { state, cache } = await warmed();
    const bytes = readFileSync(cache);
    writeFileSync(cache, spoil(bytes));
    expect(await help(state)).toContain("loaf run answer.md");
    expect(readFileSync(cache).length).toBeGreaterThan(bytes.length / 2);
  });

  it("is done without where it cannot be written", async () => {
    const state = join(createFolder({ file: "" }), "file");
    expect(await help(state)).toContain("loaf run answer.md");
  });

  it("keeps nothing of a command that could not run", async () => {
    const state = createFolder();
    expect((await runLoaf(["nonsense"], { env: { XDG_STATE_HOME: state } })).code).toBe(2);
    expect(readdirSync(state)).toEqual([]);
  });
});

import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { writeNewFile } from "../../../src/state/state-file.ts";
import { createFolder } from "../../support/folder.ts";

test("creates a missing file, and no other", () => {
  const folder = createFolder();
  expect(writeNewFile(join(folder, "a"), "text")).toBe(true);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("text");
  expect(readdirSync(folder)).toEqual(["a"]);
});

test("keeps an existing file", () => {
  const folder = createFolder({ a: "mine" });
  expect(writeNewFile(join(folder, "a"), "text")).toBe(false);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("mine");
  expect(readdirSync(folder)).toEqual(["a"]);
});

test("keeps a dangling link, and does not create its target", () => {
  const folder = createFolder();
  symlinkSync(join(folder, "b"), join(folder, "a"));
  expect(writeNewFile(join(folder, "a"), "text")).toBe(false);
  expect(readdirSync(folder)).toEqual(["a"]);
});

test("a write that fails leaves nothing behind", () => {
  const folder = createFolder();
  vi.mocked(writeFileSync).mockImplementationOnce(() => {
    throw new Error("ENOSPC");
  });
  expect(() => writeNewFile(join(folder, "a"), "text")).toThrow("ENOSPC");
  expect(readdirSync(folder)).toEqual([]);
});

vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  return { ...fs, writeFileSync: vi.fn(fs.writeFileSync) };
});

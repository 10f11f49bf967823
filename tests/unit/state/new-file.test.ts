import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { writeNewFile } from "../../../src/state/new-file.ts";
import { createFolder } from "../../support/folder.ts";

test("a file that was not there is written, and nothing beside it", () => {
  const folder = createFolder();
  expect(writeNewFile(join(folder, "a"), "text")).toBe(true);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("text");
  expect(readdirSync(folder)).toEqual(["a"]);
});

test("a file that is there stays", () => {
  const folder = createFolder({ a: "mine" });
  expect(writeNewFile(join(folder, "a"), "text")).toBe(false);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("mine");
  expect(readdirSync(folder)).toEqual(["a"]);
});

test("so does a link, and what it would lead to is not made", () => {
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

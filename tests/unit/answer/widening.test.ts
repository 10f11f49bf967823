import { symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { widenings } from "../../../src/run/read-settings.ts";
import type { Config } from "../../../src/config/schema.ts";
import { createFolder } from "../../support/folder.ts";

const file = (config: Config) => ({ path: "", text: "", config });
const widening = (root: string, allow: string[], user: Config = {}) =>
  widenings(root, { user: file(user), project: file({ "fs-guard": { read: { allow } } }) });

test.each([["./**"], ["**"], ["src/**"], ["src/**/*.ts"], ["./README.md"], ["./a/../b/**"], ["*.ts"]])("%s opens nothing that was not open", (pattern) => {
  expect(widening(createFolder({ "a/x": "" }), [pattern])).toEqual([]);
});

test.each([["/**"], ["/etc/**"], ["../**"], ["~/notes/**"], ["a/../../**"], ["README.md"], ["keys/"], [".env"], ["certs/server.pem"], [".ssh/keys/**"], ["*/keys/**"]])("%s may open more", (pattern) => {
  expect(widening(createFolder({ "a/x": "" }), [pattern])).toEqual([`read ${pattern}`]);
});

test("a folder that is a link out of the project may open more, no matter how harmless its name", () => {
  const root = createFolder();
  symlinkSync(homedir(), join(root, "docs"));
  expect(widening(root, ["./docs/**"])).toEqual(["read ./docs/**"]);
});

test("both accesses are looked at, the short form too", () => {
  const project = file({ "fs-guard": { allowed: ["/etc/**"] } });
  expect(widenings(createFolder(), { project })).toEqual(["read /etc/**", "write /etc/**"]);
});

test("refusals and an empty list open nothing", () => {
  const project = file({ "fs-guard": { read: { allow: [] }, denied: ["**"] } });
  expect(widenings(createFolder(), { project })).toEqual([]);
});

test("what the user's own settings open is no news, what they refuse stays refused", () => {
  const root = createFolder();
  expect(widening(root, ["/etc/**"], { "fs-guard": { allowed: ["/etc/**"] } })).toEqual([]);
  expect(widening(root, ["docs/a.md"], { "fs-guard": { denied: ["docs/**"] } })).toEqual(["read docs/a.md"]);
});

test("other settings that it may loosen are named by their key", () => {
  const project = file({ "fs-guard": { allowed: ["/etc/**"] }, limits: { max_file_size: 2 ** 28, max_blocks: 1 }, "allowed-actions": ["ls", "grep"] });
  const user = file({ "allowed-actions": ["ls"] });
  expect(widenings(createFolder(), { user, project })).toEqual(["read /etc/**", "write /etc/**", "allowed-actions", "limits.max_file_size"]);
});

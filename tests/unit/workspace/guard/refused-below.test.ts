import { symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { GuardRules } from "../../../../src/config/guard-rules.ts";
import { guardRules } from "../../../../src/config/guard-rules.ts";
import { createPolicy } from "../../../../src/workspace/guard/policy.ts";
import { refusedBelow } from "../../../../src/workspace/guard/refused-below.ts";
import { Disk } from "../../../../src/workspace/volume/disk.ts";
import { createFolder } from "../../../support/folder.ts";

function refusedWithPins(root: string, written: Parameters<typeof guardRules>[0] = {}) {
  const rules: GuardRules[] = [guardRules(written)];
  const policy = createPolicy(new Disk(), { root, home: "/nowhere", rules, platform: "linux", sealed: [], readOnly: [] });
  const { hidden, readOnly, writable, pinned } = refusedBelow(root, policy, rules, "/nowhere");
  const names = (paths: readonly string[]) => paths.map((path) => relative(root, path)).toSorted();
  return { hidden: names(hidden.map(({ path }) => path)), readOnly: names(readOnly), writable: names(writable), pinned: names(pinned) };
}

function refused(...args: Parameters<typeof refusedWithPins>) {
  const { pinned: _, ...rest } = refusedWithPins(...args);
  return rest;
}

const project = { "a.txt": "", ".env": "", "sub/.env.local": "", "sub/.env.example": "", ".git/config": "", "lib/.git/config": "", "loaf.yml": "", ".ssh/a/b": "", ".vscode/x.json": "" };

test("what the defaults refuse, at any depth", () => {
  expect(refused(createFolder(project))).toEqual({ hidden: [".env", ".ssh", "sub/.env.local"], readOnly: [".git", ".vscode", "lib/.git", "loaf.yml"], writable: [] });
});

test("a refused directory stands for all in it, but for what a rule opens again", () => {
  const root = createFolder({ "private/a": "", "private/deep/b": "", "private/open/c": "" });
  expect(refused(root, { denied: ["private/**"] })).toEqual({ hidden: ["private"], readOnly: ["private"], writable: [] });
  expect(refused(root, { denied: ["private/**"], allowed: ["./**", "private/open/**"] })).toEqual({ hidden: ["private/a", "private/deep"], readOnly: ["private"], writable: ["private/open"] });
});

test("where only some is allowed, the rest is refused", () => {
  const root = createFolder({ "src/a": "", "docs/b": "", "c": "" });
  expect(refused(root, { allowed: ["./src/**"] })).toEqual({ hidden: ["c", "docs"], readOnly: [""], writable: ["src"] });
  expect(refused(root, { read: { allow: [] } }).hidden).toEqual([""]);
});

test("patterns of names, and names that other systems take for a refused one", () => {
  const root = createFolder({ "a/x.secret": "", "b/y.SECRET": "", ".GIT/config": "", "c/plan.md": "" });
  expect(refused(root, { denied: ["**/*.secret", "c/*.md"] })).toEqual({ hidden: ["a/x.secret", "c/plan.md"], readOnly: [".GIT", "a/x.secret", "c/plan.md"], writable: [] });
});

test("a socket leads out of any sandbox", async () => {
  const root = createFolder({ "a": "" });
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(join(root, "s"), resolve));
  expect(refused(root).hidden).toEqual(["s"]);
});

test("a directory by whose name something below it is refused is pinned, and no other", () => {
  const root = createFolder({ "a/b/private/s": "", "a/b/open": "", "c/docs/d": "", "e/.env": "", "node_modules/x/test.pem": "", "f/.vscode/g": "" });
  expect(refusedWithPins(root).pinned).toEqual([]);
  expect(refusedWithPins(root, { read: { deny: ["a/b/private/**"] } })).toMatchObject({ hidden: ["a/b/private", "e/.env", "node_modules/x/test.pem"], pinned: ["a", "a/b"] });
  expect(refusedWithPins(root, { write: { deny: ["c/docs/**"] } }).pinned).toEqual(["c"]);
  expect(refusedWithPins(root, { read: { deny: ["**/private/**", "**/*.pem"] } }).pinned).toEqual([]);
  expect(refusedWithPins(root, { read: { deny: ["**/b/private/**"] } }).pinned).toEqual(["a/b"]);
  expect(refusedWithPins(root, { read: { deny: ["*/b/private/**"] } }).pinned).toEqual(["a", "a/b"]);
  // Read-only already: mounted anew it would be writable.
  expect(refusedWithPins(root, { read: { deny: ["a/b/private/**"] }, write: { deny: ["a/**"] } }).pinned).toEqual([]);
});

test("where a link leads to is refused like what the rule names, and so is what controls Loaf", () => {
  const root = createFolder({ "data/real/s": "", "kept/settings.yml": "", "repository/config": "" });
  symlinkSync("data/real", join(root, "private"));
  symlinkSync("kept/settings.yml", join(root, "loaf.yml"));
  symlinkSync("repository", join(root, ".git"));
  expect(refused(root, { read: { deny: ["private/**"] } })).toEqual({ hidden: ["data/real"], readOnly: ["kept/settings.yml", "repository"], writable: [] });
});

test("what is read-only in a directory that is hidden is no place of its own", () => {
  const root = createFolder({ "private/.vscode/a": "", "b": "" });
  expect(refused(root, { read: { deny: ["private/**"] } })).toEqual({ hidden: ["private"], readOnly: [], writable: [] });
});

test("what git would run in the project is read-only, by whatever name", () => {
  const root = createFolder({ "hooks.d/pre-commit": "", "deep/inc": "", "a": "" });
  const executed = [join(root, "hooks.d"), join(root, "deep/inc")];
  const rules: GuardRules[] = [guardRules()];
  const policy = createPolicy(new Disk(), { root, home: "/nowhere", executed, rules, platform: "linux", sealed: [], readOnly: [] });
  expect(refusedBelow(root, policy, rules, "/nowhere", executed).readOnly.toSorted()).toEqual(executed.toSorted());
});

import { createServer } from "node:net";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { GuardRules } from "../../../../src/config/guard-rules.ts";
import { guardRules } from "../../../../src/config/guard-rules.ts";
import { createPolicy } from "../../../../src/workspace/guard/policy.ts";
import { refusedBelow } from "../../../../src/workspace/guard/refused-below.ts";
import { Disk } from "../../../../src/workspace/volume/disk.ts";
import { createFolder } from "../../../support/folder.ts";

function refused(root: string, written: Parameters<typeof guardRules>[0] = {}) {
  const rules: GuardRules[] = [guardRules(written)];
  const policy = createPolicy(new Disk(), { root, home: "/nowhere", rules, platform: "linux", sealed: [], readOnly: [] });
  const { hidden, readOnly, writable } = refusedBelow(root, policy, rules);
  const names = (paths: readonly string[]) => paths.map((path) => relative(root, path)).toSorted();
  return { hidden: names(hidden.map(({ path }) => path)), readOnly: names(readOnly), writable: names(writable) };
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

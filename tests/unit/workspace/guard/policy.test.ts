import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rememberPolicy } from "../../../../src/workspace/guard/policy.ts";
import { Disk } from "../../../../src/workspace/volume/disk.ts";
import { createFolder } from "../../../support/folder.ts";
import { createProject, DEFAULTS } from "../project.ts";

test.each([".env", ".env.local", "deep/.env", "server.pem", "k/x.key", "id_rsa", "id_ed25519.pub", ".ssh/config", "x/.aws/credentials", ".npmrc"])("%s is not read by default", (path) => {
  const { guard, at } = createProject();
  expect(guard.refusal(at(path), "read")).toMatch(/^deny /);
  expect(guard.refusal(at(path), "write")).toBeUndefined();
});

test.each([".env.example", ".env.sample", "deep/.env.template", "environment", "keys.ts", "a.txt", ""])("%j is read by default", (path) => {
  const { guard, at } = createProject();
  expect(guard.refusal(at(path), "read")).toBeUndefined();
});

test.each([".gitmodules", ".husky/pre-commit", ".vscode/tasks.json", "sub/.idea/x.xml", ".claude/settings.json", ".mcp.json", ".bashrc", "home/.zshrc"])("%s is not written by default", (path) => {
  const { guard, at } = createProject();
  expect(guard.refusal(at(path), "write")).toMatch(/^deny /);
  expect(guard.refusal(at(path), "read")).toBeUndefined();
});

test(".envrc, which a shell runs, is neither read nor written by default", () => {
  const { guard, at } = createProject();
  expect(guard.refusal(at(".envrc"), "read")).toBe("deny **/.env*");
  expect(guard.refusal(at(".envrc"), "write")).toBe("deny **/.envrc");
});

test("an exact permission overrides a default refusal, a general one does not", () => {
  const { guard, at } = createProject({}, { rules: [{ read: { allow: ["./**", "./.env"] }, write: { allow: ["./**", ".vscode/tasks.json"] } }] });
  expect(guard.refusal(at(".env"), "read")).toBeUndefined();
  expect(guard.refusal(at("sub/.env"), "read")).toBe("deny **/.env*");
  expect(guard.refusal(at(".vscode/tasks.json"), "write")).toBeUndefined();
  expect(guard.refusal(at(".vscode/launch.json"), "write")).toBe("deny **/.vscode/**");
});

test("absent lists mean the defaults, empty ones nothing; refusals add to the defaults", () => {
  const { guard, at } = createProject({}, { rules: [{ read: { deny: [] }, write: { allow: [] } }] });
  expect(guard.refusal(at(".env"), "read")).toBe("deny **/.env*");
  expect(guard.refusal(at("a.txt"), "read")).toBeUndefined();
  expect(guard.refusal(at("a.txt"), "write")).toBe("no allow rule");
  const more = createProject({}, { rules: [{ read: { deny: ["docs/**"] }, write: {} }] });
  expect(more.guard.refusal(more.at("docs/x"), "read")).toBe("deny docs/**");
  expect(more.guard.refusal(more.at(".env"), "read")).toBe("deny **/.env*");
});

test("the exceptions of the default `.env*` are no exceptions of one's own", () => {
  const { guard, at } = createProject({}, { rules: [{ read: { deny: ["**/.env*"] }, write: {} }] });
  expect(guard.refusal(at(".env.example"), "read")).toBe("deny **/.env*");
});

test("several rule sets: only what every one allows", () => {
  const wide = { read: { allow: ["/**"] }, write: { allow: ["/**"], deny: ["./no/**"] } };
  const { guard, at } = createProject({}, { rules: [DEFAULTS, wide] });
  expect(guard.refusal("/elsewhere/x", "read")).toBe("no allow rule");
  expect(guard.refusal(at("no/x"), "write")).toBe("deny ./no/**");
  expect(guard.refusal(at("yes/x"), "write")).toBeUndefined();
});

test("where patterns begin", () => {
  const { guard, at, directory } = createProject({}, { rules: [{ read: { allow: ["a/*.txt", "./b/", "~/notes/**", "/opt/x/**", "../beside/**", "**/any.md"] }, write: {} }] });
  const readable = (path: string): boolean => guard.refusal(path, "read") === undefined;
  for (const path of [at("a/x.txt"), at("b"), at("b/c/d"), `${directory}/home/notes/n`, "/opt/x", `${directory}/beside/y`, at("deep/er/any.md")]) expect([path, readable(path)]).toEqual([path, true]);
  for (const path of [at("sub/a/x.txt"), at("a/b/x.txt"), "/home/notes/n", "/opt/xy", "/elsewhere/any.md"]) expect([path, readable(path)]).toEqual([path, false]);
});

test("a refusal at any depth also holds in an allowed folder outside the root", () => {
  const { guard } = createProject({}, { rules: [{ read: { allow: ["/opt/**"] }, write: {} }] });
  expect(guard.refusal("/opt/x/.ssh/id", "read")).toBe("deny **/.ssh/**");
});

test("`**` is special only as a whole name", () => {
  const { guard, at } = createProject({}, { rules: [{ read: { deny: ["**.txt"] }, write: {} }] });
  expect(guard.refusal(at("a.txt"), "read")).toBe("deny **.txt");
  expect(guard.refusal(at("sub/a.txt"), "read")).toBeUndefined();
});

test("pattern characters in the root's own path are inert", () => {
  const p = createProject({ "a.txt": "a" }, { rootName: "we[i]rd{a,b}*?" });
  expect(p.files.read("a.txt")).toBe("a");
  expect(p.guard.refusal(`${p.directory}/weird{a,b}xy/a.txt`, "read")).toBe("no allow rule");
});

test("the links in a pattern's beginning are resolved", () => {
  const tree = { "../real/x.txt": "x", "linked": { link: "../real" } };
  const opened = createProject(tree, { rules: [{ read: { allow: ["./linked/**"] }, write: {} }] });
  expect(opened.files.read("linked/x.txt")).toBe("x");
  const closed = createProject({ "real/x.txt": "x", linked: { link: "real" } }, { rules: [{ read: {}, write: { deny: ["./linked/**"] } }] });
  expect(closed.guard.refusal(closed.at("real/x.txt"), "write")).toBe("deny ./linked/**");
  expect(closed.guard.refusal(closed.at("linked"), "write")).toBe("deny ./linked/**");
});

test("a root that is reached through a link", () => {
  const { directory, root } = createProject({ "a.txt": "a" });
  symlinkSync(root, `${directory}/link`);
  const p = createProject({}, { rules: [{ read: { allow: [`${directory}/link/**`] }, write: {} }] });
  expect(p.files.read(`${directory}/link/a.txt`)).toBe("a");
});

test("on macOS composed and decomposed names are one name", () => {
  const { guard, at } = createProject({}, { platform: "darwin", rules: [{ read: { deny: ["caf\u00e9/**"] }, write: {} }] });
  expect(guard.refusal(at("cafe\u0301/x"), "read")).toBe("deny caf\u00e9/**");
});

test.each(["darwin", "win32"] as const)("on %s names that differ only in case are one name", (platform) => {
  const { guard, at } = createProject({}, { platform, rules: [{ read: { deny: ["./Secret/*.TXT"] }, write: {} }] });
  expect(guard.refusal(at(".ENV"), "read")).toBe("deny **/.env*");
  expect(guard.refusal(at("k/ID_RSA"), "read")).toBe("deny **/id_rsa*");
  expect(guard.refusal(at("secret/a.txt"), "read")).toBe("deny ./Secret/*.TXT");
  expect(guard.refusal(at("README.md"), "read")).toBeUndefined();
});

describe("a policy that is remembered from run to run", () => {
  const start = () => {
    const root = createFolder({ "real/a.txt": "", "other/a.txt": "", "git/config": "", "moved/config": "", ".git": "gitdir: git\n" });
    symlinkSync("real", join(root, "link"));
    const rules = [{ read: { deny: ["link/**", "later/**"] }, write: {} }];
    const makePolicy = rememberPolicy();
    return { root, next: () => makePolicy(new Disk(), { root, home: "/nowhere", rules, sealed: [], readOnly: [], platform: "linux" }) };
  };

  test("is the same one as long as all that it was made from is", () => {
    const { root, next } = start();
    const first = next();
    writeFileSync(join(root, "real/b.txt"), "");
    expect(next()).toBe(first);
  });

  test.each([
    ["a link leads elsewhere", (root: string) => (rmSync(join(root, "link")), symlinkSync("other", join(root, "link"))), "other/a.txt", "read"],
    ["what was missing is a link", (root: string) => symlinkSync("other", join(root, "later")), "other/a.txt", "read"],
    ["a directory on the way is a link", (root: string) => (renameSync(join(root, "real"), join(root, "away")), symlinkSync("other", join(root, "real"))), "other/a.txt", "read"],
    ["git keeps its own elsewhere", (root: string) => writeFileSync(join(root, ".git"), "gitdir: moved\n"), "moved/config", "write"],
    ["git's own directory names another", (root: string) => writeFileSync(join(root, "git/commondir"), "../moved\n"), "moved/config", "write"],
    ["loaf.yml is a link", (root: string) => symlinkSync("other/a.txt", join(root, "loaf.yml")), "other/a.txt", "write"],
  ] as const)("is another one when %s", (_, change, path, access) => {
    const { root, next } = start();
    expect(next()(join(root, path), access)).toBeUndefined();
    change(root);
    expect(next()(join(root, path), access)).toMatch(/^deny /);
  });

  test("is another one when a directory comes to be where nothing was, or cannot be looked into", () => {
    const { root, next } = start();
    const first = next();
    mkdirSync(join(root, "later"));
    const second = next();
    expect(second).not.toBe(first);
    expect(next()).toBe(second);
  });
});

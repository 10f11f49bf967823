import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPolicy } from "../../../src/guard/policy.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { createFolder } from "../../support/folder.ts";
import { createProject, DEFAULTS } from "../files/project.ts";

const optionsOf = ({ root, directory }: { root: string; directory: string }) => ({ root, home: join(directory, "home"), platform: "linux", sealed: [], readOnly: [] }) as const;

test.each([".env", ".env.local", "deep/.env", "server.pem", "k/x.key", "id_rsa", "id_dsa", "id_ecdsa.old", "id_ed25519.pub", ".ssh/config", "x/.aws/credentials", ".netrc", "x/.git-credentials", ".kube/config", ".docker/config.json", ".env.d/x"])("%s is not read by default", (path) => {
  const { guard, at } = createProject();
  expect(guard.refusal(at(path), "read")).toMatch(/^deny /);
  expect(guard.refusal(at(path), "write")).toBeUndefined();
});

test.each([".env.example", ".env.sample", "deep/.env.template", ".docker/daemon.json", ".netrc.md", "environment", "keys.ts", "a.txt", ""])("%j is read by default", (path) => {
  const { guard, at } = createProject();
  expect(guard.refusal(at(path), "read")).toBeUndefined();
});

const OBEYED = [
  ".gitmodules", ".gitconfig", ".husky/pre-commit", ".githooks/pre-commit", ".pre-commit-config.yaml", "lefthook.yml", ".vscode/tasks.json", "sub/.idea/x.xml", ".claude/settings.json",
  ".cursor/mcp.json", ".gemini/settings.json", ".mcp.json", ".yarnrc.yml", ".cargo/config.toml", "sub/.cargo/config", ".github/workflows/ci.yml", ".github/workflows", ".bashrc", "home/.zshrc", ".hg/hgrc",
  ".envrc", "lefthook.yaml", ".lefthook.yml", "lefthook-local.yml", ".lefthook/pre-commit/a.sh", ".yarnrc", ".npmrc", ".jj/repo", ".sl/config", ".svn/x", ".bzr/x",
  ".profile", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".xprofile", ".xinitrc",
];

test.each(OBEYED)("%s is not written by default", (path) => {
  const { guard, at } = createProject();
  expect(guard.refusal(at(path), "write")).toMatch(/^deny /);
});

test.each([".github/dependabot.yml", ".github", ".cargo/audit.toml", "docs/lefthook/a.md", "workflows/a.yml"])("%s is written by default", (path) => {
  const { guard, at } = createProject();
  expect(guard.refusal(at(path), "write")).toBeUndefined();
});

test(".envrc and .npmrc are neither read nor written by default", () => {
  const { guard, at } = createProject();
  expect(guard.refusal(at(".npmrc"), "read")).toBe("deny **/.npmrc");
  expect(guard.refusal(at(".npmrc"), "write")).toBe("deny **/.npmrc");
  expect(guard.refusal(at(".envrc"), "read")).toBe("deny **/.env*");
  expect(guard.refusal(at(".envrc"), "write")).toBe("deny **/.envrc*");
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

test("the exceptions of the default `.env*` do not apply to a configured one", () => {
  const { guard, at } = createProject({}, { rules: [{ read: { deny: ["**/.env*"] }, write: {} }] });
  expect(guard.refusal(at(".env.example"), "read")).toBe("deny **/.env*");
});

test("with several rule sets, all must allow an access", () => {
  const wide = { read: { allow: ["/**"] }, write: { allow: ["/**"], deny: ["./no/**"] } };
  const { guard, at } = createProject({}, { rules: [DEFAULTS, wide] });
  expect(guard.refusal("/elsewhere/x", "read")).toBe("no allow rule");
  expect(guard.refusal(at("no/x"), "write")).toBe("deny ./no/**");
  expect(guard.refusal(at("yes/x"), "write")).toBeUndefined();
});

test("the base of patterns", () => {
  const { guard, at, directory } = createProject({}, { rules: [{ read: { allow: ["a/*.txt", "./b/", "~/notes/**", "/opt/x/**", "../beside/**", "**/any.md"] }, write: {} }] });
  const readable = (path: string): boolean => guard.refusal(path, "read") === undefined;
  for (const path of [at("a/x.txt"), at("b"), at("b/c/d"), `${directory}/home/notes/n`, "/opt/x", `${directory}/beside/y`, at("deep/er/any.md")]) expect([path, readable(path)]).toEqual([path, true]);
  for (const path of [at("sub/a/x.txt"), at("a/b/x.txt"), "/home/notes/n", "/opt/xy", "/elsewhere/any.md"]) expect([path, readable(path)]).toEqual([path, false]);
});

test("a refusal for any depth also applies in an allowed folder outside the root", () => {
  const { guard } = createProject({}, { rules: [{ read: { allow: ["/opt/**"] }, write: {} }] });
  expect(guard.refusal("/opt/x/.ssh/id", "read")).toBe("deny **/.ssh/**");
});

test("`**` is special only as a whole name", () => {
  const { guard, at } = createProject({}, { rules: [{ read: { deny: ["**.txt"] }, write: {} }] });
  expect(guard.refusal(at("a.txt"), "read")).toBe("deny **.txt");
  expect(guard.refusal(at("sub/a.txt"), "read")).toBe("deny **.txt");
  expect(guard.refusal(at("sub/a.md"), "read")).toBeUndefined();
});

test("a refusal with a leading slash applies at the top of the file system and, as in an ignore file, in the root", () => {
  const { guard, at } = createProject({}, { rules: [{ read: { allow: ["./**", "/opt/**"], deny: ["/secrets", "/docs/*.md", "/opt/x"] }, write: {} }] });
  for (const path of ["secrets", "secrets/a", "docs/a.md"]) expect(guard.refusal(at(path), "read")).toMatch(/^deny \/(secrets|docs)/);
  for (const path of ["sub/secrets", "docs/a.txt"]) expect(guard.refusal(at(path), "read")).toBeUndefined();
  expect(guard.refusal("/secrets/a", "read")).toBeDefined();
  expect(guard.refusal("/opt/x/a", "read")).toBe("deny /opt/x");
});

test("brackets in a refusal match a set, and literally; in a permission only literally", () => {
  const { guard, at } = createProject({}, { rules: [{ read: { allow: ["./**"], deny: ["[s]ecrets", "lib/*.[oa]", "[!a]b", "app/[id]"] }, write: {} }] });
  for (const path of ["secrets", "sub/secrets/a", "[s]ecrets", "lib/x.o", "lib/x.a", "cb", "app/[id]/page", "app/i"]) expect([path, guard.refusal(at(path), "read")]).toEqual([path, expect.stringMatching(/^deny /)]);
  for (const path of ["ecrets", "lib/x.c", "ab", "app/x"]) expect([path, guard.refusal(at(path), "read")]).toEqual([path, undefined]);
  const opened = createProject({}, { rules: [{ read: { allow: ["app/[id]/**"] }, write: {} }] });
  expect(opened.guard.refusal(opened.at("app/[id]/page"), "read")).toBeUndefined();
  expect(opened.guard.refusal(opened.at("app/i/page"), "read")).toBe("no allow rule");
});

describe("a pattern without an inner slash", () => {
  const rules = (allow: string[], deny: string[]) => createProject({}, { rules: [{ read: { allow, deny }, write: {} }] });

  test("applies at any depth; a permission never outside the root", () => {
    const { guard, at } = rules(["src", "*.md", "lib/"], ["private"]);
    for (const path of ["src", "src/a", "x/src/a", "x/y.md", "x/y.md/z", "lib/a", "x/lib"]) expect([path, guard.refusal(at(path), "read")]).toEqual([path, undefined]);
    for (const path of ["a", "x/y.txt"]) expect([path, guard.refusal(at(path), "read")]).toEqual([path, "no allow rule"]);
    expect(guard.refusal(at("src/private/a"), "read")).toBe("deny private");
    expect(guard.refusal("/elsewhere/src/a", "read")).toBe("no allow rule");
  });

  test("is exact at the root: overrides default refusals there, but not below", () => {
    const { guard, at } = rules(["./**", ".env"], []);
    expect(guard.refusal(at(".env"), "read")).toBeUndefined();
    expect(guard.refusal(at("sub/.env"), "read")).toBe("deny **/.env*");
    const both = rules(["./**", "./.env"], [".env"]);
    expect(both.guard.refusal(both.at(".env"), "read")).toBe("deny .env");
  });

  test("is refused as exactly as one with `/**`", () => {
    for (const written of ["./.env", "./.env/", "./.env/**"]) {
      const { guard, at } = rules(["./**", "./.env"], [written]);
      expect(guard.refusal(at(".env"), "read")).toBe(`deny ${written}`);
    }
  });
});

test("a permission for a folder covers it, but one for `x/**` is not exact for x", () => {
  const { guard, at } = createProject({}, { rules: [{ read: { allow: ["./**", "./.ssh", "./k/.aws/**"] }, write: {} }] });
  expect(guard.refusal(at(".ssh"), "read")).toBeUndefined();
  expect(guard.refusal(at(".ssh/id"), "read")).toBe("deny **/.ssh/**");
  expect(guard.refusal(at("k/.aws"), "read")).toBe("deny **/.aws/**");
});

describe("a refused folder above the root", () => {
  test("refuses the whole root, unless the user's own permission is more specific", () => {
    const base = createProject();
    const deny = [`${base.directory}/**`];
    expect(createPolicy(new Disk(), { ...optionsOf(base), rules: [{ read: { deny }, write: {} }] })(base.at("a"), "read")).toBe(`deny ${deny[0]}`);
    expect(createPolicy(new Disk(), { ...optionsOf(base), rules: [{ read: { allow: ["./**"], deny }, write: {} }] })(base.at("a"), "read")).toBeUndefined();
  });

  test("is not meant by a bare name that also occurs above the root", () => {
    const base = createProject();
    const policy = createPolicy(new Disk(), { ...optionsOf(base), rules: [{ read: { deny: [basename(base.directory)] }, write: {} }] });
    expect(policy(base.at("a"), "read")).toBeUndefined();
    expect(policy(base.at(`${basename(base.directory)}/a`), "read")).toBe(`deny ${basename(base.directory)}`);
  });
});

test("files that git would run are not writable, unless permitted by their path", () => {
  const { root } = createProject();
  const at = (path: string) => join(root, path);
  const executed = [at("hooks.d"), at("config/git.inc")];
  const policy = (allow?: string[]) => createPolicy(new Disk(), { root, home: "/h", executed, rules: [{ read: {}, write: { ...(allow && { allow }) } }], platform: "linux", sealed: [], readOnly: [] });
  expect(policy()(at("hooks.d/pre-commit"), "write")).toBe(`deny ${at("hooks.d")}`);
  expect(policy()(at("config/git.inc"), "write")).toBe(`deny ${at("config/git.inc")}`);
  expect(policy()(at("hooks.d/pre-commit"), "read")).toBeUndefined();
  expect(policy(["./**", "./config/git.inc"])(at("config/git.inc"), "write")).toBeUndefined();
});

test("pattern characters in the root's path are literal", () => {
  const p = createProject({ "a.txt": "a" }, { rootName: "we[i]rd{a,b}*?" });
  expect(p.files.read("a.txt")).toBe("a");
  expect(p.guard.refusal(`${p.directory}/weird{a,b}xy/a.txt`, "read")).toBe("no allow rule");
});

test("resolves links in the literal prefix of a pattern", () => {
  const tree = { "../real/x.txt": "x", "linked": { link: "../real" } };
  const opened = createProject(tree, { rules: [{ read: { allow: ["./linked/**"] }, write: {} }] });
  expect(opened.files.read("linked/x.txt")).toBe("x");
  const closed = createProject({ "real/x.txt": "x", linked: { link: "real" } }, { rules: [{ read: {}, write: { deny: ["./linked/**"] } }] });
  expect(closed.guard.refusal(closed.at("real/x.txt"), "write")).toBe("deny ./linked/**");
  expect(closed.guard.refusal(closed.at("linked"), "write")).toBe("deny ./linked/**");
});

test("a link in the root on the path of a refusal with a leading slash cannot be changed", () => {
  const { guard, at } = createProject({ "vault/a": "x", lnk: { link: "vault" } }, { rules: [{ read: { deny: ["/lnk"] }, write: {} }] });
  expect(guard.refusal(at("vault/a"), "read")).toBe("deny /lnk");
  expect(guard.refusal(at("lnk"), "write", "itself")).toBe("deny /lnk");
});

test.each([["/*.conf", "a.conf", "sub/a.conf"], ["/*/b.conf", "sub/b.conf", "b.conf"], ["/?.conf", "a.conf", "sub/a.conf"]])("a refusal of %s applies in the root as well", (pattern, refused, open) => {
  const { guard, at } = createProject({}, { rules: [{ read: { deny: [pattern] }, write: {} }] });
  expect(guard.refusal(at(refused), "read")).toBe(`deny ${pattern}`);
  expect(guard.refusal(at(open), "read")).toBeUndefined();
});

test("a root given through a link", () => {
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

describe("the policy of the next run", () => {
  const start = () => {
    const root = createFolder({ "real/a.txt": "", "other/a.txt": "", "git/config": "", "moved/config": "", ".git": "gitdir: git\n" });
    symlinkSync("real", join(root, "link"));
    const rules = [{ read: { deny: ["link/**", "later/**"] }, write: {} }];
    return { root, next: () => createPolicy(new Disk(), { root, home: "/nowhere", rules, sealed: [], readOnly: [], platform: "linux" }) };
  };

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
});

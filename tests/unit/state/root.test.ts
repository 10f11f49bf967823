import { chmodSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Loaf } from "../../../src/loaf.ts";
import { canonicalDirectory, findRoot, refuseRoot } from "../../../src/state/root.ts";
import { createFolder } from "../../support/folder.ts";

test("the nearest parent with a loaf.yml", () => {
  const folder = createFolder({ "loaf.yml": "", "packages/a/loaf.yml": "", "packages/a/src/x.ts": "", "packages/b/x.ts": "" });
  expect(findRoot(join(folder, "packages/a/src"))).toBe(join(folder, "packages/a"));
  expect(findRoot(join(folder, "packages/b"))).toBe(folder);
});

test("the nearest parent with a .git, which is a file in a linked work tree", () => {
  const folder = createFolder({ "clone/.git/HEAD": "", "clone/src/x.ts": "", "tree/.git": "gitdir: ../clone/.git", "tree/src/x.ts": "" });
  expect(findRoot(join(folder, "clone/src"))).toBe(join(folder, "clone"));
  expect(findRoot(join(folder, "tree/src"))).toBe(join(folder, "tree"));
});

test("otherwise the folder itself", () => {
  const folder = createFolder({ "a/b/x.ts": "" });
  expect(findRoot(join(folder, "a/b"))).toBe(join(folder, "a/b"));
});

test("links are resolved", () => {
  const folder = createFolder({ "real/x.ts": "" });
  symlinkSync(join(folder, "real"), join(folder, "link"));
  expect(findRoot(join(folder, "link"))).toBe(join(folder, "real"));
  expect(canonicalDirectory(join(folder, "link"))).toBe(join(folder, "real"));
});

test("a file or a missing path is no directory", () => {
  const folder = createFolder({ file: "" });
  expect(canonicalDirectory(join(folder, "file"))).toBeUndefined();
  expect(canonicalDirectory(join(folder, "nothing"))).toBeUndefined();
});

describe.skipIf(process.platform === "win32")("a folder shared by all users", () => {
  const shared = (files: Record<string, string>) => {
    const folder = createFolder(files);
    chmodSync(folder, 0o1777);
    return folder;
  };

  test("is refused", () => {
    const folder = shared({ "loaf.yml": "" });
    expect(() => findRoot(folder)).toThrow(`'${folder}' is shared by all users of this machine, so everybody's files in it would be the project`);
  });

  test("gives no project its loaf.yml or .git, which anybody may have put there", () => {
    const folder = shared({ "loaf.yml": "", ".git/HEAD": "", "mine/a/b.md": "" });
    expect(findRoot(join(folder, "mine/a"))).toBe(join(folder, "mine/a"));
  });
});

describe("99: a home folder", () => {
  const home = (files: Record<string, string>) => {
    const folder = createFolder(files);
    vi.stubEnv("HOME", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    return folder;
  };
  const wide = (path: string) => `'${path}' is your home folder or contains it, so everything in it would be the project: change to the project's folder, or name one with --root`;

  test("is no project, even with a .git or a loaf.yml", () => {
    const folder = home({ ".git/HEAD": "", "loaf.yml": "", "notes/a/b.md": "" });
    expect(findRoot(join(folder, "notes"))).toBe(join(folder, "notes"));
    expect(findRoot(join(folder, "notes/a"))).toBe(join(folder, "notes/a"));
  });

  test("is refused, and so are its parents", () => {
    const folder = home({ "loaf.yml": "" });
    for (const path of [folder, dirname(folder), "/"]) expect(() => findRoot(path)).toThrow(wide(path));
  });

  test("is recognised by another name too", () => {
    const folder = createFolder({ "real/notes/a": "" });
    symlinkSync(join(folder, "real"), join(folder, "link"));
    vi.stubEnv("HOME", join(folder, "link"));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => findRoot(join(folder, "real"))).toThrow(wide(join(folder, "real")));
    expect(findRoot(join(folder, "link/notes"))).toBe(join(folder, "real/notes"));
  });

  test.runIf(process.platform !== "win32")("of the account counts if HOME names another one", () => {
    vi.stubEnv("HOME", createFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const account = realpathSync(userInfo().homedir);
    expect(() => findRoot(account)).toThrow(wide(account));
  });

  test("does not matter if it is beside the project, or missing", () => {
    home({});
    const folder = createFolder({ ".git/HEAD": "", "src/a": "" });
    expect(findRoot(join(folder, "src"))).toBe(folder);
    vi.stubEnv("HOME", join(folder, "missing/home"));
    expect(findRoot(join(folder, "src"))).toBe(join(folder, "src"));
  });
});

describe("99: a state folder in the project", () => {
  const refused = (root: string, state: string) => {
    vi.stubEnv("XDG_STATE_HOME", state);
    onTestFinished(() => void vi.unstubAllEnvs());
    return () => refuseRoot(root);
  };

  test("is refused, whether it exists or not, with advice", () => {
    const root = createFolder();
    for (const state of [join(root, "state"), root, join(root, "a/b/c")]) {
      expect(refused(root, state)).toThrow(`Loaf's state folder '${join(state, "loaf")}' lies in the project '${root}': set XDG_STATE_HOME to a folder outside it, or name a smaller project with --root`);
    }
  });

  test("is found through a link", () => {
    const root = createFolder({ "real/a": "" });
    const beside = createFolder();
    symlinkSync(join(root, "real"), join(beside, "link"));
    expect(refused(root, join(beside, "link"))).toThrow("lies in the project");
  });

  test("is accepted beside it", () => {
    const root = createFolder();
    expect(refused(root, `${root}-state`)).not.toThrow();
    expect(refused(root, createFolder())).not.toThrow();
  });

  test("makes the library fail before it does anything", async () => {
    const root = createFolder();
    refused(root, join(root, "state"));
    await expect(Loaf.create({ repoPath: root, createConfigIfMissing: true })).rejects.toThrow("lies in the project");
    expect(readdirSync(root)).toEqual([]);
  });
});

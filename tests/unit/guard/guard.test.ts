/** The numbered cases are those of docs/security-cases.md. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, linkSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failed, nextStep } from "../../../src/core/failure.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import type { Volume } from "../../../src/disk/volume.ts";
import { createProject, grow, outcomeOf, type Project, type ProjectOptions, temporaryDirectory, type Tree } from "../files/project.ts";

const DENIED = /^fs-guard violation: /;
const everything = { rules: [{ read: { allow: ["/**"] }, write: { allow: ["/**"] } }] };

/** Every action that could do harm at a path. All must be refused in the same way. */
function expectDenied({ files }: Project, path: string, kinds: readonly ("read" | "write")[] = ["read", "write"]): void {
  const reads = [() => files.read(path), () => files.list(path)];
  const writes = [
    () => files.write(path, "x"),
    () => files.append(path, "x"),
    () => files.remove(path),
    () => files.createDirectory(path),
    () => files.removeDirectory(path),
    () => files.move(path, "free.txt"),
    () => files.move("a.txt", path),
  ];
  const all = [...(kinds.includes("read") ? reads : []), ...(kinds.includes("write") ? writes : []), () => files.edit(path, () => ({ splices: [] }))];
  for (const act of all) expect(outcomeOf(act), String(act)).toMatch(DENIED);
}

const A_FILE: Tree = { "a.txt": "a\n" };

describe.each<[string, ProjectOptions["volume"]]>([
  ["on the disk", undefined],
  ["on an overlay", (disk) => new Overlay(disk)],
])("%s", (_, volume) => {
  const project = (tree: Tree = {}, options: ProjectOptions = {}): Project => createProject({ ...A_FILE, ...tree }, { ...(volume && { volume }), ...options });

  test("1: `..` out of the root", () => {
    expectDenied(project({ "../secret.txt": "s" }), "../secret.txt");
    expectDenied(project(), "../../etc/passwd");
  });

  test("2: a sibling whose name starts with the root's", () => {
    expectDenied(project({ "../project-evil/x": "s" }), "../project-evil/x");
  });

  test("3: `..` after a link resolves as in the kernel", () => {
    const { files } = project({ "../elsewhere/inner/a.txt": "secret", "../elsewhere/x.txt": "secret", "src/link": { link: "../../elsewhere/inner" }, "src/x.txt": "mine", "deep/er/y.txt": "y", near: { link: "deep/er" }, "deep/z.txt": "z" });
    expect(outcomeOf(() => files.read("src/link/../x.txt"))).toMatch(DENIED);
    expect(files.read("near/../z.txt")).toBe("z");
    expect(outcomeOf(() => files.read("a.txt/../a.txt"))).toBe("ENOTDIR: not a directory, open 'a.txt/../a.txt'");
  });

  test("`..` after a missing directory is refused", () => {
    const { files, root } = project();
    expect(outcomeOf(() => files.read("nope/../a.txt"))).toBe("ENOENT: no such file or directory, open 'nope/../a.txt'");
    expect(outcomeOf(() => files.write("nope/../b.txt", "x"))).toBe("ENOENT: no such file or directory, open 'nope/../b.txt'");
    expect(outcomeOf(() => files.read("nope/../../../etc/passwd"))).toMatch(/^ENOENT/);
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  test("4: a parent that is a link leading out of the root", () => {
    const p = project({ "../out/s.txt": "secret", link: { link: "../out" } });
    expectDenied(p, "link/s.txt");
    expectDenied(p, "link/new.txt");
  });

  test("4: discloses nothing about the existence, kind or size of files behind it", () => {
    const p = project({ "../out/large.txt": "x".repeat(2 ** 20 + 1), "../out/d": null, link: { link: "../out" } });
    const told = (path: string): unknown[] => {
      const acts = [() => p.files.read(path), () => p.files.write(path, "x"), () => p.files.append(path, "x"), () => p.files.edit(path, () => ({ splices: [] })), () => p.files.remove(path)];
      return acts.map((act) => outcomeOf(act));
    };
    for (const path of ["link/large.txt", "link/d"]) expect(told(path).map((text) => String(text).replace(path, "link/missing"))).toEqual(told("link/missing"));
  });

  test("5: a file that is a link leading out of the root", () => {
    const { files, directory } = project({ "../s.txt": "secret", "link.txt": { link: "../s.txt" } });
    for (const act of [() => files.read("link.txt"), () => files.write("link.txt", "x"), () => files.append("link.txt", "x"), () => files.edit("link.txt", () => ({ splices: [] }))]) {
      expect(outcomeOf(act)).toMatch(DENIED);
    }
    expect(readFileSync(join(directory, "s.txt"), "utf8")).toBe("secret");
  });

  test("6: a link that stays inside: the target changes, the link does not", () => {
    const { files } = project({ "link.txt": { link: "a.txt" } });
    files.write("link.txt", "new\n");
    expect(files.read("a.txt")).toBe("new\n");
    expect(files.list(".").map(({ name, type }) => [name, type])).toEqual([["a.txt", "file"], ["link.txt", "link"]]);
  });

  test("deleting and moving act on the link itself", () => {
    const { files, root } = project({ "../s.txt": "secret", "one.txt": { link: "../s.txt" }, "two.txt": { link: "a.txt" } });
    files.remove("one.txt");
    files.move("two.txt", "three.txt");
    expect(files.list(root).map(({ name, type }) => [name, type])).toEqual([["a.txt", "file"], ["three.txt", "link"]]);
    expect(files.read("three.txt")).toBe("a\n");
  });

  test("7: a dangling link", () => {
    const { files, root } = project({ "dangling.txt": { link: "nowhere/x.txt" }, directory: { link: "nowhere" } });
    for (const path of ["dangling.txt", "directory/x.txt"]) {
      expect(outcomeOf(() => files.write(path, "x"))).toBe(`fs-guard violation: Write access denied for '${path}' (the link leads nowhere)`);
      expect(outcomeOf(() => files.read(path))).toMatch(DENIED);
    }
    expect(outcomeOf(() => files.createDirectory("directory"))).toMatch(DENIED);
    expect(existsSync(join(root, "nowhere"))).toBe(false);
  });

  test("a dangling link discloses nothing about its target", () => {
    const { files } = project({ "there.txt": { link: "/etc/passwd" }, "not-there.txt": { link: "/etc/passwd-not" } });
    const told = ["there.txt", "not-there.txt"].map((path) => outcomeOf(() => files.read(path)));
    expect(told).toEqual(["there.txt", "not-there.txt"].map((path) => `fs-guard violation: Read access denied for '${path}' (no allow rule)`));
  });

  test("8: a loop of links", () => {
    const { files } = project({ one: { link: "two" }, two: { link: "one" } });
    expect(outcomeOf(() => files.read("one"))).toBe("ELOOP: too many symbolic links encountered, open 'one'");
    expect(outcomeOf(() => files.write("one/x", "x"))).toBe("ELOOP: too many symbolic links encountered, open 'one/x'");
  });

  test("9: a chain of 41 links", () => {
    const links = Array.from({ length: 41 }, (_, index) => [`l${index + 1}`, { link: index === 0 ? "a.txt" : `l${index}` }] as const);
    const { files } = project(Object.fromEntries(links));
    expect(files.read("l40")).toBe("a\n");
    expect(outcomeOf(() => files.read("l41"))).toMatch(/^ELOOP/);
  });

  test("10: a new file in missing parents behind a link leading out of the root", () => {
    const p = project({ "../out": null, link: { link: "../out" } });
    expectDenied(p, "link/new/deeper/x.txt");
    expect(readdirSync(join(p.directory, "out"))).toEqual([]);
  });

  test("13: /proc/self/root, directly or through a link", () => {
    const p = project({ link: { link: "/proc/self/root" } });
    expectDenied(p, "/proc/self/root/etc/passwd");
    expectDenied(p, "link/etc/passwd");
  });

  test.each(["/proc/self/cwd/a.txt", "/proc/self/fd/3", "/dev/fd/0", "//proc/self/cwd", "/sys/kernel"])("14: %s, even if everything is allowed", (path) => {
    expectDenied(project({}, everything), path);
  });

  test("15: /proc/self/environ by any path, even if everything is allowed", () => {
    const p = project({ link: { link: "/proc/self" } }, everything);
    expectDenied(p, "/proc/self/environ");
    expectDenied(p, "link/environ");
    expectDenied(p, "/./proc/self/environ");
    expectDenied(p, "/tmp/../proc/self/environ");
  });

  test("16: a FIFO is refused without being opened", () => {
    const p = project();
    execFileSync("mkfifo", [p.at("pipe")]);
    expectDenied(p, "pipe");
    expect(lstatSync(p.at("pipe")).isFIFO()).toBe(true);
    expect(p.files.list(".").map(({ name }) => name)).toEqual(["a.txt"]);
  });

  test("16: a writer blocked on a FIFO stays blocked", async () => {
    const p = project();
    execFileSync("mkfifo", [p.at("pipe")]);
    const writer = spawn("sh", ["-c", `echo x > "$0"`, p.at("pipe")]);
    onTestFinished(() => void writer.kill("SIGKILL"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (let round = 0; round < 5; round++) expectDenied(p, "pipe");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(writer.exitCode ?? writer.signalCode).toBe(null);
  });

  test("16: a directory that holds a FIFO is not moved", () => {
    const p = project({ d: null });
    execFileSync("mkfifo", [p.at("d/pipe")]);
    expect(outcomeOf(() => p.files.move("d", "e"))).toBe("fs-guard violation: Read access denied for 'd' (not a regular file)");
  });

  test("17: a device", () => {
    const p = project({ link: { link: "/dev/zero" } }, everything);
    expect(outcomeOf(() => p.files.read("/dev/zero"))).toBe("fs-guard violation: Read access denied for '/dev/zero' (deny /dev/**)");
    expect(outcomeOf(() => p.files.read("link"))).toMatch(DENIED);
  });

  test.runIf(process.getuid?.() === 0)("17: a device node in the project", () => {
    const p = project();
    execFileSync("mknod", [p.at("zero"), "c", "1", "5"]);
    expectDenied(p, "zero");
    expect(lstatSync(p.at("zero")).isCharacterDevice()).toBe(true);
  });

  test("18: a socket", async () => {
    const p = project();
    const server = createServer();
    await new Promise<void>((done) => server.listen(p.at("socket"), done));
    onTestFinished(() => void server.close());
    expectDenied(p, "socket");
  });

  test("22: NUL and half a surrogate pair in a path", () => {
    const { files } = project();
    expect(outcomeOf(() => files.read("a\0.txt"))).toBe("EINVAL: invalid argument, open 'a\0.txt'");
    expect(outcomeOf(() => files.write("a\ud800", "x"))).toMatch(/^EILSEQ: /);
    expect(outcomeOf(() => files.read(""))).toBe("ENOENT: no such file or directory, open ''");
  });

  test("23: names and paths that are too long", () => {
    const { files } = project();
    expect(outcomeOf(() => files.write("é".repeat(128), "x"))).toMatch(/^ENAMETOOLONG: name too long, open/);
    expect(outcomeOf(() => files.write("d/".repeat(2500), "x"))).toMatch(/^ENAMETOOLONG/);
  });

  test("24: a name of 255 bytes works", () => {
    const { files } = project();
    files.write("n".repeat(255), "x");
    files.write("n".repeat(255), "y");
    expect(files.read("n".repeat(255))).toBe("y");
  });

  test("25: a trailing slash or dot on a file action", () => {
    const { files, root } = project({ "d/x.txt": "x" });
    for (const path of ["a.txt/", "a.txt/.", "a.txt/..", "d/..", "/", ".", ".."]) {
      const told = [() => files.read(path), () => files.write(path, "x"), () => files.append(path, "x"), () => files.remove(path), () => files.move(path, "n"), () => files.move("a.txt", path)];
      for (const act of told) expect(outcomeOf(act)).toContain("(a file's path cannot end in /, /. or /..)");
    }
    expect(files.list(`${root}/d/`).map(({ name }) => name)).toEqual(["x.txt"]);
    expect(files.list("d/..")).toHaveLength(2);
  });

  test.each([".git/config", ".GIT/config", ".git./config", ".git /config", "git~1/config", "GIT~1", ".git::$INDEX_ALLOCATION/config", "src/.Git/hooks/x", ".git"])(
    "26: writing %s, even where everything is allowed",
    (path) => expectDenied(project({}, everything), path, ["write"]),
  );

  test("27: composed and decomposed names differ; the built-in refusals cover both", () => {
    const { files } = project({ "caf\u00e9.txt": "composed", "cafe\u0301.txt": "decomposed" });
    expect(files.read("cafe\u0301.txt")).toBe("decomposed");
    const p = project({}, { ...everything, readOnly: ["/tmp/caf\u00e9.md"] });
    expectDenied(p, "/tmp/cafe\u0301.md", ["write"]);
  });

  test.each(["\u200b", "\u200c", "\u200d", "\u200e", "\u202e", "\u2060", "\u206a", "\ufeff", "\u00ad"])("28: a zero-width character in .git (%j)", (character) => {
    expectDenied(project({}, everything), `.g${character}it/config`, ["write"]);
  });

  test("29: a name that is not UTF-8 is listed escaped and cannot be addressed", () => {
    const { files, root } = project();
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from(".txt")]), "x");
    expect(files.list(".").map(({ name, size }) => [name, size])).toEqual([["a.txt", 2], ["caf\\xe9.txt", 1]]);
    expect(outcomeOf(() => files.read("caf\\xe9.txt"))).toMatch(/^ENOENT/);
  });

  test("30, 31: a newline and ` (deleted)` in names are plain characters", () => {
    const { files } = project({ "two\nlines.txt": "two", "x (deleted)/y.txt": "y" });
    expect(files.read("two\nlines.txt")).toBe("two");
    files.write("x (deleted)/y.txt", "z");
    expect(files.read("x (deleted)/y.txt")).toBe("z");
  });

  test("33, 34: git's configuration and hooks", () => {
    const p = project({ ".git/config": "[core]\n", ".git/hooks/pre-commit": "" });
    expectDenied(p, ".git/config", ["write"]);
    expectDenied(p, ".git/hooks/pre-commit", ["write"]);
    expectDenied(p, ".git/hooks/post-commit", ["write"]);
    expect(p.files.read(".git/config")).toBe("[core]\n");
  });

  test("35: a .git file, and the directories it leads to", () => {
    const tree: Tree = { ".git": "gitdir: ../separate/worktrees/one\n", "../separate/worktrees/one/commondir": "../..\n", "../separate/config": "" };
    const p = project(tree, everything);
    expectDenied(p, ".git", ["write"]);
    expectDenied(p, "../separate/worktrees/one/config.worktree", ["write"]);
    expectDenied(p, "../separate/config", ["write"]);
  });

  test("36: loaf.yml", () => {
    const p = project({ "loaf.yml": "version: 1\n" }, everything);
    expectDenied(p, "loaf.yml", ["write"]);
    expectDenied(p, "LOAF.YML", ["write"]);
    expect(p.files.read("loaf.yml")).toBe("version: 1\n");
    p.files.write("sub/loaf.yml", "of nobody's interest");
  });

  test("36: the target of a linked loaf.yml", () => {
    expectDenied(project({ "loaf.yml": { link: "settings/real.yml" }, "settings/real.yml": "version: 1\n" }, everything), "settings/real.yml", ["write"]);
  });

  test("36: every link from loaf.yml on, and the target", () => {
    const chain = project({ "loaf.yml": { link: "mid.yml" }, "mid.yml": { link: "c/real.yml" }, "c/real.yml": "version: 1\n" }, everything);
    for (const path of ["mid.yml", "c/real.yml"]) expectDenied(chain, path, ["write"]);
    const directory = project({ "loaf.yml": { link: "d/loaf.yml" }, d: { link: "real" }, "real/loaf.yml": "version: 1\n" }, everything);
    for (const act of [() => directory.files.remove("d"), () => directory.files.move("d", "e"), () => directory.files.move("a.txt", "d"), () => directory.files.write("real/loaf.yml", "")]) expect(outcomeOf(act)).toMatch(DENIED);
  });

  test("35: the target of a linked .git", () => {
    expectDenied(project({ ".git": { link: "git" }, "git/config": "" }, everything), "git/config", ["write"]);
  });

  test("a link in the path of a refusal cannot be changed, since another link would lift the refusal", () => {
    const tree: Tree = { public: { link: "mid" }, mid: { link: "secrets" }, "secrets/x.txt": "s" };
    for (const rules of [{ read: { deny: ["./public/*.txt"] }, write: {} }, { read: {}, write: { deny: ["./public/*.txt"] } }]) {
      const { files } = project(tree, { rules: [rules] });
      for (const path of ["public", "mid"]) {
        expect(outcomeOf(() => files.remove(path))).toBe(`fs-guard violation: Write access denied for '${path}' (deny ./public/*.txt)`);
        expect(outcomeOf(() => files.move(path, "n"))).toMatch(DENIED);
        expect(outcomeOf(() => files.move("a.txt", path))).toMatch(DENIED);
      }
    }
  });

  test("a directory above a protected path is not moved, removed or replaced, even if the path is missing", () => {
    const p = project({ "../home/.config": null, "other": { link: "a.txt" } }, everything);
    const own = project({}, { ...everything, sealed: [join(p.directory, "home/.local/state/loaf")], readOnly: [join(p.directory, "home/.config/loaf/config.yml")] });
    const above = ["home/.local/state", "home/.local", "home/.config", "home"].map((path) => join(p.directory, path));
    for (const path of above) {
      for (const act of [() => own.files.move(path, "n"), () => own.files.move(p.at("other"), path), () => own.files.removeDirectory(path)]) {
        expect(outcomeOf(act)).toMatch(/^fs-guard violation: Write access denied for .* \(above /);
      }
    }
    expect(own.files.createDirectory(join(p.directory, "home/.local/state"))).toBe(true);
    expect(own.files.write(join(p.directory, "home/.config/other.yml"), "x")).toMatchObject({ bytesWritten: 1 });
  });

  test("the root itself is not removed", () => {
    const { files, root } = project({}, everything);
    files.remove("a.txt");
    for (const path of [root, "."]) expect(outcomeOf(() => files.removeDirectory(path))).toBe(`fs-guard violation: Write access denied for '${path}' (above ./loaf.yml)`);
  });

  test("38: moving a directory that holds .git or refused files", () => {
    const { files } = project({ "repo/.git/config": "", "repo/x.txt": "", "secrets/deep/.env": "A=1", "rc/.bashrc": "" });
    expect(outcomeOf(() => files.move("repo", "repo2"))).toBe("fs-guard violation: Write access denied for 'repo' (deny **/.git/**)");
    expect(outcomeOf(() => files.move("secrets", "open"))).toBe("fs-guard violation: Read access denied for 'secrets' (deny **/.env*)");
    expect(outcomeOf(() => files.move("rc", "rc2"))).toMatch(DENIED);
    expect(files.list(".").map(({ name }) => name)).toEqual(["a.txt", "rc", "repo", "secrets"]);
  });

  test("38: entries of a moved directory are judged at their new path", () => {
    const { files } = project({ "d/keep.txt": "" }, { rules: [{ read: {}, write: { deny: ["./locked/keep.txt"] } }] });
    expect(outcomeOf(() => files.move("d", "locked"))).toBe("fs-guard violation: Write access denied for 'locked' (deny ./locked/keep.txt)");
  });

  test("39: moving a secret to read it", () => {
    const { files } = project({ ".env": "A=1" });
    expect(outcomeOf(() => files.move(".env", "b.txt"))).toBe("fs-guard violation: Read access denied for '.env' (deny **/.env*)");
  });

  test("41: .loaf/, the state folder and the watched files", () => {
    const p = project({ ".loaf/output.md": "seen", "../state/journal": "log", "input.md": "in" }, { ...everything });
    expectDenied(p, ".loaf/output.md", ["write"]);
    expectDenied(p, ".LOAF/other", ["write"]);
    expect(p.files.read(".loaf/output.md")).toBe("seen");
    const own = createProject({ ...A_FILE, "input.md": "in", "state/journal": "log" }, { ...everything, ...(volume && { volume }) });
    const q = createProject(A_FILE, { ...everything, ...(volume && { volume }), sealed: [own.at("state")], readOnly: [own.at("input.md")] });
    expectDenied(q, own.at("state/journal"));
    expectDenied(q, own.at("state"));
    expectDenied(q, own.at("input.md"), ["write"]);
    expect(q.files.read(own.at("input.md"))).toBe("in");
  });

  test("a refused path never discloses whether it exists", () => {
    const { files } = project({ "../there.txt": "x", ".ssh/there": "k" });
    const told = (path: string) => [() => files.read(path), () => files.write(path, "x"), () => files.remove(path), () => files.move(path, "n"), () => files.list(path), () => files.removeDirectory(path)].map((act) => String(outcomeOf(act)).replaceAll(path, "PATH"));
    expect(told("../there.txt")).toEqual(told("../gone.txt"));
    expect(told("../there.txt/below")).toEqual(told("../gone.txt/below"));
    expect(outcomeOf(() => files.read(".ssh/there"))).toBe("fs-guard violation: Read access denied for '.ssh/there' (deny **/.ssh/**)");
    expect(outcomeOf(() => files.read(".ssh/gone"))).toBe("fs-guard violation: Read access denied for '.ssh/gone' (deny **/.ssh/**)");
  });

  test("a path that leads back by `..` from an unreadable directory never discloses whether it exists", () => {
    const { files, root, directory } = project({ "../there/x.txt": "x", out: { link: "../there" }, "d/x.txt": "x", up: { link: "d/../a.txt" } });
    const told = (name: string, path = join(directory, name)) => [() => files.read(`${path}/..${root.slice(directory.length)}/a.txt`), () => files.write(`${path}/../project/a.txt`, "x"), () => files.list(`${path}/../project`)].map((act) => String(outcomeOf(act)).replaceAll(path, "PATH"));
    expect(told("there")).toEqual(told("gone"));
    expect(told("there/x.txt")).toEqual(told("there/gone"));
    for (const sentence of told("there")) expect(sentence).toMatch(/^fs-guard violation: .* \(no allow rule\)$/);
    expect(outcomeOf(() => files.read("out/../project/a.txt"))).toMatch(DENIED);
    const writable = project({ "../there/x.txt": "x", "../open/y.txt": "y", "d/via": { link: "../../there/../open/y.txt" } }, { rules: [{ read: { allow: ["./**", "../open/**"] }, write: { allow: ["./**", "../there/**"] } }] });
    for (const path of ["there/x.txt", "there/gone"]) expect(outcomeOf(() => writable.files.write(`../${path}/../../project/a.txt`, "x"))).toMatch(/ \(no allow rule\)$/);
    expect(writable.files.read("d/../d/via")).toBe("y");
    for (const path of ["d/../a.txt", "../project/a.txt", "d/../../project/d/../a.txt", "up"]) expect(files.read(path)).toBe("a\n");
  });

  test("a write-only file never discloses its size or content", () => {
    const { files } = project({ ".env": "123456", ".env.1": "12345", ".env.2": Buffer.from([0xff, 0xfe, 0, 0]), ".env.3": Buffer.from([0xe9]) }, { maxFileSize: 5 });
    for (const path of [".env", ".env.1", ".env.2", ".env.3"]) {
      expect(outcomeOf(() => files.append(path, "é"))).toBe(`fs-guard violation: Read access denied for '${path}' (deny **/.env*)`);
    }
    expect(files.append(".env.3", "x")).toBe(1);
  });

  test("a listing omits unreadable entries", () => {
    const { files } = project({ ".env": "A=1", ".env.example": "A=", "k/id_rsa": "", "server.pem": "" });
    expect(files.list(".").map(({ name }) => name)).toEqual([".env.example", "a.txt", "k"]);
    expect(files.list("k")).toEqual([]);
  });

  test("each missing parent is judged, and a failed write leaves none behind", () => {
    const { files, root } = project({}, { rules: [{ read: {}, write: { allow: ["./made/**", "./one/two/x.txt"] } }] });
    files.write("made/a/b.txt", "b");
    expect(outcomeOf(() => files.write("one/two/x.txt", "x"))).toBe(`fs-guard violation: Write access denied for '${join(root, "one")}' (no allow rule)`);
    expect(outcomeOf(() => files.move("made", "made/x/y"))).toBe("EINVAL: invalid argument, rename 'made' -> 'made/x/y'");
    expect(files.list(".").map(({ name }) => name)).toEqual(["a.txt", "made"]);
    expect(files.list("made").map(({ name }) => name)).toEqual(["a"]);
  });
});

test("moving a file onto another hard link of itself leaves the new name", () => {
  for (const volume of [undefined, (disk: Volume) => new Overlay(disk)]) {
    const { files, at } = createProject({ ...A_FILE, "d/x.txt": "x" }, { ...(volume && { volume }) });
    linkSync(at("a.txt"), at("b.txt"));
    expect(files.move("a.txt", "b.txt")).toEqual({ overwrote: true });
    expect(files.list(".").map(({ name }) => name)).toEqual(["b.txt", "d"]);
    expect(files.read("b.txt")).toBe("a\n");
  }
});

test("a directory with more than 10,000 entries is not moved", () => {
  const entries = Array.from({ length: 10_001 }, (_, index) => ({ name: `f${index}`, kind: "file" as const, size: 0, modified: 0, mode: 0o644 }));
  const moving = (count: number): unknown => {
    const { files } = createProject({ "many/x.txt": "" }, { volume: (disk) => Object.assign(disk, { readDirectory: () => entries.slice(0, count) }) });
    return outcomeOf(() => files.move("many", "other"));
  };
  expect(moving(10_000)).toEqual({ overwrote: false });
  expect(moving(10_001)).toBe("fs-guard violation: Write access denied for 'many' (more than 10000 entries in it)");
});

test("6, on the disk: the link is still the same link", () => {
  const { files, at } = createProject({ ...A_FILE, "link.txt": { link: "a.txt" } });
  files.edit("link.txt", () => ({ splices: [{ start: 0, end: 1, text: "b" }] }));
  expect(readlinkSync(at("link.txt"))).toBe("a.txt");
  expect(readFileSync(at("a.txt"), "utf8")).toBe("b\n");
});

/** Runs in its own mount namespace, so that nothing has to be unmounted. */
const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;

test.runIf(canMount)("21: a bind mount in the project is judged by its path there", () => {
  const directory = temporaryDirectory();
  grow(directory, { "outside/a.txt": "mounted", "project/mnt": null, "project/refused": null });
  buildSync({
    stdin: {
      resolveDir: join(import.meta.dirname, "../../../src"),
      contents: `
        import { execFileSync } from "node:child_process";
        import { WritableDisk } from "../tests/support/writable-disk.ts";
        import { createGuard } from "./guard/guard.ts";
        import { ProjectFiles } from "./files/project-files.ts";
        const [directory] = process.argv.slice(2);
        const root = directory + "/project";
        for (const name of ["mnt", "refused"]) execFileSync("mount", ["--bind", directory + "/outside", root + "/" + name]);
        const volume = new WritableDisk();
        const rules = [{ read: { deny: ["refused/**"] }, write: { deny: ["refused/**"] } }];
        const guard = createGuard({ volume, root, home: "/nowhere", rules, sealed: [], readOnly: [], platform: "linux" });
        const files = new ProjectFiles({ volume, guard, maxFileSize: 1000, finalNewline: "as-is" });
        const outcomeOf = (act) => { try { return act() } catch ({ failure }) { return failure.rule } };
        files.write("mnt/b.txt", "written");
        console.log(JSON.stringify([() => files.read("mnt/a.txt"), () => files.read("refused/a.txt"), () => files.write("refused/c.txt", ""), () => files.read("../outside/a.txt")].map(outcomeOf)));
      `,
    },
    bundle: true,
    platform: "node",
    outfile: join(directory, "script.cjs"),
  });
  const said = execFileSync("unshare", ["--mount", process.execPath, join(directory, "script.cjs"), directory], { encoding: "utf8" });
  expect(JSON.parse(said)).toEqual(["mounted", "deny refused/**", "deny refused/**", "no allow rule"]);
  expect(readdirSync(join(directory, "outside"))).toEqual(["a.txt", "b.txt"]);
});

describe("32: on Windows", () => {
  const reading = (path: string): unknown => outcomeOf(() => createProject({}, { platform: "win32" }).files.read(path));

  test.each(["CON", "sub/nul.txt", "com1.log", "LPT³", "PRN", "aux.c", "CONIN$", "conout$", "com¹", "COM0", "lpt9.txt", "a.txt:ads", "C:x", "\\\\server\\share\\x", "//server/share", "\\\\?\\C:\\x", "dot.", "space ", "sub./x", "PROGRA~1/x"])("%s", (path) => {
    expect(reading(path)).toContain("(not a plain Windows path)");
  });

  test.each(["C:/x", "C:\\x\\y.txt", "con-fig.txt", "../x", "a b/c.d"])("%s is a plain path", (path) => {
    expect(reading(path)).not.toContain("(not a plain Windows path)");
  });
});

test("a failure has the access, the path as the block wrote it, and the rule", () => {
  const { guard } = createProject();
  const request = { path: "./.env", access: ["read", "write"], of: "target", names: "file", syscall: "open" } as const;
  expect(() => guard.admit(request)).toThrow(new Failed({ code: "guard/denied", access: "read", path: "./.env", rule: "deny **/.env*" }));
});

test("a path spelled as outside the project gets a hint with the root; the target of a link is not disclosed", () => {
  const { guard, root } = createProject();
  const hintOn = (path: string): string | undefined => {
    try {
      guard.admit({ path, access: ["read"], of: "target", names: "file", syscall: "open" });
    } catch (thrown) {
      return thrown instanceof Failed ? nextStep(thrown.failure) : undefined;
    }
    return "none: it is allowed";
  };
  expect([hintOn("../elsewhere/a.txt"), hintOn("/etc/passwd"), hintOn(".env")]).toEqual([`the project's root is ${root}`, `the project's root is ${root}`, undefined]);
});

/** What the workspace does for handlers, and the exact words of its refusals. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { GuardRules } from "../../../src/config/guard-rules.ts";
import { type Access, Failed } from "../../../src/core/failure.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { systemError } from "../../../src/disk/system-error.ts";
import type { Volume } from "../../../src/disk/volume.ts";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";
import { createProject, outcomeOf, type Project, type ProjectOptions, type Tree } from "./project.ts";

const BOM = [0xef, 0xbb, 0xbf];

describe.each<[string, ProjectOptions["volume"]]>([
  ["on the disk", undefined],
  ["on an overlay", (disk) => new Overlay(disk)],
])("%s", (_, volume) => {
  const project = (tree: Tree = {}, options: ProjectOptions = {}): Project => createProject(tree, { ...(volume && { volume }), ...options });

  test("a missing file is named with the attempted system call", () => {
    const { files, at } = project();
    const path = at("no.txt");
    expect(outcomeOf(() => files.read(path))).toBe(`ENOENT: no such file or directory, open '${path}'`);
    expect(outcomeOf(() => files.edit(path, () => ({ splices: [] })))).toBe(`ENOENT: no such file or directory, open '${path}'`);
    expect(outcomeOf(() => files.remove(path))).toBe(`ENOENT: no such file or directory, unlink '${path}'`);
    expect(outcomeOf(() => files.removeDirectory(path))).toBe(`ENOENT: no such file or directory, rmdir '${path}'`);
    expect(outcomeOf(() => files.list(path))).toBe(`ENOENT: no such file or directory, scandir '${path}'`);
    expect(outcomeOf(() => files.move(path, at("x.txt")))).toBe(`Source file not found '${path}' (ENOENT)`);
    expect(files.peek(path)).toBeUndefined();
  });

  test("a directory instead of a file, and a file instead of a directory", () => {
    const { files } = project({ "d/x": "", f: "f" });
    for (const act of [() => files.read("d"), () => files.write("d", ""), () => files.append("d", ""), () => files.edit("d", () => ({ splices: [] }))]) {
      expect(outcomeOf(act)).toBe("EISDIR: illegal operation on a directory, open 'd'");
    }
    expect(outcomeOf(() => files.remove("d"))).toBe("EISDIR: illegal operation on a directory, unlink 'd'");
    expect(outcomeOf(() => files.list("f"))).toBe("ENOTDIR: not a directory, scandir 'f'");
    expect(outcomeOf(() => files.removeDirectory("f"))).toBe("ENOTDIR: not a directory, rmdir 'f'");
    expect(outcomeOf(() => files.createDirectory("f"))).toBe("EEXIST: file already exists, mkdir 'f'");
    expect(outcomeOf(() => files.createDirectory("f/sub"))).toBe("ENOTDIR: not a directory, mkdir 'f/sub'");
    expect(outcomeOf(() => files.write("f/x", ""))).toBe("ENOTDIR: not a directory, open 'f/x'");
    expect(outcomeOf(() => files.removeDirectory("d"))).toBe("ENOTEMPTY: directory not empty, rmdir 'd'");
    expect(outcomeOf(() => files.move("f", "d"))).toBe("EISDIR: illegal operation on a directory, rename 'f' -> 'd'");
  });

  test("maps system errors to codes", () => {
    const { files } = project({ d: null });
    const codeOf = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (thrown) {
        return thrown instanceof Failed && thrown.failure.code;
      }
    };
    expect(codeOf(() => files.read("no"))).toBe("file/not-found");
    expect(codeOf(() => files.read("d"))).toBe("file/system");
  });

  test("writing creates parents and returns the number of bytes", () => {
    const { files } = project();
    expect(files.write("new/deep/a.txt", "grüße")).toEqual({ bytesWritten: 7 });
    expect(files.read("new/deep/a.txt")).toBe("grüße");
    expect(files.append("new/other/b.txt", "é")).toBe(2);
    expect(files.append("new/other/b.txt", "x")).toBe(1);
    expect(files.read("new/other/b.txt")).toBe("éx");
  });

  test("adds a final newline if configured", () => {
    const { files } = project({}, { finalNewline: "ensure" });
    expect(files.write("a.txt", "x")).toEqual({ bytesWritten: 2 });
    files.write("b.txt", "x\n");
    files.write("c.txt", "");
    expect(["a.txt", "b.txt", "c.txt"].map((path) => files.read(path))).toEqual(["x\n", "x\n", ""]);
  });

  test("reading drops the byte order mark; editing and appending keep it", () => {
    const { files } = project({ "a.txt": Buffer.from([...BOM, ...Buffer.from("one\r\n")]) });
    expect(files.read("a.txt")).toBe("one\r\n");
    files.edit("a.txt", () => ({ splices: [{ start: 0, end: 1, text: "O" }] }));
    files.append("a.txt", "two");
    expect(files.read("a.txt")).toBe("One\r\ntwo");
    expect(files.list(".").map(({ size }) => size)).toEqual([11]);
  });

  test("an edit without splices leaves the file alone", () => {
    const { files, at } = project({ "a.txt": "one" });
    const { ino } = statSync(at("a.txt"));
    expect(files.edit("a.txt", () => ({ splices: [] }))).toEqual({ splices: [] });
    expect(statSync(at("a.txt")).ino).toBe(ino);
  });

  test("a file that is not text is not read, but takes ASCII edits", () => {
    const { files } = project({ binary: Buffer.from([0, 0x61, 0xff]), latin1: Buffer.from([0x61, 0xe9]), wide: Buffer.from([0xff, 0xfe, 0x61, 0]) });
    expect(outcomeOf(() => files.read("binary"))).toBe("File is binary, not text: 'binary'");
    expect(outcomeOf(() => files.read("latin1"))).toBe("File is not valid UTF-8: 'latin1'");
    expect(outcomeOf(() => files.read("wide"))).toBe("File is UTF-16, not UTF-8: 'wide'");
    expect(files.peek("binary")).toBeUndefined();
    expect(files.edit("binary", (text) => ({ splices: [{ start: text.indexOf("a"), end: text.indexOf("a") + 1, text: "bc" }] })).splices).toHaveLength(1);
    files.append("latin1", "b");
    expect(outcomeOf(() => files.append("latin1", "é"))).toMatch(/is not UTF-8 text: only edits/);
    for (const act of [() => files.append("wide", "b"), () => files.edit("wide", () => ({ splices: [{ start: 2, end: 3, text: "b" }] }))]) {
      expect(outcomeOf(act)).toBe("File is UTF-16, not UTF-8: 'wide'");
    }
    expect(files.list(".").map(({ size }) => size)).toEqual([4, 3, 4]);
  });

  test("half a surrogate pair changes nothing", () => {
    const { files, root } = project({ "a.txt": "one" });
    for (const act of [() => files.write("n/b.txt", "\ud800"), () => files.append("a.txt", "\udc00"), () => files.edit("a.txt", () => ({ splices: [{ start: 0, end: 0, text: "\ud800" }] }))]) {
      expect(outcomeOf(act)).toMatch(/half of a surrogate pair/);
    }
    expect([files.read("a.txt"), files.list(root).length]).toEqual(["one", 1]);
  });

  test("the size limit applies to reads and writes", () => {
    const { files } = project({ big: "123456", small: "1234" }, { maxFileSize: 5 });
    expect(outcomeOf(() => files.read("big"))).toBe("File is too large: 'big' has 6 bytes, the limit is 5");
    expect(files.peek("big")).toBeUndefined();
    expect(outcomeOf(() => files.edit("big", () => ({ splices: [] })))).toMatch(/^File is too large/);
    expect(outcomeOf(() => files.write("new/x", "123456"))).toBe("File is too large: 'new/x' has 6 bytes, the limit is 5");
    expect(outcomeOf(() => files.append("small", "56"))).toMatch(/^File is too large: 'small' has 6 bytes/);
    expect(outcomeOf(() => files.edit("small", () => ({ splices: [{ start: 0, end: 0, text: "00" }] })))).toMatch(/^File is too large/);
    // Does not build text too long for a string.
    const longest = "x".repeat(2 ** 29 - 24);
    expect(outcomeOf(() => files.edit("small", () => ({ splices: [0, 1, 2].map((start) => ({ start, end: start + 1, text: longest })) })))).toMatch(/^File is too large: 'small'/);
    expect(files.append("small", "5")).toBe(1);
    expect(files.list(".").map(({ name }) => name)).toEqual(["big", "small"]);
  });

  test("moving reports whether it replaced something", () => {
    const { files } = project({ a: "a", b: "b", "d/x": "x", "e/": null });
    expect(files.move("a", "b")).toEqual({ overwrote: true });
    expect(files.move("b", "new/parents/c")).toEqual({ overwrote: false });
    expect(files.move("new/parents/c", "new/../new/parents/c")).toEqual({ overwrote: false });
    expect(files.move("d", "new/d")).toEqual({ overwrote: false });
    expect([files.read("new/parents/c"), files.read("new/d/x")]).toEqual(["a", "x"]);
  });

  test("a link is moved only if its target is allowed, since an allow rule may begin at its new place", () => {
    const rules: GuardRules = { read: { allow: ["./**", "./data/**"] }, write: {} };
    const tree = { evil: { link: "/etc" }, "d/up": { link: "../../../etc" }, "d/e/round": { link: "x/../.." }, good: { link: "kept" }, kept: "1" };
    const { files } = project(tree, { rules: [rules] });
    expect(outcomeOf(() => files.move("evil", "data"))).toBe("fs-guard violation: Read access denied for 'evil' (no allow rule)");
    expect(outcomeOf(() => files.move("d/up", "data"))).toBe("fs-guard violation: Read access denied for 'd/up' (no allow rule)");
    expect(outcomeOf(() => files.move("d/up", "new/data"))).toBe("fs-guard violation: Read access denied for 'd/up' (no allow rule)");
    expect(outcomeOf(() => files.move("d", "data"))).toMatch(/^fs-guard violation: Read access denied for 'd'/);
    expect(outcomeOf(() => files.move("d/e/round", "data"))).toBe("fs-guard violation: Read access denied for 'd/e/round' (the link leads nowhere)");
    expect(files.move("good", "better")).toEqual({ overwrote: false });
    expect(files.read("better")).toBe("1");
  });

  test("directories are made with their parents and removed when empty", () => {
    const { files } = project();
    expect(files.createDirectory("a/b/c")).toBe(true);
    expect(files.createDirectory("a/b/c/")).toBe(false);
    files.removeDirectory("a/b/c/");
    files.removeDirectory("a/b");
    expect(files.list("a")).toEqual([]);
  });

  test("a listing is sorted and dated", () => {
    const { files } = project({ "b.txt": "bb", a: null, "C.txt": "", z: { link: "b.txt" } });
    const listed = files.list(".");
    expect(listed.map(({ name, type, size }) => [name, type, size])).toEqual([["C.txt", "file", 0], ["a", "directory", 0], ["b.txt", "file", 2], ["z", "link", 5]]);
    for (const { modified } of listed) expect(new Date(modified).toISOString()).toBe(modified);
  });
});

test("an edit keeps the mode", () => {
  const { files, at } = createProject({ "run.sh": "#!/bin/sh\n" });
  chmodSync(at("run.sh"), 0o750);
  files.edit("run.sh", (text) => ({ splices: [{ start: text.length, end: text.length, text: "true\n" }] }));
  expect([readFileSync(at("run.sh"), "utf8"), statSync(at("run.sh")).mode & 0o777]).toEqual(["#!/bin/sh\ntrue\n", 0o750]);
});

describe("in a directory without write permission", () => {
  const attempts = ({ files }: Project): unknown[] => [
    outcomeOf(() => files.write("locked/b.txt", "b")),
    outcomeOf(() => files.remove("locked/a.txt")),
    outcomeOf(() => files.move("locked/a.txt", "b.txt")),
    outcomeOf(() => files.createDirectory("locked/d")),
  ];
  const REFUSED = [
    "EACCES: permission denied, open 'locked/b.txt'",
    "EACCES: permission denied, unlink 'locked/a.txt'",
    "EACCES: permission denied, rename 'locked/a.txt' -> 'b.txt'",
    "EACCES: permission denied, mkdir 'locked/d'",
  ];

  test("the disk refuses", async () => {
    const project = createProject({ "locked/a.txt": "a" });
    chmodSync(project.at("locked"), 0o555);
    await asOrdinaryUser(project.directory, async () => expect(attempts(project)).toEqual(REFUSED));
  });

  test("an overlay refuses beforehand", () => {
    const locked = (disk: Volume): Volume =>
      Object.assign(disk, {
        checkAccess: (path: string, access: Access) => {
          if (access === "write" && /\/(locked|read-only\.txt)$/.test(path)) throw systemError("EACCES", "access", path);
        },
      });
    const project = createProject({ "locked/a.txt": "a", "read-only.txt": "r" }, { volume: (disk) => new Overlay(locked(disk)) });
    expect(attempts(project)).toEqual(REFUSED);
    expect(outcomeOf(() => project.files.append("read-only.txt", "b"))).toBe("EACCES: permission denied, open 'read-only.txt'");
    expect(() => project.files.remove("locked/a.txt")).toThrow(new Failed({ code: "file/permission", errno: "EACCES", text: "permission denied", syscall: "unlink", path: "locked/a.txt" }));
    expect(project.files.list(".").map(({ name }) => name)).toEqual(["locked", "read-only.txt"]);
  });
});

test("an overlay does not delete, move or replace an unreadable file either, since it could not be restored", () => {
  const secret = (disk: Volume): Volume =>
    Object.assign(disk, {
      checkAccess: (path: string, access: Access) => {
        if (access === "read" && path.endsWith("/secret.txt")) throw systemError("EACCES", "access", path);
      },
    });
  const { files } = createProject({ "secret.txt": "s", "a.txt": "a" }, { volume: (disk) => new Overlay(secret(disk)) });
  expect(outcomeOf(() => files.remove("secret.txt"))).toBe("EACCES: permission denied, unlink 'secret.txt'");
  expect(outcomeOf(() => files.move("secret.txt", "b.txt"))).toBe("EACCES: permission denied, rename 'secret.txt' -> 'b.txt'");
  expect(outcomeOf(() => files.move("a.txt", "secret.txt"))).toBe("EACCES: permission denied, rename 'a.txt' -> 'secret.txt'");
  expect(outcomeOf(() => files.write("secret.txt", "t"))).toBe("EACCES: permission denied, open 'secret.txt'");
  expect(files.list(".").map(({ name }) => name)).toEqual(["a.txt", "secret.txt"]);
});

test("nothing done on an overlay reaches the disk", () => {
  const { files, root, at } = createProject({ "a.txt": "a", "d/b.txt": "b" }, { volume: (disk) => new Overlay(disk) });
  files.write("a.txt", "changed");
  files.write("n/x.txt", "new");
  files.move("d", "e");
  expect([readdirSync(root).sort(), readFileSync(at("a.txt"), "utf8"), existsSync(at("d/b.txt"))]).toEqual([["a.txt", "d"], "a", true]);
});

test("an overlay sees what changes beneath it, but not in a directory that it has moved", () => {
  const { files, at } = createProject({ "d/a.txt": "a" }, { volume: (disk) => new Overlay(disk) });
  files.move("d", "e");
  writeFileSync(at("d/late.txt"), "late");
  mkdirSync(at("f"));
  expect(files.list("e").map(({ name }) => name)).toEqual(["a.txt"]);
  expect(files.list(".").map(({ name }) => name)).toEqual(["e", "f"]);
});

test("102: a listing has a maximum number of entries and mentions the rest", () => {
  const entries = Array.from({ length: 10_001 }, (_, index) => ({ name: `f${String(index).padStart(5, "0")}`, kind: "file" as const, size: 0, modified: 0 }));
  const { files, warnings, root } = createProject({}, { volume: (disk) => Object.assign(disk, { readDirectory: () => entries }) });
  expect(files.list(root).map(({ name }) => name)).toEqual(entries.slice(0, 10_000).map(({ name }) => name));
  expect(warnings).toEqual(["only the first 10000 of 10001 entries are listed: look for others by glob"]);
});

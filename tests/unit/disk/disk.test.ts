import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";
import { choosePins } from "../../../src/disk/choose-pins.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { pinsByChdir } from "../../../src/disk/pin-by-chdir.ts";
import { grow, temporaryDirectory } from "../files/project.ts";

const mode = (path: string): number => lstatSync(path).mode & 0o7777;

/** A second file system, to move to. */
const elsewhere = "/dev/shm";
const isElsewhere = existsSync(elsewhere) && statSync(elsewhere).dev !== statSync(tmpdir()).dev;

describe.each([["descriptor", choosePins()], ["chdir", pinsByChdir]])("pinned by %s", (_, pins) => {
  const disk = new Disk(pins);

  describe("writeFile", () => {
    test("makes a file and leaves nothing else behind", () => {
      const directory = temporaryDirectory();
      disk.writeFile(join(directory, "a"), Buffer.from("x"));
      expect(readdirSync(directory)).toEqual(["a"]);
      expect(mode(join(directory, "a"))).toBe(0o666 & ~process.umask());
    });

    test.each([0o600, 0o755, 0o4755, 0o640])("keeps the mode %o", (wanted) => {
      const path = join(temporaryDirectory(), "a");
      writeFileSync(path, "old");
      chmodSync(path, wanted);
      disk.writeFile(path, Buffer.from("new"));
      expect([readFileSync(path, "utf8"), mode(path)]).toEqual(["new", wanted]);
    });

    test.runIf(process.getuid?.() === 0)("keeps the owner, and with it the mode", () => {
      const path = join(temporaryDirectory(), "a");
      writeFileSync(path, "old");
      chownSync(path, 1234, 1234);
      chmodSync(path, 0o4755);
      disk.writeFile(path, Buffer.from("new"));
      expect([statSync(path).uid, statSync(path).gid, mode(path)]).toEqual([1234, 1234, 0o4755]);
    });

    test.runIf(process.getuid?.() === 0)("does not hand set-user-ID to another owner", async () => {
      const directory = temporaryDirectory();
      const path = join(directory, "a");
      writeFileSync(path, "old");
      await asOrdinaryUser(directory, async () => {
        process.seteuid?.(0);
        chownSync(path, 1234, 1234);
        chmodSync(path, 0o4777);
        process.seteuid?.(65_534);
        disk.writeFile(path, Buffer.from("new"));
      });
      expect([statSync(path).uid, mode(path)]).toEqual([65_534, 0o777]);
    });

    test("refuses a file that may not be written, though a rename would replace it", async () => {
      const directory = temporaryDirectory();
      const path = join(directory, "a");
      writeFileSync(path, "old");
      chmodSync(path, 0o444);
      await asOrdinaryUser(directory, async () => expect(() => disk.writeFile(path, Buffer.from("new"))).toThrow(/^EACCES/));
      expect(readFileSync(path, "utf8")).toBe("old");
      expect(readdirSync(directory)).toEqual(["a"]);
    });

    test("refuses a directory that may not be written", async () => {
      const directory = temporaryDirectory();
      mkdirSync(join(directory, "d"), { mode: 0o555 });
      await asOrdinaryUser(directory, async () => expect(() => disk.writeFile(join(directory, "d/a"), Buffer.from("new"))).toThrow(/^EACCES/));
      expect(readdirSync(join(directory, "d"))).toEqual([]);
    });

    test("refuses a directory in a file's place", () => {
      const directory = temporaryDirectory();
      mkdirSync(join(directory, "d"));
      expect(() => disk.writeFile(join(directory, "d"), Buffer.from("x"))).toThrow(/^EISDIR/);
      expect(readdirSync(directory)).toEqual(["d"]);
    });

    test.runIf(process.getuid?.() === 0)("leaves no temporary file where the rename fails, as over another's file in a sticky directory", async () => {
      const directory = temporaryDirectory();
      const path = join(directory, "a");
      writeFileSync(path, "old");
      await asOrdinaryUser(directory, async () => {
        process.seteuid?.(0);
        for (const owned of [directory, path]) chownSync(owned, 1234, 1234);
        chmodSync(directory, 0o1777);
        chmodSync(path, 0o666);
        process.seteuid?.(65_534);
        expect(() => disk.writeFile(path, Buffer.from("new"))).toThrow(/^EPERM/);
      });
      expect([readdirSync(directory), readFileSync(path, "utf8")]).toEqual([["a"], "old"]);
    });
  });

  test("readFile follows no link and waits for no FIFO that took a file's place", () => {
    const directory = temporaryDirectory();
    symlinkSync("/etc/passwd", join(directory, "link"));
    execFileSync("mkfifo", [join(directory, "pipe")]);
    expect(() => disk.readFile(join(directory, "link"))).toThrow(/^ESTALE/);
    expect(() => disk.readFile(join(directory, "pipe"))).toThrow(/^ESTALE/);
  });

  describe.runIf(isElsewhere)("rename to another file system", () => {
    test("a file, over another one", () => {
      const [from, to] = [join(temporaryDirectory(), "a"), join(temporaryDirectory(elsewhere), "b")];
      writeFileSync(from, "moved");
      chmodSync(from, 0o751);
      writeFileSync(to, "old");
      utimesSync(from, 1_600_000_000, 1_600_000_000);
      disk.rename(from, to);
      expect([existsSync(from), readFileSync(to, "utf8"), mode(to), statSync(to).mtimeMs]).toEqual([false, "moved", 0o751, 1_600_000_000_000]);
      expect(readdirSync(join(to, ".."))).toEqual(["b"]);
    });

    test("a directory with all in it", () => {
      const [from, to] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      grow(join(from, "d"), { "e/a.txt": "deep", link: { link: "../outside" }, empty: null });
      writeFileSync(Buffer.concat([Buffer.from(join(from, "d/odd")), Buffer.from([0xe9])]), "odd");
      chmodSync(join(from, "d/e"), 0o750);
      disk.rename(join(from, "d"), join(to, "d"));
      expect(readdirSync(from)).toEqual([]);
      expect(readdirSync(to)).toEqual(["d"]);
      expect([readFileSync(join(to, "d/e/a.txt"), "utf8"), readlinkSync(join(to, "d/link")), mode(join(to, "d/e")), readdirSync(join(to, "d")).length]).toEqual(["deep", "../outside", 0o750, 4]);
    });

    test("what cannot be put in its place stays whole where it was", () => {
      const [from, to] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      grow(from, { "d/a.txt": "a" });
      grow(to, { "d/b.txt": "b" });
      expect(() => disk.rename(join(from, "d"), join(to, "d"))).toThrow(/^ENOTEMPTY/);
      expect([readdirSync(from), readdirSync(join(from, "d")), readdirSync(to), readdirSync(join(to, "d"))]).toEqual([["d"], ["a.txt"], ["d"], ["b.txt"]]);
    });

    test("what cannot be copied stays whole where it was", () => {
      const [from, to] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      grow(from, { "d/a.txt": "a" });
      execFileSync("mkfifo", [join(from, "d/pipe")]);
      expect(() => disk.rename(join(from, "d"), join(to, "d"))).toThrow(/^ENOTSUP/);
      expect([readdirSync(join(from, "d")).length, readdirSync(to)]).toEqual([2, []]);
    });

    /** In a process of its own: `access` asks for the real user, whom a process cannot change for a while. */
    function renameAsOrdinaryUser(from: string, to: string): string {
      const code = temporaryDirectory();
      for (const path of [code, dirname(from), dirname(to)]) chownSync(path, 65_534, 65_534);
      buildSync({ entryPoints: [join(import.meta.dirname, "../../../src/disk/disk.ts")], bundle: true, platform: "node", format: "cjs", outfile: join(code, "disk.cjs") });
      const script = `const { Disk } = require("./disk.cjs"); try { new Disk().rename(...process.argv.slice(1)) } catch (thrown) { process.stdout.write(thrown.code) }`;
      return execFileSync(process.execPath, ["-e", script, from, to], { cwd: code, uid: 65_534, gid: 65_534, encoding: "utf8" });
    }

    test.runIf(process.getuid?.() === 0)("a directory that an ordinary user may not empty stays whole where it was", () => {
      const [from, to] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      grow(from, { "d/a.txt": "a", "d/locked/b.txt": "b" });
      for (const path of ["d", "d/locked"]) chownSync(join(from, path), 65_534, 65_534);
      chmodSync(join(from, "d/locked"), 0o555);
      expect(renameAsOrdinaryUser(join(from, "d"), join(to, "d"))).toBe("EACCES");
      expect([readdirSync(from), readdirSync(join(from, "d")), readdirSync(join(from, "d/locked")), readdirSync(to)]).toEqual([["d"], ["a.txt", "locked"], ["b.txt"], []]);
    });

    test.runIf(process.getuid?.() === 0)("once the copy is in its place it is done, though the old one resists, as another's file in a sticky directory does", () => {
      const [from, to] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      grow(from, { "d/a.txt": "a" });
      chownSync(join(from, "d"), 1234, 1234);
      chmodSync(join(from, "d"), 0o1777);
      expect(renameAsOrdinaryUser(join(from, "d"), join(to, "d"))).toBe("");
      expect([readdirSync(from).filter((name) => !name.startsWith(".loaf-")), readdirSync(to), readFileSync(join(to, "d/a.txt"), "utf8")]).toEqual([[], ["d"], "a"]);
    });

    test("what may not be taken away is not copied either", async () => {
      const [from, to] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      grow(from, { "locked/a.txt": "a" });
      chmodSync(join(from, "locked"), 0o555);
      chmodSync(to, 0o777);
      await asOrdinaryUser(from, async () => expect(() => disk.rename(join(from, "locked/a.txt"), join(to, "a.txt"))).toThrow(/^EACCES/));
      expect([readdirSync(join(from, "locked")), readdirSync(to)]).toEqual([["a.txt"], []]);
    });
  });
});

/** What becomes of files and folders when a run's changes reach the disk: modes, owners, permissions, other file systems. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Disk } from "../../../src/disk/disk.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";
import { onPlatform, waysToPin } from "../../support/pins.ts";
import { grow, temporaryDirectory } from "../files/project.ts";

const mode = (path: string): number => lstatSync(path).mode & 0o7777;
const isRoot = process.getuid?.() === 0;

/** A second file system, to move to. */
const elsewhere = "/dev/shm";
const isElsewhere = existsSync(elsewhere) && statSync(elsewhere).dev !== statSync(tmpdir()).dev;

describe.each(waysToPin)("pinned by %s", (_, platform) => {
  onPlatform(platform);

  /** Stages changes and brings them to the disk as one group; yields the error's name where that is refused. */
  async function land(root: string, act: (overlay: Overlay) => void): Promise<string> {
    const runs = temporaryDirectory();
    chmodSync(runs, 0o777);
    const overlay = new Overlay(new Disk());
    try {
      act(overlay);
    } catch (thrown) {
      return (thrown as NodeJS.ErrnoException).code ?? "";
    }
    const journal = new Journal(runs, { kind: "run", root });
    const { outcomes } = await journal.commit(overlay.take(), { atomic: false });
    const failure = outcomes.find((one) => one.failure !== undefined)?.failure;
    journal.finish();
    return failure === undefined ? "ok" : "errno" in failure ? failure.errno : failure.code;
  }
  const write = (path: string) => (overlay: Overlay) => overlay.writeFile(path, Buffer.from("new"));

  test("a new file has the mode that the system gives, and nothing else is left behind", async () => {
    const root = temporaryDirectory();
    expect(await land(root, write(join(root, "a")))).toBe("ok");
    expect([readdirSync(root), mode(join(root, "a"))]).toEqual([["a"], 0o666 & ~process.umask()]);
  });

  test("24: a new file's name may be as long as names can be", async () => {
    const root = temporaryDirectory();
    expect(await land(root, write(join(root, "n".repeat(255))))).toBe("ok");
  });

  test.each([0o600, 0o755, 0o4755, 0o640])("a file that is replaced keeps its mode %o", async (wanted) => {
    const root = temporaryDirectory();
    const path = join(root, "a");
    writeFileSync(path, "old");
    chmodSync(path, wanted);
    expect(await land(root, write(path))).toBe("ok");
    expect([readFileSync(path, "utf8"), mode(path)]).toEqual(["new", wanted]);
  });

  test.runIf(isRoot)("it keeps its owner, and with it the mode", async () => {
    const root = temporaryDirectory();
    const path = join(root, "a");
    writeFileSync(path, "old");
    chownSync(path, 1234, 1234);
    chmodSync(path, 0o4755);
    expect(await land(root, write(path))).toBe("ok");
    expect([statSync(path).uid, statSync(path).gid, mode(path)]).toEqual([1234, 1234, 0o4755]);
  });

  test.runIf(isRoot)("it does not hand set-user-ID to another owner", async () => {
    const root = temporaryDirectory();
    const path = join(root, "a");
    writeFileSync(path, "old");
    chownSync(path, 1234, 1234);
    chmodSync(path, 0o4777);
    await asOrdinaryUser(root, async () => expect(await land(root, write(path))).toBe("ok"));
    expect([statSync(path).uid, mode(path)]).toEqual([65_534, 0o777]);
  });

  test("a directory that may not be written is left alone", async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, "d"), { mode: 0o555 });
    await asOrdinaryUser(root, async () => expect(await land(root, write(join(root, "d/a")))).toBe("EACCES"));
    expect(readdirSync(join(root, "d"))).toEqual([]);
  });

  test.runIf(isRoot)("no temporary file is left where the rename fails, as over another's file in a sticky directory", async () => {
    const root = temporaryDirectory();
    const path = join(root, "a");
    writeFileSync(path, "old");
    await asOrdinaryUser(root, async () => {
      process.seteuid?.(0);
      for (const owned of [root, path]) chownSync(owned, 1234, 1234);
      chmodSync(root, 0o1777);
      chmodSync(path, 0o666);
      process.seteuid?.(65_534);
      expect(await land(root, write(path))).toBe("EPERM");
    });
    expect([readdirSync(root), readFileSync(path, "utf8")]).toEqual([["a"], "old"]);
  });

  describe.runIf(isElsewhere)("moved to another file system", () => {
    const move = (from: string, to: string) => (overlay: Overlay) => overlay.rename(from, to);

    test("a file, over another one", async () => {
      const [root, there] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      const [from, to] = [join(root, "a"), join(there, "b")];
      writeFileSync(from, "moved");
      chmodSync(from, 0o751);
      writeFileSync(to, "old");
      utimesSync(from, 1_600_000_000, 1_600_000_000);
      expect(await land(root, move(from, to))).toBe("ok");
      expect([existsSync(from), readFileSync(to, "utf8"), mode(to), statSync(to).mtimeMs, readdirSync(there)]).toEqual([false, "moved", 0o751, 1_600_000_000_000, ["b"]]);
    });

    test("a directory with all in it", async () => {
      const [from, to] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      grow(join(from, "d"), { "e/a.txt": "deep", empty: null });
      symlinkSync("../outside", join(from, "d/link"));
      chmodSync(join(from, "d/e"), 0o750);
      expect(await land(from, move(join(from, "d"), join(to, "d")))).toBe("ok");
      expect([readdirSync(from), readdirSync(to)]).toEqual([[], ["d"]]);
      expect([readFileSync(join(to, "d/e/a.txt"), "utf8"), readlinkSync(join(to, "d/link")), mode(join(to, "d/e")), readdirSync(join(to, "d")).length]).toEqual(["deep", "../outside", 0o750, 3]);
    });

    test("what cannot be put in its place stays whole where it was", async () => {
      const [from, to] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      grow(from, { "d/a.txt": "a" });
      grow(to, { "d/b.txt": "b" });
      expect(await land(from, move(join(from, "d"), join(to, "d")))).toBe("ENOTEMPTY");
      expect([readdirSync(from), readdirSync(join(from, "d")), readdirSync(to), readdirSync(join(to, "d"))]).toEqual([["d"], ["a.txt"], ["d"], ["b.txt"]]);
    });

    test("what cannot be copied stays whole where it was", async () => {
      const [from, to] = [temporaryDirectory(), temporaryDirectory(elsewhere)];
      grow(from, { "d/a.txt": "a" });
      execFileSync("mkfifo", [join(from, "d/pipe")]);
      expect(await land(from, move(join(from, "d"), join(to, "d")))).toBe("ENOTSUP");
      expect([readdirSync(join(from, "d")).length, readdirSync(to)]).toEqual([2, []]);
    });
  });
});

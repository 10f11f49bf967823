/** Views by cloning, as machines use them whose kernel makes no overlay and whose file system can clone. */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Loaf } from "../../src/index.ts";
import { projectStateFolder } from "../../src/state/places.ts";
import { type Btrfs, mountBtrfs, whyNoBtrfs } from "../support/btrfs.ts";
import { runCommands, type Step } from "../support/command-run.ts";
import { snapshot } from "../support/sandbox.ts";

const reason = whyNoBtrfs();

describe.skipIf(reason !== undefined)(`on btrfs${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  let btrfs: Btrfs;
  beforeAll(() => {
    btrfs = mountBtrfs() as Btrfs;
    vi.stubEnv("XDG_STATE_HOME", join(btrfs.path, "state"));
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    btrfs.remove();
  });

  function project(): string {
    const root = mkdtempSync(join(btrfs.path, "project-"));
    for (const name of ["a.txt", "gone.txt", "both.txt", "left.txt"]) writeFileSync(join(root, name), name);
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "d/.env"), "SECRET=1");
    return root;
  }

  test("what a command changes on a clone lands, what somebody else changes stays theirs, and undo gives all back", async () => {
    const root = project();
    const before = snapshot(root);
    const seen: string[] = [];
    const both: Step = {
      command: (files) => {
        seen.push(...readdirSync(join(files, "d")));
        appendFileSync(join(files, "both.txt"), " command");
        appendFileSync(join(root, "both.txt"), " user");
      },
    };
    const { commands } = await runCommands(root, ["echo more >> a.txt; rm gone.txt; mkdir new; echo new > new/b.txt; chmod 755 left.txt", both], { view: "clone" });
    expect(commands[0]?.changed.map(({ path, change }) => `${change} ${path}`)).toEqual(["changed a.txt", "deleted gone.txt", "changed left.txt", "created new/b.txt"]);
    expect([seen, commands[1]?.refused[0]?.reason, readFileSync(join(root, "both.txt"), "utf8")]).toEqual([[], "changed", "both.txt user"]);
    await (await Loaf.create({ repoPath: root })).undo();
    expect(snapshot(root)).toEqual({ ...before, "both.txt": "644 both.txt user" });
    expect(readdirSync(join(projectStateFolder(root), "views"))).toEqual([]);
  });

  test("a clone takes no space, so that no limit of bytes holds for it", async () => {
    const root = project();
    truncateSync(join(root, "a.txt"), 600 * 2 ** 20);
    await expect(runCommands(root, ["echo b > b.txt"], { view: "copy" })).rejects.toMatchObject({ failure: { code: "exec/no-view" } });
    const { commands } = await runCommands(root, ["echo b > b.txt"], { view: "clone" });
    expect(commands[0]?.changed).toEqual([{ path: "b.txt", change: "created" }]);
  });
});

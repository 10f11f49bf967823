import { chmodSync, chownSync, linkSync, lstatSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Config, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { block } from "../support/hostile.ts";
import { hasSandbox } from "../support/programs.ts";

const isRoot = process.getuid?.() === 0;
const OTHER = 65_534;

const edit = (path: string): string => block({ action: "file_replace_text", path, old_text: "old", new_text: "new" });
const command = block({ action: "exec", lang: "bash", code: 'for f in run.sh shut.txt link.txt; do sed -i --follow-symlinks s/old/new/ "$f"; done' });

const answers: Record<string, string> = {
  edits: ["run.sh", "shut.txt", "link.txt"].map(edit).join(""),
  writes: ["run.sh", "shut.txt", "link.txt"].map((path) => block({ action: "file_write", path, content: "new\n" })).join(""),
  "a command": command,
};

describe.each<NonNullable<Config["transaction"]>>(["keep", "all-or-nothing"])("%s", (transaction) => {
  test.each(Object.keys(answers))("108: mode, owner and links survive %s and their undo", async (kind) => {
    if (kind === "a command" && !hasSandbox) return;
    const root = createFolder({ "run.sh": "old\n", "shut.txt": "old\n", "target.txt": "old\n", "twin.txt": "same\n" });
    chmodSync(join(root, "run.sh"), 0o755);
    chmodSync(join(root, "shut.txt"), 0o640);
    chmodSync(join(root, "target.txt"), 0o604);
    symlinkSync("target.txt", join(root, "link.txt"));
    linkSync(join(root, "twin.txt"), join(root, "other.txt"));
    // In its user namespace a command cannot read what belongs to others.
    if (isRoot && kind !== "a command") for (const name of ["run.sh", "shut.txt", "target.txt"]) chownSync(join(root, name), OTHER, OTHER);
    const before = attributes(root);
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, transaction, git: { commit: false } } });
    const { results } = await loaf.execute(answers[kind] ?? "");
    expect(results.map(({ error }) => error)).toEqual(results.map(() => undefined));
    expect(["run.sh", "shut.txt", "target.txt"].map((name) => readFileSync(join(root, name), "utf8"))).toEqual(["new\n", "new\n", "new\n"]);
    expect(attributes(root)).toEqual(before);
    await loaf.undo();
    expect(readFileSync(join(root, "target.txt"), "utf8")).toBe("old\n");
    expect(attributes(root)).toEqual(before);
  });
});

function attributes(root: string): unknown {
  const files = ["run.sh", "shut.txt", "target.txt", "twin.txt", "other.txt"].map((name) => {
    const { mode, uid, gid, nlink } = lstatSync(join(root, name));
    return [name, (mode & 0o7777).toString(8), uid, gid, nlink];
  });
  return [...files, readlinkSync(join(root, "link.txt"))];
}

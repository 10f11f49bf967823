/** What a dry run tells of files, and what it keeps to itself. */
import { truncateSync } from "node:fs";
import { expect, test } from "vitest";
import type { Content } from "../../../src/core/change-set.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { systemError } from "../../../src/disk/system-error.ts";
import type { Volume } from "../../../src/disk/volume.ts";
import { createProject, type Project, type Tree } from "../files/project.ts";

interface DryRun extends Project {
  /** By path in the root: what was and what is, as text, or the size where no bytes are told. */
  changes(): Record<string, unknown>;
}

function dryRun(tree: Tree, over = (disk: Volume): Volume => disk): DryRun {
  const overlay = new Overlay(over(new Disk()));
  const project = createProject(tree, { volume: () => overlay, maxFileSize: 2 ** 30 });
  const told = (content: Content | undefined) => (content?.kind === "file" ? (content.bytes === undefined ? content.size : Buffer.from(content.bytes).toString()) : content?.kind);
  return {
    ...project,
    changes: () => {
      const changes = overlay.changes((path) => project.guard.refusal(path, "read") === undefined);
      return Object.fromEntries(changes.map(({ path, before, after }) => [path.slice(project.root.length + 1), [told(before), told(after)]]));
    },
  };
}

test("files that may be written but not read keep their bytes to themselves", () => {
  const { files, changes } = dryRun({ ".env": "A=1", id_rsa: "secret", "a.txt": "a" });
  files.remove(".env");
  files.write("id_rsa", "x");
  files.move("a.txt", "server.pem");
  expect(changes()).toEqual({ ".env": [3, undefined], "a.txt": ["a", undefined], id_rsa: [6, 1], "server.pem": [undefined, 1] });
});

test("a file that the system does not let one read can be deleted", () => {
  const { files, changes } = dryRun({ "a.txt": "a" }, (disk) => Object.assign(disk, { readFile: () => { throw systemError("EACCES", "open", "a.txt"); } }));
  files.remove("a.txt");
  expect(changes()).toEqual({ "a.txt": [1, undefined] });
});

test("of files that are too large nothing is read", () => {
  let read = 0;
  const { files, at, changes } = dryRun({ "3gb": "", "moved/600mb": "", same: "", "a.txt": "a" }, (disk) => {
    const readFile = disk.readFile.bind(disk);
    return Object.assign(disk, { readFile: (path: string) => { const content = readFile(path); read += content.bytes.length; return content; } });
  });
  for (const [path, size] of [["3gb", 3e9], ["moved/600mb", 6e8], ["same", 6e8]] as const) truncateSync(at(path), size);
  files.remove("3gb");
  files.move("moved", "to");
  files.move("same", "elsewhere");
  files.move("elsewhere", "same");
  files.remove("a.txt");
  expect(changes()).toEqual({
    "3gb": [3e9, undefined],
    "a.txt": ["a", undefined],
    moved: ["directory", undefined],
    "moved/600mb": [6e8, undefined],
    to: [undefined, "directory"],
    "to/600mb": [undefined, 6e8],
  });
  expect(read).toBe(1);
});

test("all changes together show no more than so many bytes", () => {
  const part = Buffer.alloc(12 * 2 ** 20, "x");
  const { files, changes } = dryRun({ a: part, b: part, c: part });
  for (const path of ["a", "b", "c"]) files.remove(path);
  expect(Object.values(changes()).map((change) => typeof (change as unknown[])[0])).toEqual(["string", "string", "number"]);
});

test("equal bytes are no change, whichever file they come from", () => {
  const { files, changes } = dryRun({ a: "same", b: "same" });
  files.move("a", "b");
  expect(changes()).toEqual({ a: ["same", undefined] });
});

/** What a command changes is found, listed and undone. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { runCommands } from "../../support/command-run.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

test("what a command creates, changes and deletes is listed, and undo and redo take it back and forth", async () => {
  const root = createFolder({ "edit.txt": "old\r\n", "gone.txt": "gone", "d/deep/in.txt": "in", "same.txt": "same", "tool.sh": "echo" });
  chmodSync(join(root, "tool.sh"), 0o750);
  const before = snapshot(root);
  const { commands, modifiedFiles, run } = await runCommands(root, ["printf new >> edit.txt; rm gone.txt; rm -r d; mkdir -p n/m; echo x > n/m/new.txt; touch same.txt; chmod -x tool.sh; ln -s edit.txt link"]);
  expect(commands[0]?.changed).toEqual([
    { path: "d/deep/in.txt", change: "deleted" },
    { path: "edit.txt", change: "changed" },
    { path: "gone.txt", change: "deleted" },
    { path: "link", change: "created" },
    { path: "n/m/new.txt", change: "created" },
    { path: "tool.sh", change: "changed" },
  ]);
  expect(commands[0]?.warnings).toEqual([]);
  expect(modifiedFiles.toSorted()).toEqual(commands[0]?.changed.map(({ path }) => path));
  expect(run).toBe(1);
  const after = snapshot(root);
  const loaf = await Loaf.create({ repoPath: root });
  expect((await loaf.undo()).runs[0]?.refused).toEqual([]);
  expect(snapshot(root)).toEqual(before);
  expect((await loaf.redo()).runs[0]?.refused).toEqual([]);
  expect(snapshot(root)).toEqual(after);
});

test("a command that changes nothing leaves no run", async () => {
  const root = createFolder({ "a.txt": "a" });
  expect(await runCommands(root, ["cat a.txt; touch a.txt; ls"])).toMatchObject({ run: undefined, modifiedFiles: [], commands: [{ changed: [], warnings: [] }] });
  expect((await (await Loaf.create({ repoPath: root })).history()).runs).toEqual([]);
});

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { UndoLog } from "../../../src/core/undo-log.ts";
import { Disk } from "../../../src/disk/disk.ts";
import type { Operation } from "../../../src/disk/operation.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { Staging } from "../../../src/disk/staging.ts";
import { Changed } from "../../../src/disk/volume.ts";
import { growthOfItem } from "../../support/work.ts";
import { tries } from "../../support/tries.ts";
import { createProject } from "../files/project.ts";

const open = (tree: Record<string, string>) => {
  const project = createProject(tree);
  return { ...project, overlay: new Overlay(new Disk()) };
};

const shown = (operation: Operation): string => {
  switch (operation.kind) {
    case "write":
      return `write ${String(operation.content)}`;
    case "rename":
      return "rename";
    default:
      return operation.kind;
  }
};

it("writes a file once however often it was edited, for all who edited it", () => {
  const { overlay, at } = open({ a: "0" });
  for (let author = 1; author <= 1000; author++) {
    overlay.author = author;
    overlay.writeFile(at("a"), Buffer.from(String(author)));
  }
  expect(overlay.size).toBe(4);
  const staged = overlay.take();
  expect(staged.map(({ operation }) => shown(operation))).toEqual(["write 1000"]);
  expect(staged[0]?.authors).toHaveLength(1000);
});

it("takes no longer for the last of thousands who write one file than for the first", () => {
  const growth = growthOfItem(16_000, (count) => {
    const staging = new Staging();
    for (staging.author = 1; staging.author <= count; staging.author++) staging.add({ kind: "write", path: "/a", content: Buffer.alloc(0), basis: null });
  });
  expect(growth).toBeLessThan(4);
});

it("keeps apart what was written before and after a move", () => {
  const { overlay, at } = open({ a: "0" });
  overlay.writeFile(at("a"), Buffer.from("1"));
  overlay.rename(at("a"), at("b"));
  overlay.writeFile(at("a"), Buffer.from("2"));
  overlay.writeFile(at("b"), Buffer.from("3"));
  expect(overlay.take().map(({ operation }) => shown(operation))).toEqual(["write 1", "rename", "write 2", "write 3"]);
});

it("forgets a directory that was taken away again at once", () => {
  const { overlay, at } = open({});
  overlay.makeDirectory(at("d"));
  overlay.makeDirectory(at("d/e"));
  overlay.removeDirectory(at("d/e"));
  overlay.removeDirectory(at("d"));
  expect(overlay.take()).toEqual([]);
});

it("shows what is beneath once its changes were taken", () => {
  const { overlay, at } = open({ a: "old" });
  overlay.writeFile(at("a"), Buffer.from("new"));
  overlay.take();
  expect(overlay.readFile(at("a")).bytes.toString()).toBe("old");
  expect(overlay.changes(() => true)).toEqual([]);
});

it("76: a file that somebody else has written since it was read is not written, moved, replaced or removed", () => {
  const { overlay, at } = open({ a: "mine", b: "other" });
  overlay.readFile(at("a"));
  writeFileSync(at("a"), "theirs");
  for (const act of [
    () => overlay.writeFile(at("a"), Buffer.from("new")),
    () => overlay.unlink(at("a")),
    () => overlay.rename(at("a"), at("c")),
    () => overlay.rename(at("b"), at("a")),
  ]) expect(act).toThrow(Changed);
  expect(overlay.take()).toEqual([]);
  expect(readFileSync(at("a"), "utf8")).toBe("theirs");
});

it("tells that a file that was read is gone, unless the run itself has removed it", () => {
  const { overlay, at } = open({ a: "mine", b: "mine" });
  overlay.readFile(at("a"));
  overlay.readFile(at("b"));
  rmSync(at("a"));
  expect(() => overlay.writeFile(at("a"), Buffer.from("new"))).toThrow(Changed);
  overlay.unlink(at("b"));
  overlay.writeFile(at("b"), Buffer.from("new"));
  expect(overlay.take().map(({ operation }) => shown(operation))).toEqual(["unlink", "write new"]);
});

const names = fc.constantFrom("a", "b", "d", "d/e", "d/f", "new", "new/x");
const steps = fc.array(fc.record({ kind: fc.constantFrom("write", "unlink", "rename", "makeDirectory", "removeDirectory"), one: names, other: names }), { maxLength: 8 });

it("102: once an attempt is taken back it shows and stages what it did before, whatever the attempt was", () => {
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const { at } = open({ a: "0", "d/e": "1" });
      const undo = new UndoLog();
      const overlay = new Overlay(new Disk(), undo);
      const shape = () => overlay.changes(() => true);
      const act = (list: typeof before): void => {
        for (const [index, { kind, one, other }] of list.entries()) {
          overlay.author = index + 1;
          try {
            if (kind === "write") overlay.writeFile(at(one), Buffer.from(`${index}`));
            else if (kind === "rename") overlay.rename(at(one), at(other));
            else overlay[kind as "unlink" | "makeDirectory" | "removeDirectory"](at(one));
          } catch {
            // What the disk would refuse is refused.
          }
        }
      };
      act(before);
      const [shownThen, size] = [shape(), overlay.size];
      undo.begin();
      act(after);
      undo.rewind();
      undo.end();
      expect([shape(), overlay.size]).toEqual([shownThen, size]);
      const staged = overlay.take();
      act(before);
      expect(staged).toEqual(overlay.take());
    }),
    tries(60, 2_000),
  );
});

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { AttemptRollback } from "../../../src/core/attempt-rollback.ts";
import { Disk } from "../../../src/disk/disk.ts";
import type { Planned } from "../../../src/disk/planned.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { Changed } from "../../../src/disk/volume.ts";
import { growthOfItem } from "../../support/work.ts";
import { tries } from "../../support/tries.ts";
import { createProject } from "../files/project.ts";

const open = (tree: Record<string, string>) => {
  const project = createProject(tree);
  return { ...project, overlay: new Overlay(new Disk()) };
};

const shown = ({ path, from, after }: Planned): string => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const moved = from === undefined ? "" : ` from ${from.slice(from.lastIndexOf("/") + 1)}`;
  return `${name} ${after?.kind ?? "gone"}${after?.kind === "file" ? ` ${String(after.content)}` : ""}${moved}`;
};

it("writes a file once however often it was edited, for all who edited it", () => {
  const { overlay, at } = open({ a: "0" });
  for (let author = 1; author <= 1000; author++) {
    overlay.author = author;
    overlay.writeFile(at("a"), Buffer.from(String(author)));
  }
  expect(overlay.size).toBe(4);
  const staged = overlay.take();
  expect(staged.map(shown)).toEqual(["a file 1000"]);
  expect(staged[0]?.authors).toHaveLength(1000);
});

it("takes no longer for the last of thousands who write one file than for the first", () => {
  const growth = growthOfItem(16_000, (count) => {
    const { overlay, at } = open({ a: "0" });
    for (overlay.author = 1; overlay.author <= count; overlay.author++) overlay.writeFile(at("a"), Buffer.alloc(0));
    overlay.take();
  });
  expect(growth).toBeLessThan(4);
});

it("keeps apart what was written before and after a move", () => {
  const { overlay, at } = open({ a: "0" });
  overlay.writeFile(at("a"), Buffer.from("1"));
  overlay.rename(at("a"), at("b"));
  overlay.writeFile(at("a"), Buffer.from("2"));
  overlay.writeFile(at("b"), Buffer.from("3"));
  expect(overlay.take().map(shown)).toEqual(["a file 2", "b file 3 from a"]);
});

it("stages a file once that moved from place to place, and nothing once it is back", () => {
  const { overlay, at } = open({ a: "0", b: "1" });
  overlay.rename(at("a"), at("c"));
  overlay.rename(at("c"), at("d"));
  expect(overlay.take().map(shown)).toEqual(["a gone", "d moved from a"]);
  overlay.rename(at("a"), at("c"));
  overlay.rename(at("c"), at("a"));
  expect(overlay.take()).toEqual([]);
});

it("stages copies of two files that changed places", () => {
  const { overlay, at } = open({ a: "0", b: "1" });
  overlay.rename(at("a"), at("t"));
  overlay.rename(at("b"), at("a"));
  overlay.rename(at("t"), at("b"));
  expect(overlay.take().map(shown)).toEqual(["a file 1 from b", "b file 0 from a"]);
});

it("stages each entry of a moved directory, and keeps what the run changed in it", () => {
  const { overlay, at } = open({ "d/a": "0", "d/e/b": "1" });
  overlay.rename(at("d"), at("m"));
  overlay.writeFile(at("m/a"), Buffer.from("2"));
  expect(overlay.take().map(shown)).toEqual(["d gone", "a gone", "e gone", "b gone", "m directory from d", "a file 2 from a", "e directory from e", "b moved from b"]);
});

it("shows and changes the files of a directory that was moved there and back", () => {
  const { overlay, at } = open({ "d/a": "0", "d/b": "1" });
  overlay.rename(at("d"), at("m"));
  overlay.rename(at("m"), at("d"));
  expect(overlay.readFile(at("d/a")).bytes.toString()).toBe("0");
  overlay.writeFile(at("d/b"), Buffer.from("2"));
  expect(overlay.changes(() => true).map(({ path }) => path)).toEqual([at("d/b")]);
  expect(overlay.take()).toMatchObject([{ path: at("d/b"), after: { like: at("d/b") }, basis: expect.any(String) as unknown }]);
});

it("moves no directory with a name that is not UTF-8", () => {
  const { overlay, at } = open({ "d/a": "0" });
  writeFileSync(Buffer.concat([Buffer.from(at("d/")), Buffer.from([0xe9])]), "");
  expect(() => overlay.rename(at("d"), at("m"))).toThrow("EILSEQ");
  expect(overlay.take()).toEqual([]);
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
  expect(overlay.take().map(shown)).toEqual(["b file new"]);
});

const names = fc.constantFrom("a", "b", "d", "d/e", "d/f", "new", "new/x");
const steps = fc.array(fc.record({ kind: fc.constantFrom("write", "unlink", "rename", "makeDirectory", "removeDirectory"), one: names, other: names }), { maxLength: 8 });

it("102: once an attempt is taken back it shows and stages what it did before, whatever the attempt was", () => {
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const { at } = open({ a: "0", "d/e": "1" });
      const undo = new AttemptRollback();
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

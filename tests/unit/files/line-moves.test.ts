import { expect, test } from "vitest";
import type { Failed } from "../../../src/core/failure.ts";
import { parseLineRange } from "../../../src/edit/lines.ts";
import { spliceBytes } from "../../../src/edit/codec.ts";
import type { Splice } from "../../../src/edit/splice.ts";
import { LineMoves } from "../../../src/files/line-moves.ts";
import { growthOfItem } from "../../support/work.ts";

const LETTERS = "a\nb\nc\nd\ne\n";

/** One file and its tracked lines. */
class OneFile {
  readonly moves = new LineMoves();
  bytes: Buffer;

  constructor(text = LETTERS) {
    this.bytes = Buffer.from(text);
  }

  edit(...splices: Splice[]): this {
    const before = this.bytes;
    this.bytes = spliceBytes(before, splices, "/f");
    this.moves.edited("/f", before, this.bytes, splices);
    return this;
  }

  /** Replaces text that occurs once in the file. */
  replace(old: string, text: string): this {
    const start = this.bytes.indexOf(old);
    return this.edit({ start, end: start + Buffer.byteLength(old), text });
  }

  command(text: string, isKept = true): this {
    const before = this.bytes;
    this.bytes = Buffer.from(text);
    this.moves.changedByCommand("/f", () => (isKept ? before : undefined));
    return this;
  }

  /** Returns the failure for a range, or undefined. */
  check(lines: string, path = "/f"): unknown {
    try {
      this.moves.check(path, parseLineRange(lines), () => this.bytes);
      return undefined;
    } catch (thrown) {
      const { code: _, lines: __, ...facts } = (thrown as Failed).failure as unknown as Record<string, unknown>;
      return facts;
    }
  }
}

test("lines below an insertion have moved, lines above it have not", () => {
  const file = new OneFile().replace("b\n", "b\nnew\n");
  expect(["1", "3", "3-5"].map((lines) => file.check(lines))).toEqual([undefined, { change: "moved", now: "4" }, { change: "moved", now: "4-6" }]);
});

test("a changed line names its replacement, a deleted one names none", () => {
  expect(new OneFile().replace("b", "x\ny").check("2")).toEqual({ change: "replaced", now: "2-3" });
  expect(new OneFile().replace("b", "x").check("1-3")).toEqual({ change: "replaced", now: "1-3" });
  expect(new OneFile().replace("b\n", "").check("2")).toEqual({ change: "replaced" });
  expect(new OneFile().replace("b\n", "b\nnew\n").check("2-3")).toEqual({ change: "replaced", now: "2-4" });
});

test("a replaced whole line does not touch its neighbours", () => {
  const file = new OneFile().replace("b\n", "x\n");
  expect([file.check("1"), file.check("3")]).toEqual([undefined, undefined]);
});

test("lines back in their places may be named", () => {
  const file = new OneFile().replace("a\n", "").replace("b\n", "b\nnew\n");
  expect([file.check("2"), file.check("3"), file.check("1")]).toEqual([{ change: "replaced", now: "1-2" }, undefined, { change: "replaced" }]);
});

test("a line joined with the one before it is changed, and so is one extended at the end of the file", () => {
  expect(new OneFile().replace("b\n", "b ").check("3")).toEqual({ change: "replaced", now: "2" });
  expect(new OneFile("a\nb").edit({ start: 3, end: 3, text: "x\n" }).check("2")).toEqual({ change: "replaced", now: "2" });
  expect(new OneFile("a\nb").edit({ start: 3, end: 3, text: "\n" }).check("1")).toBeUndefined();
});

test("lines added by the run have no old numbers; numbers beyond the old end are left to other checks", () => {
  const file = new OneFile().edit({ start: 10, end: 10, text: "f\n" });
  expect([file.check("5"), file.check("6"), file.check("7")]).toEqual([undefined, { change: "added", count: 5 }, undefined]);
});

test("counts several splices of one edit, also on one line", () => {
  const file = new OneFile("a b\nc\na d\n").edit({ start: 0, end: 1, text: "x\ny" }, { start: 2, end: 3, text: "z" }, { start: 6, end: 7, text: "w" });
  expect([file.check("1"), file.check("2"), file.check("3")]).toEqual([{ change: "replaced", now: "1-2" }, { change: "moved", now: "3" }, { change: "replaced", now: "4" }]);
});

test("a command counts by its changed lines; without a pre-image all numbers are unknown", () => {
  const file = new OneFile().replace("b\n", "b\nnew\n").command("a\nb\nnew\nc\nD\nd2\ne\n");
  expect(["1", "3", "4", "5"].map((lines) => file.check(lines))).toEqual([undefined, { change: "moved", now: "4" }, { change: "replaced", now: "5-6" }, { change: "moved", now: "7" }]);
  file.command("b\nnew\nc\nD\nd2\ne\n").edit({ start: 0, end: 0, text: "0\n" });
  expect([file.check("2"), file.check("5")]).toEqual([{ change: "replaced", now: "2-3" }, { change: "moved", now: "7" }]);
  expect(new OneFile().command("x\n", false).check("1")).toEqual({ change: "unknown" });
});

test("the numbers of a file that a command may have moved are unknown", () => {
  const file = new OneFile().replace("a", "x");
  file.moves.movedByCommand(["/g"], ["/f"]);
  expect([file.check("1", "/g"), file.check("1")]).toEqual([{ change: "unknown" }, undefined]);
  file.moves.movedByCommand(["/h"], ["/other"]);
  expect(file.check("1", "/h")).toBeUndefined();
});

test("numbers follow a move, also of a directory; an overwritten file starts over", () => {
  const file = new OneFile().replace("a\n", "");
  file.moves.moved("/f", "/dir/f");
  file.moves.moved("/dir", "/other");
  expect([file.check("2"), file.check("2", "/dir/f"), file.check("2", "/other/f")]).toEqual([undefined, undefined, { change: "moved", now: "1" }]);
  file.moves.moved("/x", "/other/f");
  expect(file.check("2", "/other/f")).toBeUndefined();
  const overwritten = new OneFile().replace("a\n", "");
  overwritten.moves.restarted("/f");
  expect(overwritten.check("2")).toBeUndefined();
});

test("after too many edits, the lines between the last ones count as changed", () => {
  const file = new OneFile(Array.from({ length: 3_000 }, (_, index) => `${index}\n`).join(""));
  for (let index = 2; index < 2_400; index += 2) file.replace(`\n${index + 1}\n`, `\nx${index}\n`);
  expect([file.check("1"), file.check("2300"), file.check("2999")]).toEqual([undefined, expect.objectContaining({ change: "replaced" }), undefined]);
});

test("thousands of edits of one file take linear time", () => {
  const lines = 2_000;
  const growth = growthOfItem(lines, (count) => {
    const file = new OneFile("abcdefghi\n".repeat(lines));
    for (let edit = 0; edit < count; edit++) {
      const start = 10 * Math.floor((edit * lines) / count);
      file.edit({ start, end: start + 1, text: "x" });
    }
  });
  expect(growth).toBeLessThan(5);
});

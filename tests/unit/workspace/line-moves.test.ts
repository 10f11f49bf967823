import { expect, test } from "vitest";
import type { Splice } from "../../../src/text/splice.ts";
import { LineMoves } from "../../../src/workspace/line-moves.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";

/** A workspace of one file, as far as edits go. */
function workspaceOf(text: string): { readonly text: () => string; readonly workspace: Workspace } {
  let content = text;
  const workspace = {
    edit: (_: string, change: (bytes: Buffer) => { splices: readonly Splice[] }) => {
      const edit = change(Buffer.from(content));
      for (const splice of edit.splices.toReversed()) content = content.slice(0, splice.start) + splice.text + content.slice(splice.end);
      return edit;
    },
    write: (_: string, written: string) => ((content = written), written.length),
  } as unknown as Workspace;
  return { text: () => content, workspace };
}

test("what stands behind an edit has moved by the lines it added", () => {
  const moves = new LineMoves();
  const { text, workspace } = workspaceOf("1\n2\n3\n4\n5\n");
  const watched = moves.watch(workspace);
  const replace = (old: string, by: string) => watched.edit("/f", () => ({ splices: [{ start: text().indexOf(old), end: text().indexOf(old) + old.length, text: by }] }));
  const moved = (line: string) => moves.before("/f", text().indexOf(line));
  replace("3\n", "3\n3a\n3b\n");
  expect([moved("1"), moved("4")]).toEqual([0, 2]);
  replace("1\n", "");
  expect([moved("2"), moved("3b"), moved("5")]).toEqual([-1, -1, 1]);
  replace("5", "five");
  expect(moved("five")).toBe(1);
  expect(moves.before("/other", 10)).toBe(0);
  expect(moves.before("/x/../f", text().indexOf("five"))).toBe(1);
});

test("several splices count together, and nothing counts in a file that was written anew", () => {
  const moves = new LineMoves();
  const { text, workspace } = workspaceOf("a\nb\na\nc\n");
  const watched = moves.watch(workspace);
  watched.edit("/f", () => ({ splices: [{ start: 0, end: 1, text: "x\ny" }, { start: 4, end: 5, text: "x\ny" }] }));
  expect([moves.before("/f", text().indexOf("b")), moves.before("/f", text().indexOf("c"))]).toEqual([1, 2]);
  watched.write("/f", text());
  expect(moves.before("/f", text().indexOf("c"))).toBe(0);
});

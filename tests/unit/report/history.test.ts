import { stripVTControlCharacters, styleText } from "node:util";
import { describe, expect, test } from "vitest";
import type { ReversedRun } from "../../../src/core/history.ts";
import { historyReport, reversalReport } from "../../../src/report/history.ts";

const root = "/project";
const run = (given: Partial<ReversedRun>): ReversedRun => ({ run: 12, summary: "write 3 files, edit src/app.ts", isReversed: (given.refused ?? []).length === 0 || (given.restored ?? []).length > 0, restored: [], refused: [], ...given });
const report = (kind: "undo" | "redo", ...runs: ReversedRun[]) => reversalReport({ kind, runs, missing: 0, ...(kind === "undo" && { next: 9 }), notices: [] }, { root, color: false });

test("an undo says in one line what it took back, and names what was merged or kept", () => {
  const restored = [
    { path: "/project/src/app.ts", how: "restored" },
    { path: "/project/new.txt", how: "removed" },
    { path: "/project/a", how: "moved", from: "/project/b" },
  ] as const;
  expect(report("undo", run({ restored }))).toBe("Undone: run 12 (write 3 files, edit src/app.ts): restored src/app.ts, removed new.txt, moved b to a");
  const more = [{ path: "/project/made", how: "kept" }, { path: "/project/x", how: "merged" }, { path: "/elsewhere/x", how: "restored" }] as const;
  expect(report("undo", run({ restored: [...restored, ...more] }))).toBe(`Undone: run 12 (write 3 files, edit src/app.ts): restored 3 paths, removed 1 path, moved 1 path
  kept made (not empty)
  restored x (your changes since are kept)`);
  expect(report("undo", run({ restored: more }))).toBe("Undone: run 12 (write 3 files, edit src/app.ts): kept made (not empty), restored x (your changes since are kept), restored /elsewhere/x");
  expect(report("redo", run({ restored: [restored[0]], head: { branch: "main", commit: "0123456789abcdef" } }))).toBe("Redone: run 12 (write 3 files, edit src/app.ts): restored src/app.ts; main is at 0123456789 again");
  expect(report("undo", run({ restored: [restored[0]], commit: "0123456789abcdef" }))).toBe("Undone: run 12 (write 3 files, edit src/app.ts): restored src/app.ts; committed 0123456");
});

test("names refused paths with the reason and advice", () => {
  const refused = [{ path: "/project/x", reason: "it has changed since" }];
  const restored = [{ path: "/project/y", how: "restored" }] as const;
  expect(report("undo", run({ refused, restored }))).toBe(`Undone in part: run 12 (write 3 files, edit src/app.ts): restored y
  ❌ x: it has changed since
loaf diff 12 shows what run 12 did there. To undo that too, restore what the run left there, then: loaf redo 12 and loaf undo 12`);
  expect(report("undo", run({ refused }))).toContain(`Not undone: run 12 (write 3 files, edit src/app.ts)
  ❌ x: it has changed since
loaf diff 12 shows what run 12 did there. To undo that too, restore what the run left there, then: loaf undo 12. To undo an earlier run: loaf undo 9`);
  expect(report("redo", run({ refused, restored }))).toContain("Redone in part: run 12 (");
});

test("the advice to go further back names the next run, once", () => {
  const refused = [{ path: "/project/x", reason: "it has changed since" }];
  const shown = report("undo", run({ refused }), run({ run: 11, isReversed: true }), run({ run: 10, refused }));
  expect(shown.match(/To undo an earlier.*/g)).toEqual(["To undo an earlier run: loaf undo 9"]);
  expect(shown).toMatch(/run 10 did there\. .*loaf undo 9$/);
});

test("the advice calls a later run another one", () => {
  const shown = report("undo", run({ run: 2, refused: [{ path: "/project/x", reason: "it has changed since" }] }));
  expect(shown).toContain("To undo another run: loaf undo 9");
});

test("gives no advice to go further back if there is no earlier run", () => {
  const runs = [run({ refused: [{ path: "/project/x", reason: "it has changed since" }] })];
  const shown = reversalReport({ kind: "undo", runs, missing: 0, notices: [] }, { root, color: false });
  expect(shown.split("\n").at(-1)).toBe("loaf diff 12 shows what run 12 did there. To undo that too, restore what the run left there, then: loaf undo 12");
});

test("gives no advice to change a file back if only the system refused", () => {
  const refused = [{ path: "/project/x", reason: "ENOSPC: no space left on device, write 'x'", mayPass: true }] as const;
  expect(report("undo", run({ refused })).split("\n").at(-1)).toBe("The system refused that. Fix the cause, then: loaf undo 12");
  const restored = [{ path: "/project/y", how: "restored" }] as const;
  expect(report("redo", run({ refused, restored })).split("\n").at(-1)).toBe("The system refused that. Fix the cause, then: loaf undo 12 and loaf redo 12");
  expect(report("undo", run({ refused: [...refused, { path: "/project/z", reason: "it has changed since" }] }))).toContain("restore what the run left there");
});

test("an undo that had nothing to change says so", () => {
  const restored = [{ path: "/project/x", how: "unchanged" }, { path: "/project/y", how: "restored" }] as const;
  const nothing = run({ restored: restored.slice(0, 1), isReversed: false });
  expect(report("undo", nothing)).toBe("Not undone: run 12 (write 3 files, edit src/app.ts): nothing to take back, its files are as they were before it\nTo undo an earlier run: loaf undo 9");
  expect(report("redo", nothing)).toBe("Not redone: run 12 (write 3 files, edit src/app.ts): nothing to bring back, its files are as the run left them");
  expect(report("undo", run({ restored }))).toBe("Undone: run 12 (write 3 files, edit src/app.ts): restored y");
  expect(report("undo", run({}))).toBe("Undone: run 12 (write 3 files, edit src/app.ts): its files are that way already");
});

test("each run has a line; a run without summary shows none", () => {
  const restored = [{ path: "/project/y", how: "restored" }] as const;
  expect(report("redo", run({ summary: "", restored }), run({ run: 11, restored })).split("\n")).toEqual(["Redone: run 12: restored y", "Redone: run 11 (write 3 files, edit src/app.ts): restored y"]);
});

test("a name cannot control the terminal or forge a line", () => {
  const text = report("undo", run({ restored: [{ path: "/project/a\u001b[2J\nUndone: run 1", how: "restored" }], summary: "edit \u202e" }));
  expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(text.split("\n")).toHaveLength(1);
});

const now = Date.parse("2026-05-05T12:00:00Z");
const past = (number: number, started: string) => ({ run: number, started, summary: `edit ${number}.txt`, state: "done" }) as const;

test("the log has a line for each run, newest first", () => {
  const runs = [
    past(12, "2026-05-05T11:59:40Z"),
    { ...past(11, "2026-05-05T11:55:00Z"), state: "undone" } as const,
    { ...past(10, "2026-05-05T10:59:00Z"), state: "undone", kept: ["/a"] } as const,
    { ...past(9, "2026-05-04T09:00:00Z"), state: "redone" } as const,
    { ...past(8, "2026-05-01T12:00:00Z"), state: "unfinished" } as const,
    { ...past(7, "2026-05-01T12:00:00Z"), state: "interrupted" } as const,
    { ...past(7, "2026-05-01T12:00:00Z"), state: "interrupted", commit: "" } as const,
    { ...past(7, "2026-05-01T12:00:00Z"), state: "running" } as const,
    past(7, "2026-06-01T00:00:00Z"),
  ];
  expect(historyReport({ runs, droppedUpTo: 6 }, { color: false, width: 80, now })).toBe(`12  just now              edit 12.txt
11  5 minutes ago         edit 11.txt (undone)
10  1 hour ago            edit 10.txt (undone except 1 path)
 9  27 hours ago          edit 9.txt (redone)
 8  4 days ago            edit 8.txt (in the middle of a change: loaf recover finishes it)
 7  4 days ago            edit 7.txt (not committed; what it changed stays, unless loaf undo takes it back)
 7  4 days ago            edit 7.txt (what it changed stays, unless loaf undo takes it back)
 7  4 days ago            edit 7.txt (still running)
 7  2026-06-01T00:00:00Z  edit 7.txt
Older runs, up to 6, are no longer kept (history.max_age and history.max_size in loaf.yml)`);
});

describe("a run's line in the log", () => {
  const runs = [
    { ...past(12, "2026-05-05T11:59:40Z"), commit: "6676f05".padEnd(40, "0"), lines: { added: 14, removed: 3 }, answer: "The total was rounded twice, so I moved the rounding to the end" },
    { ...past(11, "2026-05-05T10:59:00Z"), state: "undone", lines: { added: 2, removed: 0 }, answer: "Tests first" } as const,
    { ...past(9, "2026-05-05T10:59:00Z"), lines: { added: 0, removed: 0 } },
  ];
  const lines = (width: number, color = false): string[] => historyReport({ runs }, { color, width, now }).split("\n");

  test("names its commit, counts its lines and quotes the answer's first words", () => {
    expect(lines(Infinity)).toEqual([
      "12  just now    6676f05  +14 −3  edit 12.txt · The total was rounded twice, so I moved the rounding to the end",
      "11  1 hour ago           +2      edit 11.txt (undone) · Tests first",
      " 9  1 hour ago                   edit 9.txt",
    ]);
  });

  test("fits into the terminal: the words are cut, or left out", () => {
    expect(lines(80)[0]).toBe("12  just now    6676f05  +14 −3  edit 12.txt · The total was rounded twice, so …");
    expect(lines(55).map((line) => line.split(" · ").length)).toEqual([1, 1, 1]);
  });

  test("is as wide with colours as without", () => {
    expect(lines(80, true).map((line) => stripVTControlCharacters(line))).toEqual(lines(80));
    expect(lines(80, true)[0]).toContain(styleText("green", "+14", { validateStream: false }));
  });

  test("cannot be forged by an answer", () => {
    const [line, ...more] = historyReport({ runs: [{ ...past(1, "2026-05-05T11:59:40Z"), answer: "a\u001b[2J\nb\u202e c" }] }, { color: false, width: 120, now }).split("\n");
    expect(more).toEqual([]);
    expect(line).not.toMatch(/[\u001b\u202e]/);
  });
});

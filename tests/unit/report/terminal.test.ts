/** What a person sees of a run: from the run's events to lines. */
import { describe, expect, test } from "vitest";
import type { ExecutionResult, Progress } from "../../../src/core/outcome.ts";
import { cellsOf } from "../../../src/report/cells.ts";
import { endLines, RunView, terminalReport } from "../../../src/report/terminal.ts";
import { execution, missed, ran, unread } from "./execution.ts";

const plain = { root: "/p", color: false, width: 80 };
const file = (text: string) => ({ kind: "file", mode: 0o644, size: text.length, bytes: Buffer.from(text) }) as const;
const change = (path: string, before: string | undefined, after: string | undefined) => ({ path, before: before === undefined ? undefined : file(before), after: after === undefined ? undefined : file(after) });

/** Returns a view, its clock, and the lines of events. */
function watching(width = 80) {
  const clock = { now: 0 };
  const view = new RunView(() => ({ ...plain, width }), () => clock.now);
  const started = (seq: number, blockId: string, action: string, params: Readonly<Record<string, unknown>>): Progress => ({ kind: "started", action: { seq, blockId, action, params } });
  return { clock, view, started, lines: (...events: readonly Progress[]) => events.flatMap((event) => view.on(event)) };
}

describe("the list", () => {
  test("an action with its changed lines, a failed one with its reason and closest place, an invalid block, a finding", () => {
    const { lines } = watching();
    expect(
      lines(
        { kind: "ended", result: ran("a1b", 1, "file_write", { seq: 1 }), lines: { added: 12, removed: 3 } },
        { kind: "ended", result: missed("fs1", 5, "/p/src/cart.js", { seq: 2, hint: "closest is line 4 (- old_text, + the file):\n     4   total();" }) },
        { kind: "invalid", errors: [unread("pe4", 9, "A", "ls"), unread("pe4", 9, "B", "ls")] },
        { kind: "finding", finding: { code: "answer/cut-off", line: 12, blockId: "zzz", message: "the text ends inside block zzz", request: "continue from block zzz" } },
      ),
    ).toEqual([
      "✅ a1b file_write a.txt  +12 −3",
      "❌ fs1 file_replace_text src/cart.js",
      "   old_text not found in file",
      "   closest is line 4 (- old_text, + the file):",
      "        4   total();",
      "❌ pe4 ls  line 9",
      "   2 syntax errors",
      "   - A",
      "   - B",
      "⚠️ line 12: the text ends inside block zzz",
      "   continue from block zzz",
    ]);
  });

  test("a second block of the same name gets a number, and a result that is told again keeps it", () => {
    const { lines } = watching();
    const second = ran("one", 3, "file_write", { seq: 2 });
    expect(
      lines({ kind: "ended", result: ran("one", 1, "file_write", { seq: 1 }) }, { kind: "ended", result: second }, { kind: "ended", result: { ...second, success: false, error: "ENOSPC: no space left", code: "file/system" } }),
    ).toEqual(["✅ one file_write a.txt", "✅ one#2 file_write a.txt", "❌ one#2 file_write a.txt", "   ENOSPC: no space left"]);
  });

  test("a failed command that is told again, with a warning, does not show its output again", () => {
    const { lines } = watching();
    const data = { stdout: "", stderr: "no luck\n", exit_code: 1, changed: [{ path: "a.js", change: "changed" as const }] };
    const failed = ran("exe", 1, "exec", { seq: 1, params: { lang: "bash", code: "make" }, failure: { code: "exec/exit", exitCode: 1 }, data });
    lines({ kind: "ended", result: failed });
    expect(lines({ kind: "ended", result: { ...failed, warnings: ["a.js is no longer valid"] } })).toEqual(["❌ exe exec bash: make", "   a.js is no longer valid"]);
  });

  test("a command with its first line and its time; where it failed, the end of its output in at most 15 lines", () => {
    const { clock, lines, started } = watching();
    const params = { lang: "bash", code: "npm test\nnpm run lint" };
    const stderr = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");
    const shown = lines(started(1, "exe", "exec", params));
    clock.now = 61_500;
    shown.push(...lines({ kind: "ended", result: ran("exe", 1, "exec", { params, failure: { code: "exec/exit", exitCode: 3 }, data: { stdout: "out\n", stderr, exit_code: 3 } }) }));
    expect(shown.slice(0, 4)).toEqual(["❌ exe exec bash: npm test …  1 min 1 s", "   Process exited with code 3", "   … 5 lines before that are in the report", "   │ line 5"]);
    expect(shown).toHaveLength(18);
  });

  test("of a line that a failed command wrote over, its last state", () => {
    const data = { stdout: "", stderr: "downloading 10%\rdownloading 100%\rfatal: disk quota\r\n", exit_code: 1 };
    const params = { lang: "bash", code: "curl x" };
    expect(watching().lines({ kind: "ended", result: ran("exe", 1, "exec", { params, failure: { code: "exec/exit", exitCode: 1 }, data }) }).at(-1)).toBe("   │ fatal: disk quota");
  });

  test("a command with the files it deleted, changed and created, whether it failed or not", () => {
    const changed = [...Array.from({ length: 10 }, (_, index) => ({ path: `new${index}`, change: "created" as const })), { path: "src/app.ts", change: "deleted" as const }, { path: "n.txt", change: "changed" as const }, { path: "README.md", change: "deleted" as const }];
    const params = { lang: "bash", code: "make" };
    const names = ["   deleted: src/app.ts, README.md", "   changed: n.txt", "   created: new0, new1, new2, new3, new4, new5, new6, new7 and 2 more"];
    const { lines } = watching();
    expect(lines({ kind: "ended", result: ran("exe", 1, "exec", { params, data: { stdout: "", stderr: "", exit_code: 0, changed } }) })).toEqual(["✅ exe exec bash: make", ...names]);
    expect(lines({ kind: "ended", result: ran("two", 1, "exec", { seq: 2, params, failure: { code: "exec/exit", exitCode: 1 }, data: { stdout: "", stderr: "no\n", exit_code: 1, changed } }) })).toEqual(["❌ two exec bash: make", "   Process exited with code 1", "   │ no", ...names]);
  });

  test("a hint of many lines is cut to 15, prose is wrapped, and code is cut", () => {
    const hint = ["first ".repeat(20).trim(), ...Array.from({ length: 30 }, (_, index) => `     ${index}   ${"x".repeat(100)}`)].join("\n");
    const shown = watching(40).lines({ kind: "ended", result: missed("fs1", 5, "/p/a.js", { hint }) });
    expect(shown.slice(2, 6)).toEqual(["   first first first first first first", "   first first first first first first", "   first first first first first first", "   first first"]);
    expect(shown.at(-1)).toBe("   17 more lines are in the report");
    expect(shown.filter((line) => line.includes("xxx"))).toHaveLength(13);
    expect(Math.max(...shown.map(cellsOf))).toBeLessThanOrEqual(40);
  });

  test("a command that is too long keeps its beginning, whatever paths it names", () => {
    const { clock, lines, view, started } = watching(40);
    const params = { lang: "bash", code: "npm test -- src/components/checkout/cart.test.ts" };
    lines(started(1, "exe", "exec", params));
    clock.now = 1_000;
    expect(view.status()).toMatch(/^. exe exec bash: npm test -- src\/… {2}1 s$/u);
    expect(lines({ kind: "ended", result: ran("exe", 1, "exec", { params }) })).toEqual(["✅ exe exec bash: npm test -- src/…  1 s"]);
  });

  test.each([40, 80, 120])("at a width of %d, a long path loses folders in its middle, and the counts stay", (width) => {
    const path = "/p/src/components/checkout/summary/日本語のファイル🎉/a-component-with-a-long-name.test.ts";
    const [line = ""] = watching(width).lines({ kind: "ended", result: ran("a1b", 1, "file_write", { params: { path } }), lines: { added: 1, removed: 0 } });
    expect(line).toMatch(/^✅ a1b file_write .*\S {2}\+1$/u);
    expect(cellsOf(line)).toBeLessThanOrEqual(width);
  });

  test.each([60, 80, 120])("at a width of %d, a long move is cut on both sides of its arrow", (width) => {
    const params = { old_path: "/p/src/components/checkout/summary/a-component-with-a-name.test.ts", new_path: "/p/src/other/deep/folders/below/the/root/name.txt" };
    const [line = ""] = watching(width).lines({ kind: "ended", result: ran("a1b", 1, "file_move", { params }) });
    expect(line).toMatch(/^✅ a1b file_move \S+ -> \S*name\.txt$/u);
    expect(line).not.toContain("/p/");
    expect(cellsOf(line)).toBeLessThanOrEqual(width);
  });

  test("nothing in a result can control the terminal", () => {
    const bad = "\u001b[2J\r\u202e";
    const { lines, view, started, clock } = watching();
    const shown = lines(
      started(1, "exe", "exec", { lang: "bash", code: bad }),
      { kind: "output", piece: Buffer.from(`${bad}x`) },
    );
    clock.now = 1_000;
    shown.push(view.status(), ...lines({ kind: "ended", result: missed("fs1", 1, `/p/${bad}`, { hint: bad, warnings: [bad] }) }), ...lines({ kind: "ended", result: ran("exe", 1, "exec", { seq: 2, params: { lang: "bash", code: bad }, error: bad, code: "exec/exit", data: { stdout: "", stderr: bad, exit_code: 1 } }) }));
    expect(shown.join("\n")).not.toMatch(/[\u001b\r\u202e]/);
  });
});

describe("the status line", () => {
  test("says nothing about what is quick, then what runs, for how long, and its last line of output", () => {
    const { clock, view, started, lines } = watching();
    lines(started(1, "exe", "exec", { lang: "bash", code: "npm test" }));
    clock.now = 200;
    expect(view.status()).toBe("");
    clock.now = 12_300;
    lines({ kind: "output", piece: Buffer.from("one\n\u001b[32mtwo\u001b[0m\n10 %\r20 %") }, { kind: "output", piece: Buffer.from(" of all\n\n") });
    expect(view.status()).toMatch(/^. exe exec bash: npm test {2}12 s {2}20 % of all$/u);
    lines({ kind: "ended", result: ran("exe", 1, "exec", { params: { lang: "bash", code: "npm test" } }) });
    clock.now = 13_300;
    expect(view.status()).toMatch(/^. finishing {2}1 s$/u);
  });

  test.each([20, 40, 80])("fits into %d cells", (width) => {
    const { clock, view, started, lines } = watching(width);
    lines(started(1, "exe", "exec", { lang: "bash", code: "日本語".repeat(50) }), { kind: "output", piece: Buffer.from("🎉".repeat(100)) });
    clock.now = 5_000;
    expect(cellsOf(view.status())).toBeLessThan(width);
  });
});

describe("checks of the configuration", () => {
  const failed = { command: "npm test\nnpm run lint", success: false, error: "Process exited with code 1", stdout: "10%\r1 test failed\n", stderr: "" };
  const passed = { command: "npm run types", success: true, stdout: "fine\n", stderr: "" };

  test("a check that runs is in the status line, with its output, and listed with its time when it has ended", () => {
    const { clock, view, lines } = watching();
    expect(lines({ kind: "checking", command: failed.command }, { kind: "output", piece: Buffer.from("3 of 9\n") })).toEqual([]);
    clock.now = 4_200;
    expect(view.status()).toMatch(/^. check npm test … {2}4 s {2}3 of 9$/u);
    expect(lines({ kind: "checked", check: failed })).toEqual(["⚠️ check npm test …  4.2 s", "   Process exited with code 1", "   │ 1 test failed"]);
    expect(lines({ kind: "checking", command: passed.command }, { kind: "checked", check: passed })).toEqual(["✅ check npm run types"]);
  });

  test("where nobody watched the run, they follow its blocks; the outcome counts those that failed", () => {
    const hint = "the user can give this check a longer timeout in loaf.yml";
    const result = { ...execution([ran("one", 1, "file_write")]), checks: [passed, { ...failed, hint }] };
    expect(terminalReport(result, { changes: [], undo: "loaf undo" }, plain).split("\n")).toEqual([
      "✅ one file_write a.txt",
      "✅ check npm run types",
      "⚠️ check npm test …",
      "   Process exited with code 1",
      "   │ 1 test failed",
      `   ${hint}`,
      "nothing changed · 1 check failed",
    ]);
  });

  test("a check that could not run is not counted as failed", () => {
    const prevented = { ...failed, notRun: true as const, error: "not run: there is no sandbox", stdout: "" };
    const result = { ...execution([ran("one", 1, "file_write")]), checks: [failed, prevented] };
    const shown = terminalReport(result, { changes: [], undo: "loaf undo" }, plain).split("\n");
    expect(shown.slice(-3)).toEqual(["⚠️ check npm test …", "   not run: there is no sandbox", "nothing changed · 1 check failed · 1 check not run"]);
  });
});

describe("the outcome", () => {
  const outcome = (result: Partial<ExecutionResult>, changes: ReturnType<typeof change>[] = [], width = 80) => endLines({ ...execution([ran("one", 1, "file_write")]), ...result }, { changes, undo: "loaf undo" }, { ...plain, width }).at(-1);

  test("files, lines, failures, commit and undo", () => {
    const { results } = execution([ran("one", 1, "file_write"), missed("two", 3, "/p/a.txt", { seq: 2 })]);
    const changes = [change("/p/a", "1\n2\n", "1\n3\n4\n"), change("/p/b", undefined, "x"), change("/p/c", "y\n", undefined)];
    expect(outcome({ results, commit: "6676f05aaaa", run: 3 }, changes)).toBe("3 files, +3 −2 · 1 refused · committed 6676f05 · loaf undo takes it back");
    expect(outcome({ results, commit: "6676f05aaaa", run: 3 }, changes, 60)).toBe("3 files, +3 −2 · 1 refused · committed 6676f05 · loaf undo");
  });

  test("a failed command, an edit that was refused, one that was not run, one that was applied before", () => {
    const results = [
      ran("exe", 1, "exec", { params: { lang: "bash", code: "x" }, failure: { code: "exec/exit", exitCode: 3 }, data: { stdout: "", stderr: "", exit_code: 3 } }),
      missed("two", 3, "/p/a.txt"),
      ran("thr", 4, "file_write", { error: "Not run", code: "skip/stopped" }),
      ran("fou", 5, "file_write", { appliedIn: 2 }),
    ];
    expect(outcome({ results })).toBe("nothing changed · 1 failed · 1 refused · 1 not run · 1 applied before");
  });

  test("a dry run, a run that was rolled back, a hook that failed", () => {
    expect(outcome({ dryRun: true }, [change("/p/a", "1\n", "2\n")])).toBe("would change 1 file, +1 −1 · nothing was written");
    const results = [ran("one", 1, "file_write", { error: "Not applied: all or nothing", code: "run/not-whole" })];
    expect(endLines(execution(results), { changes: [], undo: "loaf undo" }, plain)).toEqual(["❌ Not applied: all or nothing", "nothing changed · 1 rolled back"]);
    const failedHooks = [{ command: "npm run format", error: "Command failed with exit code 1", stdout: "", stderr: "" }];
    expect(endLines({ ...execution([ran("one", 1, "file_write")]), failedHooks }, { changes: [], undo: "loaf undo" }, plain)).toEqual(["❌ hook npm run format - Command failed with exit code 1", "nothing changed · a hook failed"]);
  });

  test("a run that could not start", () => {
    expect(terminalReport({ ...execution([]), fatalError: "too much" }, { undo: "u" }, plain)).toBe("❌ too much");
  });
});

test("a run that is over is shown as its events would have been, each finding in its place", () => {
  const finding = { code: "answer/near-header", line: 3, message: "line 3 looks like a header", request: "Write it anew" } as const;
  const result = { ...execution([ran("one", 1, "file_write"), ran("two", 5, "file_write", { seq: 2 })]), findings: [finding] };
  expect(terminalReport(result, { changes: [], undo: "u" }, plain)).toBe("✅ one file_write a.txt\n⚠️ line 3 looks like a header\n   Write it anew\n✅ two file_write a.txt\nnothing changed");
});

test("a finding in several lines is not also given the first of them", () => {
  const finding = { code: "answer/near-marker", line: 3, message: "lines 3 and 5 are nearly markers", request: "Write them anew" } as const;
  expect(terminalReport({ ...execution([]), findings: [finding] }, { changes: [], undo: "u" }, plain)).toContain("⚠️ lines 3 and 5 are nearly markers\n");
});

test("colours only on request, and only ones that a dark and a light background show", () => {
  const result = execution([ran("one", 1, "file_write"), missed("two", 3, "/p/a.txt", { hint: "closest", warnings: ["w"] })]);
  const colored = terminalReport(result, { changes: [change("/p/a", "1", "2")], undo: "u" }, { ...plain, color: true });
  const codes = new Set([...colored.matchAll(/\u001b\[(\d+)m/g)].map(([, code]) => Number(code)));
  expect([...codes].filter((code) => ![1, 2, 22, 31, 32, 33, 36, 39].includes(code))).toEqual([]);
  expect(codes.size).toBeGreaterThan(4);
  expect(terminalReport(result, { undo: "u" }, plain)).not.toContain("\u001b");
});

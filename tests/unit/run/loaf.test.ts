import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { ConfigError, Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";

const write = (path: string, content: string, id = "w1a") => printBlock(id, { action: "file_write", path, content });
const relative = { relative_paths: true } as const;

describe("a run", () => {
  it("goes on after a failure, and tells each result as it happens", async () => {
    const root = createFolder();
    const told: string[] = [];
    const loaf = await Loaf.create({ repoPath: root, config: relative, onEvent: ({ blockId, success }) => told.push(`${blockId} ${success}`) });
    const answer = [write("../a", "", "b1a"), write("b", "", "b2b"), write("c", "", "b3c")].join("\n\nand then\n");
    const result = await loaf.execute(answer);
    expect(told).toEqual(["b1a false", "b2b true", "b3c true"]);
    expect(result).toMatchObject({ success: false, totalBlocks: 3, executedActions: 3, parseErrors: [] });
  });

  it("does nothing where it is stopped while a hook before it runs, which ends", async () => {
    const root = createFolder();
    const over = new AbortController();
    const loaf = await Loaf.create({ repoPath: root, config: relative, hooks: { before: [{ run: "sleep 20; touch late" }] } });
    setTimeout(() => over.abort(), 200);
    const start = performance.now();
    const result = await loaf.execute(write("a", "1"), { signal: over.signal });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(result).toMatchObject({ success: false, executedActions: 0, fatalError: "Before hooks failed - aborting execution" });
    expect([existsSync(join(root, "a")), existsSync(join(root, "late"))]).toEqual([false, false]);
  });

  it("names the files that it changed where they are by now, and where it took them away", async () => {
    const root = createFolder({ "old/c": "c" });
    const move = (from: string, to: string) => printBlock("mvd", { action: "file_move", old_path: from, new_path: to });
    const loaf = await Loaf.create({ repoPath: root, config: relative });
    const { modifiedFiles } = await loaf.execute([write("new/a", "1"), write("old/c", "2"), move("old", "new/old"), move("new", "lib"), write("lib/b", "3")].join("\n"));
    expect(modifiedFiles).toEqual(["old/c", "old", "lib/a", "lib/old", "lib/old/c", "lib/b"]);
    const remove = ["lib/old/c", "lib/a"].map((path) => printBlock("rmd", { action: "file_delete", path }));
    expect((await loaf.execute([move("lib", "gone"), ...remove.map((block) => block.replace("lib", "gone"))].join("\n"))).modifiedFiles).toEqual(["lib", "lib/a", "lib/old/c", "gone"]);
    await loaf.execute([write("one/a", "1"), write("two/b", "2")].join("\n"));
    expect((await loaf.execute([move("one", "tmp"), move("two", "one"), move("tmp", "two")].join("\n"))).modifiedFiles).toEqual(["one/b", "one/a", "two/b", "two/a"]);
  });

  it.each([
    ["throws", (): never => { throw new Error("not my day"); }],
    ["rejects", () => Promise.reject(new Error("not my day"))],
  ])("keeps its results where a listener %s, and says that it did", async (_, fail) => {
    const root = createFolder();
    const onEvent = vi.fn(fail);
    const loaf = await Loaf.create({ repoPath: root, config: relative, onEvent });
    const result = await loaf.execute(`${write("a", "1")}\n${write("b", "2")}`);
    expect(result).toMatchObject({ success: true, executedActions: 2, eventError: "onEvent failed: not my day" });
    expect(result.fatalError).toBeUndefined();
    expect(onEvent).toHaveBeenCalledOnce();
    expect(readFileSync(join(root, "b"), "utf8")).toBe("2");
  });

  it("waits for a listener before the next block", async () => {
    const seen: string[] = [];
    const onEvent = async ({ seq }: { readonly seq: number }) => {
      await new Promise((done) => setTimeout(done, 5));
      seen.push(`told ${seq}`);
    };
    const loaf = await Loaf.create({ repoPath: createFolder(), config: relative, onEvent });
    await loaf.execute(`${write("a", "1")}\n${write("b", "2")}`, { onProgress: (step) => step.kind === "started" && seen.push(`start ${step.action.seq}`) });
    expect(seen).toEqual(["start 1", "told 1", "start 2", "told 2"]);
  });

  it("counts the lines of a file that a move replaces, and none of one that only moves", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder({ a: "1\n2\n", b: "3\n4\n5\n", c: "6\n" }), config: relative });
    const move = (from: string, to: string) => printBlock("m1v", { action: "file_move", old_path: from, new_path: to });
    const counts: unknown[] = [];
    await loaf.execute([move("a", "b"), move("c", "d")].join("\n"), { onProgress: (step) => step.kind === "ended" && counts.push(step.lines) });
    expect(counts).toEqual([{ added: 0, removed: 3 }, undefined]);
  });

  it("writes no earlier for a listener, and tells it again of an action whose changes could not be written", async () => {
    const root = createFolder({ a: "1", b: "1" });
    const told: string[] = [];
    const onEvent = ({ blockId, success }: { readonly blockId: string; readonly success: boolean }) => {
      told.push(`${blockId} ${success} ${readFileSync(join(root, "a"), "utf8")}`);
      if (blockId === "b2b") writeFileSync(join(root, "b"), "mine");
    };
    const { results } = await (await Loaf.create({ repoPath: root, config: relative, onEvent })).execute([write("a", "2", "b1a"), write("b", "2", "b2b")].join("\n"));
    expect(told).toEqual(["b1a true 1", "b2b true 1", "b2b false 2"]);
    expect(results.map(({ success }) => success)).toEqual([true, false]);
    expect(readFileSync(join(root, "b"), "utf8")).toBe("mine");
  });

  it.each([[undefined, "undefined"], [null, "null"], [123, "number"], [Buffer.from("x"), "object"]])("refuses what is no text: %j", async (text, type) => {
    const loaf = await Loaf.create({ repoPath: createFolder() });
    const { fatalError, success } = await loaf.execute(text as never);
    expect({ fatalError, success }).toEqual({ fatalError: `The text must be a string, not ${type}: nothing was run`, success: false });
  });

  it("quotes a block with many errors only as far as a report needs it", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder() });
    const quoted = async (lines: number) => {
      const { parseErrors } = await loaf.execute(`#!nesl [@three-char-SHA-256: abc]\n${"bad line of a block\n".repeat(lines)}#!end_abc\n`);
      expect(parseErrors).toHaveLength(lines);
      return parseErrors.map(({ neslContent }) => neslContent);
    };
    expect(await quoted(2)).toEqual(Array.from({ length: 2 }, () => "#!nesl [@three-char-SHA-256: abc]\nbad line of a block\nbad line of a block\n#!end_abc"));
    const [first = "", ...more] = await quoted(10_000);
    expect(first).toMatch(/^#!nesl \[@three-char-SHA-256: abc\]\nbad line of a block\n[^…]+… \(199943 more characters\)$/);
    expect(new Set(more)).toEqual(new Set([first]));
  });

  it("names the error of each block by a code, and the path that the system refused", async () => {
    const root = createFolder();
    const loaf = await Loaf.create({ repoPath: root });
    const missing = join(root, "missing");
    const { parseErrors, results } = await loaf.execute([write("a", "1", "b1a"), printBlock("b2b", { action: "file_read", path: missing }), "#!nesl [@three-char-SHA-256: b3c]\nno parameter"].join("\n"));
    expect(parseErrors.map(({ blockId, code }) => [blockId, code])).toEqual([["b1a", "params/path"], ["b3c", "MALFORMED_ASSIGNMENT"], ["b3c", "UNCLOSED_BLOCK"]]);
    expect(results[0]?.failure).toMatchObject({ code: "file/not-found", path: missing });
  });

  it("takes a missing path for the failure of its block alone", async () => {
    const root = createFolder();
    const loaf = await Loaf.create({ repoPath: root, config: relative });
    const result = await loaf.execute(`${printBlock("x1x", { action: "grep", pattern: "x", path: "missing" })}\n${write("a", "")}`);
    expect(result.results.map(({ code }) => code)).toEqual(["file/not-found", undefined]);
  });

  it.each([
    [{ max_input: 40 }, /^The text has \d+ bytes, the limit is 40: nothing was run$/],
    [{ max_blocks: 1 }, /^The text has 2 blocks, the limit is 1: nothing was run$/],
  ])("50: beyond %j nothing runs at all", async (limits, sentence) => {
    const root = createFolder();
    const loaf = await Loaf.create({ repoPath: root, config: { ...relative, limits } });
    const result = await loaf.execute(`${write("a", "")}\n${write("b", "")}`);
    expect(result.fatalError).toMatch(sentence);
    expect(result).toMatchObject({ success: false, executedActions: 0, results: [] });
    expect(existsSync(join(root, "a"))).toBe(false);
  });

  it("counts the limit of the input in bytes, as a file has them", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder(), config: { limits: { max_input: 10 } } });
    expect((await loaf.execute("é".repeat(5))).fatalError).toBeUndefined();
    expect((await loaf.execute("é".repeat(6))).fatalError).toContain("12 bytes");
  });
});

describe("a dry run", () => {
  it("changes nothing, and later blocks see what earlier ones would have done", async () => {
    const root = createFolder({ kept: "old" });
    const loaf = await Loaf.create({ repoPath: root, config: relative, dryRun: true, createConfigIfMissing: true });
    const read = printBlock("r1r", { action: "files_read", paths: "kept\nnew/a" });
    const { success, results } = await loaf.execute(`${write("kept", "changed")}\n${write("new/a", "1")}\n${read}`);
    expect(success).toBe(true);
    expect(results[2]?.data).toMatchObject({ content: ["changed", "1"] });
    expect([readFileSync(join(root, "kept"), "utf8"), existsSync(join(root, "new")), existsSync(join(root, "loaf.yml"))]).toEqual(["old", false, false]);
    expect(loaf.changes().map(({ path }) => path.slice(root.length))).toEqual(["/kept", "/new", "/new/a"]);
  });
});

describe("opening a project", () => {
  it("writes a configuration where there is none, once", async () => {
    const root = createFolder();
    const options = { repoPath: root, createConfigIfMissing: true };
    const loaf = await Loaf.create(options);
    expect((await loaf.execute("")).configCreated).toBe(true);
    expect(await loaf.execute("")).not.toHaveProperty("configCreated");
    expect((await (await Loaf.create(options)).execute("")).configCreated).toBeUndefined();
  });

  it("has the settings of loaf init if asked to, below the user's own: a loaf.yml changes only what it names", async () => {
    const settingsOf = async (files: Record<string, string>, config = {}) => (await Loaf.create({ repoPath: createFolder(files), assumeInit: true, config })).settings;
    expect(await settingsOf({})).toMatchObject({ relative_paths: true, edits: { match: "tolerant", final_newline: "ensure" } });
    expect(await settingsOf({}, { edits: { match: "exact" } })).toMatchObject({ edits: { match: "exact", final_newline: "ensure" } });
    expect(await settingsOf({ "loaf.yml": "hooks: {after: [{run: x}]}\n" })).toMatchObject({ relative_paths: true, edits: { match: "tolerant", final_newline: "ensure" } });
    expect(await settingsOf({ "loaf.yml": "edits: {match: exact}\n" })).toMatchObject({ relative_paths: true, edits: { match: "exact", final_newline: "ensure" } });
    expect((await Loaf.create({ repoPath: createFolder() })).settings).toMatchObject({ relative_paths: false, edits: { match: "exact" } });
  });

  it("refuses a wrong configuration, from a file and from the caller", async () => {
    await expect(Loaf.create({ repoPath: createFolder({ "loaf.yml": "limits:\n  max_bloks: 1\n" }) })).rejects.toThrow(/^loaf\.yml:2:3: Unknown key 'limits\.max_bloks'|^loaf\.yml:2:3: /);
    await expect(Loaf.create({ repoPath: createFolder(), config: { relative_paths: "yes" } as never })).rejects.toThrow(ConfigError);
  });

  it("says how, where it is constructed", () => {
    const Constructed = Loaf as unknown as new (options?: object) => Loaf;
    for (const options of [undefined, {}, { repoPath: "." }]) expect(() => new Constructed(options)).toThrow("new Loaf() does not open a project: use await Loaf.create({ repoPath })");
  });

  it("refuses a root that is none", async () => {
    await expect(Loaf.create({ repoPath: "/no/such/folder" })).rejects.toThrow("repoPath '/no/such/folder' is not a directory");
  });

  it("gives the rules of a project without trust no more than the user's own, but all of their refusals", async () => {
    const outside = createFolder({ "x.txt": "out" });
    const root = createFolder({ "in.txt": "in", "loaf.yml": `relative_paths: true\nfs-guard: {read: {allow: ["./**", "${outside}/**"], deny: ["secret/**"]}}\n`, "secret/a": "" });
    const readAll = printBlock("r1r", { action: "files_read", paths: `in.txt\n${outside}/x.txt\nsecret/a` });
    const contents = async (trustProject: boolean) => (await (await Loaf.create({ repoPath: root, trustProject })).execute(readAll)).results[0]?.data;
    expect(await contents(true)).toMatchObject({ content: ["in", "out", null] });
    expect(await contents(false)).toMatchObject({ content: ["in", null, null] });
  });

  it("42: lets a project without trust lower limits, not raise them, nor bring back actions", async () => {
    vi.stubEnv("XDG_CONFIG_HOME", createFolder({ "loaf/config.yml": "allowed-actions: [ls, file_read]\nlimits: {max_file_size: 5}\n" }));
    const root = createFolder({ "loaf.yml": "allowed-actions: [ls, file_read, file_write]\nlimits: {max_file_size: 1000, max_blocks: 7}\nreport: {max_tokens: 90000}\n" });
    const settings = async (trustProject: boolean) => (await Loaf.create({ repoPath: root, trustProject })).settings;
    expect(await settings(true)).toMatchObject({ "allowed-actions": ["ls", "file_read", "file_write"], limits: { max_file_size: 1000, max_blocks: 7 }, report: { max_tokens: 90_000 } });
    expect(await settings(false)).toMatchObject({ "allowed-actions": ["ls", "file_read"], limits: { max_file_size: 5, max_blocks: 7 }, report: { max_tokens: 20_000 } });
    vi.unstubAllEnvs();
  });

  it("never lets an action write what decides about all projects, also where the root holds it", async () => {
    const state = createFolder();
    const home = createFolder({ ".config/loaf/config.yml": "version: 1\n", "b/config.yml": "allowed-actions: []\n" });
    for (const [name, value] of [["HOME", createFolder()], ["XDG_CONFIG_HOME", join(home, ".config")], ["XDG_STATE_HOME", state]] as const) vi.stubEnv(name, value);
    const loaf = await Loaf.create({ repoPath: home, config: { ...relative, "fs-guard": { allowed: ["./**", `${state}/**`] } } });
    const move = (from: string, to: string) => printBlock("mv1", { action: "file_move", old_path: from, new_path: to });
    const attempts = [
      write(".config/loaf/config.yml", ""),
      move("b/config.yml", ".config/loaf/config.yml"),
      move(".config/loaf", "c"),
      move(".config", "c"),
      printBlock("rm1", { action: "file_delete", path: ".config/loaf/config.yml" }),
      write(join(state, "loaf/code/x"), ""),
    ];
    const { results } = await loaf.execute(attempts.join("\n"));
    expect(results.map(({ code }) => code)).toEqual(attempts.map(() => "guard/denied"));
    vi.unstubAllEnvs();
  });

  it("runs only the allowed actions", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder(), config: { ...relative, "allowed-actions": ["ls", "glob"] } });
    const { results, parseErrors } = await loaf.execute(write("a", ""));
    expect(parseErrors).toEqual([]);
    expect(results[0]).toMatchObject({ success: false, code: "action/not-allowed", error: "Action 'file_write' is not in allowed-actions list (ls, glob)" });
  });
});

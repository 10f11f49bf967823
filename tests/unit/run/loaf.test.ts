import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntax/print.ts";
import { createFolder } from "../../support/folder.ts";

const write = (path: string, content: string, id = "w1a") => printBlock(id, { action: "file_write", path, content });
const relative = { relative_paths: true } as const;

describe("a run", () => {
  it("goes on after a failure, and tells each result as it happens", async () => {
    const root = createFolder();
    const told: string[] = [];
    const loaf = await Loaf.create({ repoPath: root, config: relative, onEvent: ({ blockId, success }) => told.push(`${blockId} ${success} ${existsSync(join(root, "b"))}`) });
    const answer = [write("../a", "", "b1a"), write("b", "", "b2b"), write("c", "", "b3c")].join("\n\nand then\n");
    const result = await loaf.execute(answer);
    expect(told).toEqual(["b1a false false", "b2b true true", "b3c true true"]);
    expect(result).toMatchObject({ success: false, totalBlocks: 3, executedActions: 3, parseErrors: [] });
  });

  it("keeps its results where a listener throws, and says that it did", async () => {
    const root = createFolder();
    let calls = 0;
    const onEvent = (): never => {
      calls += 1;
      throw new Error("not my day");
    };
    const loaf = await Loaf.create({ repoPath: root, config: relative, onEvent });
    const result = await loaf.execute(`${write("a", "1")}\n${write("b", "2")}`);
    expect(result).toMatchObject({ success: false, executedActions: 2, fatalError: "onEvent threw: not my day" });
    expect(calls).toBe(1);
    expect(readFileSync(join(root, "b"), "utf8")).toBe("2");
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
  ])("beyond %j nothing runs at all", async (limits, sentence) => {
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
    expect((await (await Loaf.create(options)).execute("")).configCreated).toBe(join(root, "loaf.yml"));
    expect((await (await Loaf.create(options)).execute("")).configCreated).toBeUndefined();
  });

  it("refuses a wrong configuration, from a file and from the caller", async () => {
    await expect(Loaf.create({ repoPath: createFolder({ "loaf.yml": "limits:\n  max_bloks: 1\n" }) })).rejects.toThrow(/^loaf\.yml:2:3: Unknown key 'limits\.max_bloks'|^loaf\.yml:2:3: /);
    await expect(Loaf.create({ repoPath: createFolder(), config: { relative_paths: "yes" } as never })).rejects.toThrow(ConfigError);
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

  it("runs only the allowed actions", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder(), config: { ...relative, "allowed-actions": ["ls", "glob"] } });
    const { results, parseErrors } = await loaf.execute(write("a", ""));
    expect(parseErrors).toEqual([]);
    expect(results[0]).toMatchObject({ success: false, code: "action/not-allowed", error: "Action 'file_write' is not in allowed-actions list (ls, glob)" });
  });
});

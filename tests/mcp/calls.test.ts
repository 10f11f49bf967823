/** What calls do and answer, in both eras. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { ERAS, startHost } from "../support/mcp-client.ts";
import { runLoaf } from "../support/run-loaf.ts";

const FILES = { "a.txt": "one\r\ntwo\r\n", "src/b.ts": "export class Cart {\n  total() {\n    return 1;\n  }\n}\n" };

describe.each(ERAS)("in the %s era", (era) => {
  test("a read gives the file itself, and its tag apart", async () => {
    const { call } = await startHost(createFolder(FILES), { era });
    expect((await call("file_read", { path: "a.txt" })).texts).toEqual(["one\r\ntwo\r\n", expect.stringMatching(/^note: base = "\w{4}"$/)]);
    expect((await call("file_read", { path: "src/b.ts@@Cart@@total" })).texts[0]).toBe("  total() {\n    return 1;\n  }");
    expect((await call("file_read_numbered", { path: "a.txt", lines: "2" })).texts[0]).toBe("     2: two");
    expect((await call("files_read", { paths: ["a.txt", "src/b.ts"] })).text).toContain("=== START FILE: src/b.ts ===");
    expect((await call("glob", { pattern: "**", base_path: "." })).text).toBe("a.txt\nsrc/b.ts");
    expect((await call("grep", { pattern: "return", path: "." })).text).toBe("src/b.ts:3:     return 1;");
  });

  test("an edit keeps bytes and is a run that the user can undo", async () => {
    const root = createFolder(FILES);
    const { call, env } = await startHost(root, { era });
    expect(await call("file_replace_text", { path: "a.txt", old_text: "two", new_text: "zwei" })).toEqual({ text: "✅ file_replace_text a.txt: run 1", texts: ["✅ file_replace_text a.txt: run 1"], isError: false });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\r\nzwei\r\n");
    expect((await runLoaf(["undo"], { cwd: root, env })).stdout).toBe("Undone: run 1 (edit a.txt): restored a.txt\n");
    expect((await call("file_read", { path: "a.txt" })).texts[0]).toBe("one\r\ntwo\r\n");
  });

  test("a failure has its sentence, the closest place and a hint", async () => {
    const { call } = await startHost(createFolder(FILES), { era });
    const failed = await call("file_replace_text", { path: "src/b.ts", old_text: "return one;", new_text: "return 2;" });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain("❌ file_replace_text src/b.ts - old_text not found in file");
    expect(failed.text).toContain("    return 1;");
    expect(failed.text).toContain("hint: ");
    expect(await call("file_read", { path: "no.txt" })).toMatchObject({ isError: true, text: "❌ file_read no.txt - ENOENT: no such file or directory, open 'no.txt'" });
    expect((await call("file_write", { path: "x" })).text).toMatch(/^❌ file_write - Missing required parameter: content\nhint: /);
    expect((await call("file_read", { path: "../secret" })).text).toMatch(/^❌ file_read \.\.\/secret - fs-guard violation: /);
    expect((await call("file_read", { path: { a: 1 } })).isError).toBe(true);
  });

  test("a command's output comes back, and its changes are a run", async () => {
    const root = createFolder(FILES);
    const { call } = await startHost(root, { era });
    expect(await call("exec", { lang: "bash", code: "echo hi; echo new > made.txt" })).toMatchObject({ text: "stdout:\nhi\n\ncreated: made.txt", isError: false });
    expect(readFileSync(join(root, "made.txt"), "utf8")).toBe("new\n");
    expect((await call("exec", { lang: "bash", code: "echo no >&2; exit 3" })).text).toContain("exit code: 3");
  });

  test("secrets are masked, and long output is cut", async () => {
    const root = createFolder({ "key.txt": "token = ghp_0123456789abcdefghijABCDEFGHIJ012345\n", "long.txt": "a line of text\n".repeat(20_000) });
    const { call } = await startHost(root, { era });
    const read = await call("file_read", { path: "key.txt" });
    expect(read.text).not.toContain("ghp_0123456789");
    expect(read.text).toContain("warning: secrets are masked here");
    const long = await call("file_read", { path: "long.txt" });
    expect(long.text).toContain("bytes are cut here");
    expect(long.text.length).toBeLessThan(60_000);
  });
});

test("with --transaction nothing is left of an answer of which a part fails", async () => {
  const root = createFolder(FILES);
  const { call } = await startHost(root, { args: ["--transaction"] });
  const answer = "a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n\na.txt\n<<<<<<< SEARCH\nnot there\n=======\n2\n>>>>>>> REPLACE\n";
  expect((await call("run", { answer })).isError).toBe(true);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(FILES["a.txt"]);
});

test("with --read-only no tool changes anything, whatever is called", async () => {
  const root = createFolder(FILES);
  const { client, call } = await startHost(root, { args: ["--read-only"] });
  await expect(client.callTool({ name: "file_write", arguments: { path: "a.txt", content: "" } })).rejects.toThrow("Unknown tool: file_write");
  expect((await call("file_read", { path: "a.txt" })).isError).toBe(false);
});

test("a changed loaf.yml counts at once, and a broken one fails calls, not the server", async () => {
  const root = createFolder(FILES);
  const { call } = await startHost(root);
  const configure = async (text: string) => {
    writeFileSync(join(root, "loaf.yml"), text);
    // The files are looked at every 20 ms.
    await setTimeout(40);
  };
  expect((await call("file_read", { path: "a.txt" })).isError).toBe(false);
  await configure("relative_paths: true\nfs-guard: {read: {deny: [a.txt]}}\n");
  expect((await call("file_read", { path: "a.txt" })).text).toContain("Read access denied");
  await configure("nonsense: 1\n");
  expect(await call("file_read", { path: "a.txt" })).toMatchObject({ isError: true, text: expect.stringContaining("nonsense") as string });
  await configure("relative_paths: true\n");
  expect((await call("file_read", { path: "a.txt" })).isError).toBe(false);
});

test("a loaf.yml that asks for more than it is trusted with is named once, in a result", async () => {
  const root = createFolder({ ...FILES, "loaf.yml": "relative_paths: true\nhooks: {after: [{run: touch hooked}]}\n" });
  const { call, stderr } = await startHost(root);
  const first = await call("file_write", { path: "a.txt", content: "x\n" });
  expect(first).toMatchObject({ isError: false, texts: ["✅ file_write a.txt: run 1", expect.stringMatching(/^note: WARNING: loaf\.yml is not trusted, .*hooks.*loaf trust$/)] });
  expect((await call("file_write", { path: "a.txt", content: "y\n" })).texts).toEqual(["✅ file_write a.txt: run 2"]);
  expect(stderr().match(/loaf\.yml is not trusted/g)).toHaveLength(1);
  expect((await call("ls", { path: "." })).text).not.toContain("hooked");
});

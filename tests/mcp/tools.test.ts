/** What a host is shown before any call: the tools, their schemas and their annotations. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { actions } from "../../src/actions/index.ts";
import { runLoaf } from "../support/run-loaf.ts";
import { createFolder } from "../support/folder.ts";
import { ERAS, startHost } from "../support/mcp-client.ts";
import { startRawServer } from "../support/mcp-raw.ts";

interface ListedTool {
  readonly name: string;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

async function toolsOf(tools = "all", { root = createFolder(), readOnly = false } = {}): Promise<readonly ListedTool[]> {
  const server = await startRawServer(root, { tools, readOnly });
  const { result } = await server.request("tools/list");
  await server.end();
  return (result as unknown as { readonly tools: readonly ListedTool[] }).tools;
}
const tokens = (value: unknown) => encode(JSON.stringify(value)).length;

describe("the tools", () => {
  test("are all actions in their order, then the runs, and work in both eras alike", async () => {
    const [legacy, modern] = await Promise.all(
      ERAS.map(async (era) => {
        const { client, call } = await startHost(createFolder({ "a.txt": "one\r\n" }), { era });
        expect(await call("file_replace_text", { path: "a.txt", old_text: "one", new_text: "two" })).toMatchObject({ text: "✅ file_replace_text a.txt: run 1", isError: false });
        expect((await call("file_read", { path: "a.txt" })).texts[0]).toBe("two\r\n");
        expect(await call("file_replace_text", { path: "a.txt", old_text: "tow", new_text: "x" })).toMatchObject({ isError: true, text: expect.stringContaining("old_text not found in file") as string });
        return (await client.listTools()).tools;
      }),
    );
    expect(modern).toEqual(legacy);
    expect(modern?.map(({ name }) => name)).toEqual([...actions.map(({ name }) => name), "run", "undo", "redo", "diff", "log"]);
  });

  test("cost at most 2,500 tokens for `edit`, and 4,500 all together", async () => {
    const [edit, all] = await Promise.all([toolsOf("edit"), toolsOf()]);
    expect(tokens(edit)).toBeLessThanOrEqual(2_500);
    expect(tokens(all)).toBeLessThanOrEqual(4_500);
    expect(edit.map(({ name }) => name)).toEqual(actions.map(({ name }) => name).filter((name) => /^(files?|dir)_|^(ls|grep|glob)$/.test(name)));
  });

  test("say exactly what they do", async () => {
    const hints = (await toolsOf()).map(({ name, annotations: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } }) =>
      [name, readOnlyHint && "reads", destructiveHint && "destroys", idempotentHint && "idempotent", openWorldHint && "open"].filter(Boolean).join(" "),
    );
    expect(hints).toEqual([
      "file_write destroys idempotent",
      "file_append",
      "file_replace_text destroys",
      "file_replace_all_text destroys",
      "file_replace_text_range destroys",
      "files_replace_all_text destroys",
      "file_replace_lines destroys",
      "file_read reads idempotent",
      "file_read_numbered reads idempotent",
      "files_read reads idempotent",
      "file_outline reads idempotent",
      "file_delete destroys idempotent",
      "file_move destroys",
      "dir_create idempotent",
      "dir_delete destroys idempotent",
      "ls reads idempotent",
      "grep reads idempotent",
      "glob reads idempotent",
      "exec destroys",
      "context_add idempotent",
      "context_remove idempotent",
      "context_list reads idempotent",
      "context_prune idempotent",
      "context_clear idempotent",
      "run destroys",
      "undo destroys",
      "redo destroys",
      "diff reads idempotent",
      "log reads idempotent",
    ]);
  });

  test("take JSON values: numbers, booleans and lists", async () => {
    const tools = new Map((await toolsOf()).map((tool) => [tool.name, tool.inputSchema.properties]));
    expect(tools.get("exec")?.["timeout"]).toMatchObject({ type: "integer", minimum: 1 });
    expect(tools.get("exec")?.["return_output"]).toMatchObject({ type: "boolean" });
    expect(tools.get("exec")?.["code"]).toMatchObject({ type: "string" });
    expect(tools.get("file_replace_all_text")?.["count"]).toMatchObject({ type: "integer", minimum: 0 });
    expect(tools.get("files_read")?.["paths"]).toMatchObject({ type: "array", items: { type: "string" } });
  });

  test("are as few as the user chooses, and the configuration allows", async () => {
    const names = async (...chosen: Parameters<typeof toolsOf>) => (await toolsOf(...chosen)).map(({ name }) => name);
    const reading = ["file_read", "file_read_numbered", "files_read", "file_outline", "ls", "grep", "glob"];
    expect(await names("read")).toEqual(reading);
    expect(await names("undo,file_read")).toEqual(["file_read", "undo"]);
    expect(await names("all", { readOnly: true })).toEqual([...reading, "context_list", "diff", "log"]);
    const narrow = createFolder({ "loaf.yml": "allowed-actions: [file_read, file_write]\n" });
    expect(await names("edit", { root: narrow })).toEqual(["file_write", "file_read"]);
  });

  test("must exist", async () => {
    const { code, stdout, stderr } = await runLoaf(["mcp", "--tools", "file_read,fle_write"], { cwd: createFolder() });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: "--tools: there is no tool 'fle_write' here\n" });
  });
});

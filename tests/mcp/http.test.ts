/** `loaf mcp --http`: only this machine, only with the token. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { answeredOf, ERAS } from "../support/mcp-client.ts";
import { startHttpHost } from "../support/mcp-http.ts";
import { runLoaf } from "../support/run-loaf.ts";

/** Posts as a client does, with other headers. */
function post(url: string, headers: Record<string, string>, method = "POST"): Promise<number> {
  return new Promise((done, fail) => {
    const sent = request(url, { method, headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers } }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    sent.on("error", fail);
    sent.end(method === "POST" ? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }) : undefined);
  });
}

describe("over HTTP", () => {
  test.each(ERAS)("the tools work in the %s era", async (era) => {
    const root = createFolder({ "a.txt": "one\n" });
    const { url, token, child, stdout } = await startHttpHost(root);
    const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
    const call = async (name: string, args: Record<string, unknown> = {}) => answeredOf(await client.callTool({ name, arguments: args }));
    expect((await call("file_read", { path: "a.txt" })).texts[0]).toBe("one\n");
    expect((await call("file_write", { path: "a.txt", content: "two\n" })).text).toBe("✅ file_write a.txt: run 1");
    // One session for all requests.
    expect((await call("undo")).text).toBe("Undone: run 1 (write a.txt): restored a.txt");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
    await client.close();
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(stdout()).toBe("");
  });

  test("a wrong token, host, origin or path is refused before anything is read", async () => {
    const { url, token } = await startHttpHost(createFolder());
    const authorization = `Bearer ${token}`;
    expect(await post(url, { authorization })).toBe(200);
    expect(await post(url, {})).toBe(401);
    expect(await post(url, { authorization: `Bearer ${token}x` })).toBe(401);
    expect(await post(url, { authorization: `Bearer ${token.slice(0, -1)}` })).toBe(401);
    expect(await post(url, { authorization: "Bearer " })).toBe(401);
    expect(await post(url, { authorization, host: "evil.example" })).toBe(403);
    expect(await post(url, { authorization, host: "127.0.0.1.evil.example:80" })).toBe(403);
    expect(await post(url, { authorization, origin: "https://evil.example" })).toBe(403);
    expect(await post(url, { authorization, origin: "null" })).toBe(403);
    expect(await post(url, { authorization, origin: "http://localhost:3000" })).toBe(200);
    expect(await post(url.replace(/mcp$/, "etc/passwd"), { authorization })).toBe(404);
    expect(await post(url, { authorization }, "GET")).toBe(405);
  });

  test("listens on this machine alone, and refuses a port that is taken and a short token", async () => {
    const { url } = await startHttpHost(createFolder());
    expect(new URL(url).hostname).toBe("127.0.0.1");
    const taken = await runLoaf(["mcp", "--http", new URL(url).port], { cwd: createFolder() });
    expect(taken).toMatchObject({ code: 2, stdout: "" });
    expect(taken.stderr).toContain("--http: the port cannot be used (listen EADDRINUSE");
    const short = await runLoaf(["mcp", "--http"], { cwd: createFolder(), env: { LOAF_MCP_TOKEN: "short" } });
    expect(short).toMatchObject({ code: 2, stdout: "", stderr: "LOAF_MCP_TOKEN must have 16 characters or more, and no space\n" });
  });
});

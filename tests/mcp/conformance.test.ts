/** The protocol's own suite of requirements, for what a server of tools and resources has. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isComplete } from "../support/complete.ts";
import { projectRoot } from "../support/documents.ts";
import { createFolder } from "../support/folder.ts";
import { startHttpHost } from "../support/mcp-http.ts";

const peers = join(projectRoot, "node_modules/.cache/loaf-peers/node_modules");
const suite = join(peers, "@modelcontextprotocol/conformance/dist/index.js");
/** The suite needs a newer Node than Loaf does. */
const node = join(peers, `node-${process.platform}-${process.arch}/bin/node`);

test.runIf(isComplete || (existsSync(suite) && existsSync(node)))("the server conforms to the protocol", async () => {
  const { url, token } = await startHttpHost(createFolder({ "a.txt": "one\n" }));
  const proxy = createServer((incoming, outgoing) => {
    // The suite knows no token.
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const passed = request(url, { method: incoming.method, headers }, (response) => response.pipe(outgoing.writeHead(response.statusCode ?? 500, response.headers)));
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => proxy.closeAllConnections());
  onTestFinished(() => void proxy.close());
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const baseline = join(import.meta.dirname, "conformance-baseline.yml");
  const child = spawn(node, [suite, "server", "--url", `http://localhost:${port}/mcp`, "--expected-failures", baseline], { cwd: createFolder() });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  const summary = said.slice(said.indexOf("=== SUMMARY"));
  expect({ code, summary }).toEqual({ code: 0, summary: expect.stringContaining("✓ dns-rebinding-protection: 2 passed") as string });
}, 120_000);

/** Messages that no client sends. The server answers with nothing but the protocol, reads nothing outside, and goes on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { createFolder } from "./folder.ts";
import { startRawServer } from "./mcp-raw.ts";

const METHODS = ["initialize", "tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list", "ping", "server/discover", "subscriptions/listen", "notifications/cancelled", "notifications/initialized", "logging/setLevel", "completion/complete", "prompts/get", "sampling/createMessage", "roots/list", "__proto__"];
const TOOLS = ["file_read", "ls", "grep", "glob", "files_read", "file_outline", "log", "diff", "undo", "file_write", "constructor", "run"];

const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, "", "..", "/etc/passwd", -1, 1e308, [], {}, "\u0000", "\ud800"));
const params = fc.oneof(
  value,
  fc.record({ name: fc.oneof(fc.constantFrom(...TOOLS), value), arguments: fc.oneof(value, fc.dictionary(fc.constantFrom("path", "pattern", "paths", "run", "answer", "content", "__proto__", "base_path", "levels"), value)) }, { requiredKeys: [] }),
  fc.record({ uri: fc.oneof(value, fc.constantFrom("loaf://run/1/diff", "loaf://run/99999999999999999999/diff", "file:///etc/passwd")) }),
  fc.record({ requestId: value, reason: value }, { requiredKeys: [] }),
  fc.record({ _meta: fc.dictionary(fc.constantFrom("progressToken", "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"), value), requestState: value, inputResponses: value, name: fc.constantFrom(...TOOLS) }, { requiredKeys: [] }),
);
const message = fc.record(
  { jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant("2.0") }, { weight: 1, arbitrary: value }), id: fc.oneof(fc.integer(), fc.string(), value), method: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...METHODS) }, { weight: 1, arbitrary: value }), params, result: value, error: value },
  { requiredKeys: ["jsonrpc"] },
);
const whole = fc.oneof(message, fc.array(message, { maxLength: 4 }), value).map((one) => JSON.stringify(one));
/** Cut, doubled, or with a byte that stands for something else. */
const damaged = fc.tuple(whole, fc.nat(), fc.constantFrom("", "}", "\u0000", "\r", "\ufeff", "Content-Length: 5\r\n\r\n", "[".repeat(5_000))).map(([text, at, noise]) => {
  const place = at % (text.length + 1);
  return `${text.slice(0, place)}${noise}${at % 2 === 0 ? text.slice(place) : ""}`;
});
const line = fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: damaged }).map((text) => text.replaceAll("\n", " "));
const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)).toString("latin1"));

const PER_RUN = 500;

/** @param numRuns servers, each of which gets 500 messages */
export async function surviveMessages(numRuns: number, seed: number): Promise<void> {
  const secret = "a line that nobody may read";
  const outside = createFolder({ "secret.txt": secret });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof({ weight: 9, arbitrary: line }, { weight: 1, arbitrary: noise }), { minLength: PER_RUN, maxLength: PER_RUN }), async (lines) => {
      const root = createFolder({ "a.txt": "one\n" });
      const server = await startRawServer(root);
      for (const one of lines) await server.write(`${one}\n`);
      await server.write(`{"jsonrpc":"2.0","id":"out","method":"tools/call","params":{"name":"file_read","arguments":{"path":${JSON.stringify(join(outside, "secret.txt"))}}}}\n`);
      const { result } = await server.request("tools/call", { name: "ls", arguments: { path: root } });
      expect(result?.content?.[0]?.text).toContain("a.txt");
      await server.end();
      // The helper has parsed each line; here each is a message.
      for (const answer of server.output().trimEnd().split("\n")) expect(JSON.parse(answer)).toMatchObject({ jsonrpc: "2.0" });
      expect(server.output()).not.toContain(secret);
      expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(secret);
    }),
    { numRuns, seed, endOnFailure: true },
  );
}

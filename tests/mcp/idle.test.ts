import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { createRepository } from "../support/repository.ts";
import { startRawServer } from "../support/mcp-raw.ts";

afterEach(() => void vi.useRealTimers());

test("a session's changes are committed after 60 s without a call, and once", async () => {
  const { root, git } = createRepository({ "a.txt": "one\n" });
  const server = await startRawServer(root);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const write = (name: string) => server.request("tools/call", { name: "file_write", arguments: { path: join(root, name), content: "two\n" } });
  await write("a.txt");
  await vi.advanceTimersByTimeAsync(59_000);
  await write("b.txt");
  await vi.advanceTimersByTimeAsync(59_000);
  expect(git("log", "--format=%s")).toBe("begin");
  await vi.advanceTimersByTimeAsync(1_000);
  // A change waits for the commit.
  await write("c.txt");
  expect(git("log", "--format=%s")).toBe("AI: change 2 files in 2 calls\nbegin");
  vi.useRealTimers();
  await server.end();
  expect(git("log", "--format=%s")).toBe("AI: write c.txt\nAI: change 2 files in 2 calls\nbegin");
  expect(server.warnings).toEqual([]);
});

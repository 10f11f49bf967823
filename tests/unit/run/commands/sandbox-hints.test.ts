/** A command that meets a limit of the sandbox is told which one, and how it is opened. */
import { expect, test } from "vitest";
import { Loaf } from "../../../../src/index.ts";
import { printBlock } from "../../../../src/syntax/print.ts";
import { hasSandbox } from "../../../support/exec-world.ts";
import { createFolder } from "../../../support/folder.ts";

async function hintOf(code: string, config = {}): Promise<string | undefined> {
  const loaf = await Loaf.create({ repoPath: createFolder({ "certs/server.key": "secret", "a.txt": "a" }), config });
  const { results } = await loaf.execute(printBlock("cmd", { action: "exec", lang: "bash", code, timeout: "3000" }));
  return results[0]?.hint;
}

test.runIf(hasSandbox).each([
  ["a hidden file", "cat certs/server.key", /^the rules hide certs\/server\.key from commands; .*allow: \["\.\/\*\*", "\.\/certs\/server\.key"\]/],
  ["the network", "python3 -c 'import socket; socket.getaddrinfo(\"example.com\", 80)'", /^commands have no network here; .*network: true/],
  ["a place outside", "echo x > /opt/outside.txt", /^a command can write in the project, .*home folder of its own/],
  ["time", "sleep 10", /^give the block a longer timeout/],
])("a command that fails for want of %s", async (_, code, hint) => {
  expect(await hintOf(code)).toMatch(hint);
});

test.runIf(hasSandbox)("a command that fails for reasons of its own, or succeeds, gets none", async () => {
  expect([await hintOf("cat nowhere.txt"), await hintOf("exit 3"), await hintOf("cat a.txt certs/server.key || true")]).toEqual([undefined, undefined, undefined]);
});

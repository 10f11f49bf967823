/** A command that meets a limit of the sandbox is told which one, and how it is opened. */
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { type ActionResult, Loaf } from "../../../../src/index.ts";
import { printBlock } from "../../../../src/syntaxes/nesl/teach.ts";
import { hasSandbox } from "../../../support/programs.ts";
import { createFolder } from "../../../support/folder.ts";

async function hintOf(code: string): Promise<string | undefined> {
  return (await resultOf(code)).hint;
}

async function resultOf(code: string, config = {}): Promise<Partial<ActionResult>> {
  const loaf = await Loaf.create({ repoPath: createFolder({ "certs/server.key": "secret", "a.txt": "a" }), config });
  const { results } = await loaf.execute(printBlock("cmd", { action: "exec", lang: "bash", code, timeout: "3000" }));
  return results[0] ?? {};
}

test.runIf(hasSandbox).each([
  ["a hidden file", "cat certs/server.key", /^the rules hide certs\/server\.key from commands; .*allow: \["\.\/\*\*", "\.\/certs\/server\.key"\]/],
  ["the network", "python3 -c 'import socket; socket.getaddrinfo(\"example.com\", 80)'", /^commands have no network here; .*network: true/],
  ["a place outside", "echo x > /opt/outside.txt", /^a command can write in the project .*in its own home folder/],
  ["time", "sleep 10", /^give the block a longer timeout/],
])("a command that fails for want of %s", async (_, code, hint) => {
  expect(await hintOf(code)).toMatch(hint);
});

test.runIf(hasSandbox)("a command that fails for reasons of its own, or succeeds, gets none", async () => {
  expect([await hintOf("cat nowhere.txt"), await hintOf("exit 3"), await hintOf("cat a.txt certs/server.key || true")]).toEqual([undefined, undefined, undefined]);
});

test.runIf(hasSandbox)("a command that writes to /tmp or its home is told that these files are gone", async () => {
  const { warnings } = await resultOf("mkdir -p ~/notes ~/.cache/x; echo a > ~/notes/a.md; ln -s a.md ~/notes/b.md; echo o > /tmp/out.txt; echo c > ~/.cache/x/c; mktemp; mkdir -p /tmp/empty");
  expect(warnings).toEqual([`wrote /tmp/out.txt, ${homedir()}/notes/a.md, ${homedir()}/notes/b.md, which are gone with the sandbox: only files in the project are kept`]);
});

test.runIf(hasSandbox)("a command that writes to nothing but the project, or cleans up, is warned of nothing", async () => {
  const { warnings } = await resultOf("echo b > b.txt; t=$(mktemp); echo x > /tmp/mine; rm $t /tmp/mine");
  expect(warnings).toBeUndefined();
});

/** The protocol's inspector as a client that others wrote: its command line lists and reads, and answers approvals by a script. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { isComplete } from "../support/complete.ts";
import { projectRoot } from "../support/documents.ts";
import { createFolder } from "../support/folder.ts";
import { ERAS, type Era } from "../support/mcp-client.ts";
import { program } from "../support/run-loaf.ts";

const peers = join(projectRoot, "node_modules/.cache/loaf-peers/node_modules");
const inspector = join(peers, "@modelcontextprotocol/inspector/clients");
/** The inspector needs a newer Node than Loaf does. */
const node = join(peers, `node-${process.platform}-${process.arch}/bin/node`);

interface Ended {
  readonly code: number;
  readonly value: Record<string, unknown>;
}

interface Inspector {
  /** One request by a process of its own. */
  once(...args: readonly string[]): Promise<Ended>;
  /** A command on a connection that stays open. */
  connected(...args: readonly string[]): Promise<Ended>;
}

async function startInspector(root: string, era: Era): Promise<Inspector> {
  const home = createFolder();
  const config = join(home, "servers.json");
  const server = { command: process.execPath, args: [program, "mcp", "--root", root], env: { HOME: home, XDG_STATE_HOME: join(home, "state") } };
  writeFileSync(config, JSON.stringify({ mcpServers: { loaf: { ...server, protocolEra: era } } }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, MCP_INSPECTOR_SECRET_STORE: "memory" };
  const run = async (script: string, args: readonly string[]): Promise<Ended> => {
    const running = promisify(execFile)(node, [join(inspector, script), ...args], { env, cwd: home });
    running.child.stdin?.end();
    const { stdout, code } = await running.then((ended) => ({ ...ended, code: 0 })).catch((ended: { stdout: string; code: number }) => ended);
    return { code, value: stdout.trim() === "" ? {} : (JSON.parse(stdout) as Record<string, unknown>) };
  };
  const connected: Inspector["connected"] = (...args) => run("mcpdo/build/mcp-bin.js", [...args, "--format", "json"]);
  const selected = ["--cli", "--format", "json", "--quiet", "--config", config, "--server", "loaf"];
  onTestFinished(async () => {
    // The server ends, and has written all of its state, before the folders go.
    await connected("disconnect", "loaf");
    await connected("daemon", "stop");
  });
  await connected("connect", "loaf", "--config", config);
  return { once: (...args) => run("launcher/build/index.js", [...selected, ...args]), connected };
}

const settings = [".vscode/settings.json", "content:=// ours\n"] as const;

describe.runIf(isComplete || (existsSync(inspector) && existsSync(node))).each(ERAS)("the inspector in the %s era", (era) => {
  test("lists the tools without complaint about a schema, and reads a file and the instructions", async () => {
    const { once } = await startInspector(createFolder({ "a.txt": "one\n" }), era);
    const listed = await once("--method", "tools/list", "--strict");
    expect(listed).toMatchObject({ code: 0, value: { result: { tools: expect.arrayContaining([expect.objectContaining({ name: "file_read" })]) as unknown } } });
    const read = await once("--method", "tools/call", "--tool-name", "file_read", "--tool-arg", "path=a.txt");
    expect(read).toMatchObject({ code: 0, value: { result: { content: [{ text: "one\n" }, { text: expect.stringMatching(/^note: base = /) as string }] } } });
    const instructions = await once("--method", "resources/read", "--uri", "loaf://instructions");
    expect(instructions).toMatchObject({ code: 0, value: { result: { contents: [{ mimeType: "text/markdown", text: expect.stringContaining("file_replace_text") as string }] } } });
  });

  test("a protected file waits for each answer, and is written after a yes alone", async () => {
    const root = createFolder();
    const { connected } = await startInspector(root, era);
    const path = join(root, settings[0]);
    const answered = async (...answer: readonly string[]): Promise<string> => {
      const asked = await connected("@loaf", "tools/call", "file_write", `path:=${settings[0]}`, settings[1]);
      const { elicitationId = "", message } = (asked.value["elicitationPending"] ?? {}) as { elicitationId?: string; message?: string };
      expect(message).toContain(".vscode/settings.json is protected, since other programs run");
      expect(existsSync(path)).toBe(false);
      return JSON.stringify(await connected("@loaf", "elicitation/respond", elicitationId, ...answer));
    };
    for (const no of ["--cancel", "--decline", "answer:=no"]) {
      expect(await answered(no)).toContain("Write access denied");
      expect(existsSync(path)).toBe(false);
    }
    expect(await answered("answer:=once")).toContain("✅ file_write");
    expect(readFileSync(path, "utf8")).toBe("// ours\n");
    expect(await connected("@loaf", "tools/call", "undo")).toMatchObject({ code: 0 });
    expect(existsSync(path)).toBe(false);
  }, 120_000);
});

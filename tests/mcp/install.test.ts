/** `loaf mcp --install HOST`: what it prints, and how it merges. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { runLoaf } from "../support/run-loaf.ts";

const FILES = { claude: ".mcp.json", gemini: ".gemini/settings.json", opencode: "opencode.json", vscode: ".vscode/mcp.json", cursor: ".cursor/mcp.json" };

async function install(root: string, host: string, ...args: string[]) {
  const home = createFolder();
  return { home, ...(await runLoaf(["mcp", "--install", host, ...args], { cwd: root, env: { HOME: home } })) };
}
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe("--install", () => {
  test.each([
    ["claude", { mcpServers: { loaf: { command: "loaf", args: ["mcp"] } } }],
    ["gemini", { mcpServers: { loaf: { command: "loaf", args: ["mcp"] } } }],
    ["opencode", { mcp: { loaf: { type: "local", command: ["loaf", "mcp"], enabled: true } } }],
    ["vscode", { servers: { loaf: { type: "stdio", command: "loaf", args: ["mcp"] } } }],
    ["cursor", { mcpServers: { loaf: { command: "loaf", args: ["mcp"] } } }],
  ] as const)("prints what %s needs, writes it, and does so once", async (host, expected) => {
    const root = createFolder();
    const printed = await install(root, host);
    expect(JSON.parse(printed.stdout)).toEqual(expected);
    expect(existsSync(join(root, FILES[host]))).toBe(false);
    const written = await install(root, host, "--write");
    expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining(`+++ b/${FILES[host]}`) as string });
    expect(JSON.parse(readFileSync(join(root, FILES[host]), "utf8"))).toEqual(expected);
    expect(await install(root, host, "--write")).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("has the server already") as string });
  });

  test("merges into a file, whose other keys, indentation, line endings and mode stay", async () => {
    const root = createFolder();
    const path = join(root, ".mcp.json");
    put(path, '{\r\n\t"other": [1],\r\n\t"mcpServers": {\r\n\t\t"x": {\r\n\t\t\t"command": "y"\r\n\t\t}\r\n\t}\r\n}\r\n');
    const mode = statSync(path).mode;
    const { stdout } = await install(root, "claude", "--write", "--read-only", "--tools", "read");
    expect(stdout.split("\n").filter((line) => /^-(?!--)/.test(line))).toEqual(['-\t"other": [1],\r']);
    expect(readFileSync(path, "utf8")).toBe('{\r\n\t"other": [\r\n\t\t1\r\n\t],\r\n\t"mcpServers": {\r\n\t\t"x": {\r\n\t\t\t"command": "y"\r\n\t\t},\r\n\t\t"loaf": {\r\n\t\t\t"command": "loaf",\r\n\t\t\t"args": [\r\n\t\t\t\t"mcp",\r\n\t\t\t\t"--read-only",\r\n\t\t\t\t"--tools",\r\n\t\t\t\t"read"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n');
    expect(statSync(path).mode).toBe(mode);
  });

  test.each([
    ["", '[mcp_servers.loaf]\ncommand = "loaf"\nargs = ["mcp","--root","ROOT"]\n'],
    ['model = "x"', 'model = "x"\n\n[mcp_servers.loaf]\ncommand = "loaf"\nargs = ["mcp","--root","ROOT"]\n'],
    [
      '[mcp_servers.loaf]\ncommand = "old"\nstartup_timeout_sec = 5\n\n[mcp_servers.loaf.env]\nA = "1"\n\n[other]\nb = 2\n',
      '[mcp_servers.loaf]\ncommand = "loaf"\nargs = ["mcp","--root","ROOT"]\nstartup_timeout_sec = 5\n\n[mcp_servers.loaf.env]\nA = "1"\n\n[other]\nb = 2\n',
    ],
  ])("changes Codex's file in the home folder (%#)", async (before, after) => {
    const [root, home] = [createFolder(), createFolder()];
    const path = join(home, ".codex/config.toml");
    if (before !== "") put(path, before);
    const run = () => runLoaf(["mcp", "--install", "codex", "--write"], { cwd: root, env: { HOME: home } });
    expect((await run()).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(after.replace("ROOT", root));
    expect((await run()).stderr).toContain("has the server already");
  });

  test("leaves a file alone that it could damage", async () => {
    const root = createFolder({ ".vscode/mcp.json": '{\n  // mine\n  "servers": {}\n}\n', "opencode.json": '{"mcp": []}', "real.json": "{}" });
    symlinkSync("real.json", join(root, ".mcp.json"));
    const refused = await install(root, "vscode", "--write");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("it is no plain JSON") as string });
    // What to add is there to be copied, and the same as without --write.
    expect(JSON.parse(refused.stdout)).toEqual({ servers: { loaf: { type: "stdio", command: "loaf", args: ["mcp"] } } });
    expect(await install(root, "vscode")).toMatchObject({ code: 0, stdout: refused.stdout });
    expect(await install(root, "opencode", "--write")).toMatchObject({ code: 2, stderr: expect.stringContaining('its "mcp" is not an object') as string });
    expect(await install(root, "claude", "--write")).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a regular file") as string });
    expect(readFileSync(join(root, "real.json"), "utf8")).toBe("{}");
    expect(readFileSync(join(root, ".vscode/mcp.json"), "utf8")).toContain("// mine");
  });

  test("refuses what does not go together", async () => {
    expect(await install(createFolder(), "emacs")).toMatchObject({ code: 2, stdout: "" });
    expect(await install(createFolder(), "claude", "--http")).toMatchObject({ code: 2, stdout: "" });
    expect((await runLoaf(["mcp", "--write"], { cwd: createFolder() })).stderr).toBe("--write goes with --install\n");
  });
});

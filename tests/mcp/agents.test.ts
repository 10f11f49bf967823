/** Real agents, which a model of this machine asks to mend a program with Loaf's tools: the host's configuration by `--install`, the edit, its undo. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { createRepository, gitEnvironment } from "../support/repository.ts";
import { program, runLoaf } from "../support/run-loaf.ts";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model.ts";
import { isLong } from "../support/tries.ts";

const FOLDER = join(import.meta.dirname, "../../node_modules/.cache/loaf-agents/node_modules");
const BUG = "export function sum(numbers) {\n  let total = 0;\n  for (let at = 1; at < numbers.length; at++) total += numbers[at];\n  return total;\n}\n";
const TASK = "sum([1, 2]) is 2. Fix it.";

interface Agent {
  /** Below the folder of packages. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Tells the agent of the model. */
  configure(home: string, port: number): void;
}

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

const agents: Readonly<Record<string, Agent>> = {
  codex: {
    file: "@openai/codex/bin/codex.js",
    args: ["exec", "--dangerously-bypass-approvals-and-sandbox", TASK],
    env: { LOOPBACK_KEY: "none" },
    configure: (home, port) => {
      const path = join(home, ".codex/config.toml");
      const own = readFileSync(path, "utf8");
      const provider = `[model_providers.loopback]\nname = "loopback"\nbase_url = "http://127.0.0.1:${port}/v1"\nwire_api = "responses"\nenv_key = "LOOPBACK_KEY"\n`;
      write(path, `model = "scripted"\nmodel_provider = "loopback"\n\n${own}\n${provider}`);
    },
  },
  opencode: {
    file: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    args: ["run", TASK],
    env: { OPENCODE_DISABLE_AUTOUPDATE: "true", OPENCODE_DISABLE_MODELS_FETCH: "true" },
    configure: (home, port) => {
      const provider = { npm: "@ai-sdk/openai-compatible", options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "none" }, models: { scripted: { tool_call: true } } };
      write(join(home, ".config/opencode/opencode.json"), JSON.stringify({ model: "loopback/scripted", small_model: "loopback/scripted", provider: { loopback: provider } }));
    },
  },
  gemini: {
    file: "@google/gemini-cli/bundle/gemini.js",
    args: ["--approval-mode", "yolo", "--prompt", TASK],
    env: { GEMINI_API_KEY: "none", GEMINI_TELEMETRY_ENABLED: "false", GEMINI_CLI_TRUST_WORKSPACE: "true" },
    configure: (home) => {
      write(join(home, ".gemini/settings.json"), JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } }, general: { disableAutoUpdate: true }, privacy: { usageStatisticsEnabled: false } }));
    },
  },
};

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** The agent's own folders are in its home. A tool of the agent's own is of no use, as it may reach nothing but the model. */
function start({ file, args, env }: Agent, { root, home, model }: { root: string; home: string; model: ScriptedModel }): Promise<Ended> {
  const variables = { PATH: `${home}/bin:${process.env["PATH"]}`, HOME: home, GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${model.port}`, NO_COLOR: "1", ...gitEnvironment, ...env };
  const [command = "", ...before] = [...(file.endsWith(".js") ? [process.execPath] : []), join(FOLDER, file)];
  const child = spawn(command, [...before, ...args], { cwd: root, env: variables, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (piece: string) => (output += piece));
  const timer = setTimeout(() => child.kill(), 120_000);
  return new Promise((resolve) => {
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

describe.skipIf(!isLong)("an agent mends a program, and loaf undo takes it back", () => {
  test.each(Object.entries(agents))("%s", { timeout: 180_000 }, async (host, agent) => {
    expect(existsSync(join(FOLDER, agent.file)), "node scripts/install.mjs --agents").toBe(true);
    const { root, git } = createRepository({ "sum.js": BUG });
    const home = createFolder();
    write(join(home, "bin/loaf"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, 0o755);
    // Codex gives its servers hardly any variables.
    write(join(home, ".gitconfig"), "[user]\nname = Someone\nemail = someone@example.com\n");
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_STATE_HOME: join(home, ".local/state") };
    expect((await runLoaf(["mcp", "--install", host, "--write"], { cwd: root, env })).code).toBe(0);
    const model = await startScriptedModel([
      { name: "file_read", arguments: { path: "sum.js" } },
      { name: "file_replace_text", arguments: { path: "sum.js", old_text: "let at = 1", new_text: "let at = 0" } },
    ]);
    agent.configure(home, model.port);
    const { code, output } = await start(agent, { root, home, model });
    expect([code, model.results], output).toEqual([0, [expect.stringContaining("let at = 1"), expect.stringContaining("✅ file_replace_text sum.js")]]);
    expect(readFileSync(join(root, "sum.js"), "utf8")).toBe(BUG.replace("let at = 1", "let at = 0"));
    // Agents do not wait for their servers.
    await expect.poll(() => git("log", "-1", "--format=%s"), { timeout: 10_000 }).toBe("AI: edit sum.js");
    expect((await runLoaf(["undo"], { cwd: root, env })).stdout).toContain("Undone: run 1 (edit sum.js)");
    expect(readFileSync(join(root, "sum.js"), "utf8")).toBe(BUG);
  });
});

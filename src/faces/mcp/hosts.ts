/** Adds the server to the configuration files of hosts. */

export interface Host {
  /** Path of the configuration file, relative to the folder. */
  readonly file: string;
  readonly below: "project" | "home";
  /** Returns the file's new text. Throws `Error` if the text cannot be changed safely. */
  withServer(text: string | undefined, server: ServerCommand): string;
}

/** How the host starts the server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

const NAME = "loaf";

export const HOSTS: Readonly<Record<string, Host>> = {
  claude: { file: ".mcp.json", below: "project", withServer: inJson("mcpServers", (server) => ({ ...server })) },
  codex: { file: ".codex/config.toml", below: "home", withServer: inToml },
  gemini: {
    file: ".gemini/settings.json",
    below: "project",
    withServer: inJson("mcpServers", (server) => ({ ...server })),
  },
  opencode: {
    file: "opencode.json",
    below: "project",
    withServer: inJson("mcp", ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true })),
  },
  vscode: {
    file: ".vscode/mcp.json",
    below: "project",
    withServer: inJson("servers", (server) => ({ type: "stdio", ...server })),
  },
  cursor: { file: ".cursor/mcp.json", below: "project", withServer: inJson("mcpServers", (server) => ({ ...server })) },
};

/** Adds the server to an object of a JSON file, and keeps everything else and the indentation. */
function inJson(key: string, entryOf: (server: ServerCommand) => object): Host["withServer"] {
  return (text = "{}\n", server) => {
    const settings = parse(text);
    const servers = settings[key] ?? {};
    if (!isMapping(servers)) throw new Error(`its "${key}" is not an object`);
    const [, indent = "  "] = /^\{\r?\n([ \t]+)/.exec(text.trimStart()) ?? [];
    const changed = { ...settings, [key]: { ...servers, [NAME]: entryOf(server) } };
    const end = text.includes("\r\n") ? "\r\n" : "\n";
    return `${JSON.stringify(changed, undefined, indent).replaceAll("\n", end)}${end}`;
  };
}

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, "").trim() || "{}");
  } catch {
    // Comments would be lost.
    throw new Error("it is no plain JSON, so it has to be changed by hand");
  }
  if (!isMapping(value)) throw new Error("it holds no object");
  return value;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Replaces the server's table, or appends it. Keeps tables nested in it, such as its environment. */
function inToml(text = "", { command, args }: ServerCommand): string {
  const table = `[mcp_servers.${NAME}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  const lines = text.split("\n");
  const isHead = (line: string): boolean => /^\s*\[/.test(line);
  const start = lines.findIndex((line) => /^\s*\[\s*mcp_servers\s*\.\s*"?loaf"?\s*\]/.test(line));
  if (start === -1) return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${text === "" ? "" : "\n"}${table}`;
  const next = lines.findIndex((line, index) => index > start && isHead(line));
  const end = next === -1 ? lines.length : next;
  const [body, after] = [lines.slice(start + 1, end), lines.slice(end)];
  // Only a parser could tell a value over several lines from the next setting.
  if (body.some((line) => /[[{]\s*$/.test(line) || line.includes('"""') || line.includes("'''")))
    throw new Error(`its table mcp_servers.${NAME} has values over several lines, so it has to be changed by hand`);
  const kept = body.filter((line) => !/^\s*(?:command|args)\s*=/.test(line) && line.trim() !== "");
  const made = [...table.trimEnd().split("\n"), ...kept, ...(after.length > 0 ? ["", ...after] : [""])];
  return [...lines.slice(0, start), ...made].join("\n");
}

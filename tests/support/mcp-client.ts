/** Starts `loaf mcp` as a host does, with the SDK's own client of either era. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { createFolder } from "./folder.ts";
import { gitEnvironment } from "./repository.ts";
import { program } from "./run-loaf.ts";

export const ERAS = ["legacy", "modern"] as const;
export type Era = (typeof ERAS)[number];

/** A result, reduced to what a host shows. */
export interface Answered {
  readonly text: string;
  /** All parts, the first of which is the output alone. */
  readonly texts: readonly string[];
  readonly isError: boolean;
}

export interface Host {
  readonly client: Client;
  /** What it asked the user, in order. */
  readonly asked: string[];
  /** Environment of the server, for other commands on the same state. */
  readonly env: Readonly<Record<string, string>>;
  call(name: string, args?: Record<string, unknown>): Promise<Answered>;
  stderr(): string;
}

type Word = "no" | "once" | "always" | "decline";

interface HostOptions {
  readonly era?: Era;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How many files the server may have open. */
  readonly openFiles?: number;
  /** What the user answers. Without it, the client cannot ask. */
  readonly answer?: (message: string) => Word | Promise<Word>;
}

export async function startHost(root: string, { era = "modern", args = [], env = {}, openFiles, answer }: HostOptions = {}): Promise<Host> {
  const home = createFolder();
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_STATE_HOME: `${home}/state`,
    ...gitEnvironment,
    ...env,
  };
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } },
    },
  );
  const asked: string[] = [];
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params: { message } }) => {
      asked.push(message);
      const word = await answer(message);
      return word === "decline" ? { action: "decline" } : { action: "accept", content: { answer: word } };
    });
  const [command = "", ...words] = [
    ...(openFiles === undefined ? [] : ["sh", "-c", `ulimit -n ${openFiles}; exec "$@"`, "sh"]),
    process.execPath,
    program,
    "mcp",
    "--root",
    root,
    ...args,
  ];
  const transport = new StdioClientTransport({
    command,
    args: words,
    env: environment,
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call: Host["call"] = async (name, params = {}) => answeredOf(await client.callTool({ name, arguments: params }));
  return { client, asked, env: environment, call, stderr: () => stderr };
}

export function answeredOf(result: Awaited<ReturnType<Client["callTool"]>>): Answered {
  const texts = result.content.map((part) => (part.type === "text" ? part.text : `(${part.type})`));
  return { text: texts.join("\n"), texts, isError: result.isError === true };
}

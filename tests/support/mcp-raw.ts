/** The server within this process, spoken to line by line: for messages that no client would send, and for many projects. */
import { PassThrough } from "node:stream";
import { Loaf } from "../../src/index.ts";
import type { ServedProject } from "../../src/faces/mcp/session.ts";
import { startServer } from "../../src/faces/mcp/start.ts";

export interface RawServer {
  /** Everything it has written. */
  output(): string;
  write(bytes: string | Uint8Array): Promise<void>;
  /** Sends a request, and resolves with its whole response. */
  request(method: string, params?: object): Promise<Response>;
  end(): Promise<void>;
  /** What it told its user. */
  readonly warnings: string[];
}

interface Response {
  readonly id: unknown;
  readonly result?: { readonly content?: ReadonlyArray<{ readonly text: string }>; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

export async function startRawServer(root: string, settings: Partial<ServedProject> = {}): Promise<RawServer> {
  const warnings: string[] = [];
  const project: ServedProject = {
    root,
    version: "0",
    tools: "all",
    readOnly: false,
    person: undefined,
    stamp: () => "",
    news: () => [],
    commitApart: () => false,
    warn: (sentence) => void warnings.push(sentence),
    open: ({ dryRun = false, commits = false }) => Loaf.create({ repoPath: root, dryRun, gitCommit: commits }),
    ...settings,
  };
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = startServer(project, { input, output });
  const waiting = new Map<unknown, (response: Response) => void>();
  let [text, read] = ["", 0];
  output.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\n", read); end !== -1; end = text.indexOf("\n", read)) {
      const message = JSON.parse(text.slice(read, end)) as Response;
      read = end + 1;
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  let last = 0;
  const write: RawServer["write"] = (bytes) => new Promise((resolve) => void (input.write(bytes) ? resolve() : input.once("drain", resolve)));
  const request: RawServer["request"] = (method, params = {}) =>
    new Promise((resolve) => {
      const id = `own-${++last}`;
      waiting.set(id, resolve);
      void write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } });
  await write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const end = async (): Promise<void> => {
    input.end();
    await server.ended;
  };
  return { output: () => text, write, request, end, warnings };
}

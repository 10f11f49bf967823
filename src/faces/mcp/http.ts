/** The same server on a port of this machine, for hosts that cannot start a program. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { OpenCall } from "./open-call.ts";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "./sdk.ts";
import { createServer } from "./server.ts";
import { type ServedProject, ServerSession } from "./session.ts";
import { endable, MAX_MESSAGE_BYTES, type RunningServer } from "./start.ts";

interface HttpServer extends RunningServer {
  readonly url: string;
  /** What a client must send as `Authorization: Bearer …`. */
  readonly token: string;
}

/**
 * Serves on 127.0.0.1. Throws a system error if the port is taken.
 *
 * @param port 0 for any free one
 * @param token by default a new one
 */
export async function startHttpServer(
  project: ServedProject,
  { port, token = randomBytes(24).toString("base64url") }: { port: number; token?: string | undefined },
): Promise<HttpServer> {
  const session = new ServerSession(project);
  const open = new Map<string, OpenCall>();
  const handler = createMcpHandler(() => createServer(session, open), {
    maxRequestBodySize: MAX_MESSAGE_BYTES,
    onerror: ({ message }) => project.warn(`A request was not understood: ${message.split("\n", 1)[0]}`),
  });
  const answer = async (request: Request): Promise<Response> =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    refusal(request, token) ??
    handler.fetch(request);
  const http = createHttpServer((incoming, outgoing) => {
    serve(incoming, outgoing, answer).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, "127.0.0.1", resolve);
  });
  const address = http.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : port}/mcp`;
  const running = endable(async () => {
    http.close();
    await session.end();
    await handler.close();
    http.closeAllConnections();
  });
  return { ...running, handOver: () => session.handOver(), url, token };
}

/** Compares digests, which have one length and tell no part of the token. */
function refusal(request: Request, token: string): Response | undefined {
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  const given = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (!timingSafeEqual(digest(given), digest(token)))
    return new Response("A bearer token is needed: loaf mcp --http prints it\n", {
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    });
  return new URL(request.url).pathname === "/mcp" ? undefined : new Response("Not found\n", { status: 404 });
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const response = await answer(requestOf(incoming, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void outgoing.end();
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  // A client that goes away ends what it was sent.
  outgoing.once("close", () => body.destroy());
  body.once("error", () => outgoing.destroy());
  body.pipe(outgoing);
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name.startsWith(":") ? [] : [[name, String(value)] as [string, string]],
  );
  const hasBody = method !== "GET" && method !== "HEAD";
  const sent = { method, headers: fields, signal, ...(hasBody && { body: Readable.toWeb(incoming), duplex: "half" }) };
  return new Request(new URL(url, "http://127.0.0.1"), sent as ConstructorParameters<typeof Request>[1]);
}

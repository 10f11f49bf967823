/** The server of the page, for one browser tab: one GET for the page, JSON by POST for everything else. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

export interface Handlers {
  /** Answers a request with JSON. Throws `BadRequest` for one that no page sends, and any `Error` to be shown. */
  answer(name: string, body: unknown): Promise<unknown>;
  /** A tab is there, and reads what `tell` sends it until `closed`. */
  opened(): void;
  closed(): void;
}

/** A request that no page of Loaf sends. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
}

interface ServerOptions {
  readonly html: string;
  readonly handlers: Handlers;
  /** Maximum number of bytes of a request. */
  readonly limit: number;
}

const MAX_CONNECTIONS = 32;
/** Characters of a key, as `randomUUID` makes it. */
const MIN_KEY = 36;
/** The key that a tab makes for itself, and that of its address, which it needs to open the page. */
const [KEY, ADDRESS_KEY] = ["x-loaf-key", "x-loaf-address"];

export class PageServer {
  readonly #server: Server;
  readonly #options: ServerOptions;
  readonly #page: { readonly plain: Buffer; readonly zipped: Buffer };
  readonly #policy: string;
  /** Keys in addresses that nobody has opened yet. */
  readonly #offered = new Set<string>();
  /** The key of the tab that is open, or was open last. */
  #key: string | undefined;
  #tab: ServerResponse | undefined;
  #openedAt = 0;
  #port = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    const plain = Buffer.from(options.html);
    this.#page = { plain, zipped: gzipSync(plain) };
    this.#policy = policyFor(options.html);
    this.#server = createServer({ requestTimeout: 60_000, headersTimeout: 10_000 }, (request, response) => {
      void this.#handle(request, response).catch((thrown: unknown) => refuse(response, 500, messageOf(thrown)));
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  async listen(): Promise<void> {
    await new Promise<void>((done, fail) => {
      this.#server.once("error", fail);
      this.#server.listen(0, "127.0.0.1", done);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Returns an address that opens the page once. */
  address(): string {
    const key = randomBytes(24).toString("base64url");
    this.#offered.add(key);
    return `${this.#origin}/#${key}`;
  }

  /** Whether a tab shows the page. */
  get isOpen(): boolean {
    return this.#tab !== undefined;
  }

  /** Sends a line to the tab, if there is one. */
  tell(value: unknown): void {
    if (this.#tab?.destroyed === false) this.#tab.write(`${JSON.stringify(value)}\n`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get #origin(): string {
    return `http://${this.#host}`;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
    // A name that leads to this machine, as with DNS rebinding, is not this address.
    if (request.headers.host !== this.#host) return refuse(response, 403, "This is not the address of the page");
    if (request.url !== "/") return refuse(response, 404, "There is nothing but the page here");
    if (request.method === "GET") return this.#sendPage(request, response);
    if (request.method !== "POST") return refuse(response, 405, "Only GET and POST");
    if (request.headers.origin !== this.#origin || !isSameOrigin(request))
      return refuse(response, 403, "This request does not come from the page");
    if (request.headers["content-type"] !== "application/json") return refuse(response, 415, "Only JSON");
    const key = String(request.headers[KEY] ?? "");
    const offered = this.#offeredAs(String(request.headers[ADDRESS_KEY] ?? ""));
    if (key.length < MIN_KEY || (offered === undefined && !isEqual(key, this.#key)))
      return refuse(response, 401, USED);
    const body = await readBody(request, this.#options.limit);
    if (body === undefined) return refuse(response, 413, "The request is too large");
    const { do: name, ...parameters } = Object(parseJson(body)) as Record<string, unknown>;
    if (typeof name !== "string") return refuse(response, 400, "A request names what to do");
    if (name === "open") return this.#open(response, { key, offered, at: Number(parameters["at"]) });
    if (!isEqual(key, this.#key)) return refuse(response, 401, "The page has to be opened first");
    await this.#answer(response, name, parameters);
  }

  #sendPage(request: IncomingMessage, response: ServerResponse): void {
    const isZipped = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    response.setHeader("Content-Security-Policy", this.#policy);
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    if (isZipped) response.setHeader("Content-Encoding", "gzip");
    response.end(isZipped ? this.#page.zipped : this.#page.plain);
  }

  /** Returns the key if it is one of an address that was not opened yet. */
  #offeredAs(given: string): string | undefined {
    return [...this.#offered].find((key) => isEqual(given, key));
  }

  /** The key of an address counts once, for the tab that sent it. The tab that was opened last is the one that counts. */
  #open(response: ServerResponse, { key, offered, at }: Opening): void {
    // Requests that a tab gave up, while this process was stopped, may be read after its last one.
    if (!(at >= this.#openedAt)) return refuse(response, 409, "The page was opened again since");
    this.#openedAt = at;
    // The address may have been opened while the body was read.
    const isNew = offered !== undefined && this.#offered.delete(offered);
    if (!isNew && !isEqual(key, this.#key)) return refuse(response, 401, USED);
    this.#key = key;
    this.tell({ kind: "replaced" });
    this.#tab?.end();
    this.#tab = response;
    response.setHeader("Content-Type", "application/x-ndjson; charset=utf-8");
    response.flushHeaders();
    response.once("close", () => {
      if (this.#tab !== response) return;
      this.#tab = undefined;
      this.#options.handlers.closed();
    });
    this.#options.handlers.opened();
  }

  async #answer(response: ServerResponse, name: string, body: unknown): Promise<void> {
    try {
      sendJson(response, 200, (await this.#options.handlers.answer(name, body)) ?? null);
    } catch (thrown) {
      refuse(response, thrown instanceof BadRequest ? 400 : 422, messageOf(thrown));
    }
  }
}

interface Opening {
  readonly key: string;
  /** The key of an address that was not opened before, if the request has one. */
  readonly offered: string | undefined;
  /** When the tab sent the request, in milliseconds since 1970. */
  readonly at: number;
}

const USED = "This address was opened before, or is an old one: go back to that tab, or start loaf review again";

const COMMON_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Lets the page run its own script and style, and talk to this server. Nothing else. */
function policyFor(html: string): string {
  const hashOf = (element: "script" | "style"): string => {
    const text = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html)?.[1] ?? "";
    return `'sha256-${hash("sha256", text, "base64")}'`;
  };
  return [
    "default-src 'none'",
    `script-src ${hashOf("script")}`,
    `style-src ${hashOf("style")}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

/** Browsers say where a request comes from; other clients need not. */
function isSameOrigin({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin";
}

function isEqual(given: string, key: string | undefined): boolean {
  if (key === undefined || given.length !== key.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(key));
}

/** Returns undefined for a body over the limit. */
async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > limit) return undefined;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.end(JSON.stringify(value));
}

/** The rest of a request that is too large is not read, so its connection ends. */
function refuse(response: ServerResponse, status: number, sentence: string): void {
  if (response.headersSent) return void response.end();
  if (status === 413) response.setHeader("Connection", "close");
  sendJson(response, status, { sentence });
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

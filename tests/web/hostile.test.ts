/** What a page on the web, another program or a second tab can ask of the server of the page: nothing. */
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, test, vi } from "vitest";
import { openPage } from "./open-page.ts";

const JSON_TYPE = { "content-type": "application/json" };

test("123: only the page's own address is answered, so that a name of somebody else's that leads here gets nothing", async () => {
  const page = await openPage({});
  for (const host of ["evil.example", `evil.example:${page.port}`, `localhost:${page.port}`, "127.0.0.1", `127.0.0.1:${page.port}.evil.example`]) {
    const { status, body } = await page.raw({ method: "GET", headers: { host } });
    expect([host, status, body]).toEqual([host, 403, expect.not.stringContaining("<script>")]);
  }
});

test("124: a request of another page is refused, with the right key too", async () => {
  const page = await openPage({});
  const own = { ...JSON_TYPE, "x-loaf-key": page.key, origin: `http://127.0.0.1:${page.port}` };
  const body = JSON.stringify({ do: "history" });
  expect((await page.raw({ headers: own, body })).status).toBe(200);
  for (const origin of ["https://evil.example", "null", `http://localhost:${page.port}`, `http://127.0.0.1:${page.port + 1}`])
    expect([origin, (await page.raw({ headers: { ...own, origin }, body })).status]).toEqual([origin, 403]);
  const { origin: _, ...none } = own;
  expect((await page.raw({ headers: none, body })).status).toBe(403);
  expect((await page.raw({ headers: { ...own, "sec-fetch-site": "cross-site" }, body })).status).toBe(403);
});

test("125, 126: what a form can send is refused: another type than JSON, and a request without the key", async () => {
  const page = await openPage({});
  const origin = `http://127.0.0.1:${page.port}`;
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json; charset=utf-7"])
    expect((await page.raw({ headers: { "content-type": type, origin, "x-loaf-key": page.key }, body: "{}" })).status).toBe(415);
  for (const key of ["", "x", page.key.slice(1), `${page.key}x`, page.key.toUpperCase()])
    expect((await page.raw({ headers: { ...JSON_TYPE, origin, "x-loaf-key": key }, body: '{"do":"history"}' })).status).toBe(401);
});

test("127: there is one page, and nothing of the project or of Loaf at any other path", async () => {
  const page = await openPage({ "secret.txt": "hunter2" });
  for (const path of ["/secret.txt", "/../secret.txt", "/%2e%2e/secret.txt", "//", "/?", "/index.html", "/favicon.ico", "*"])
    expect([path, (await page.raw({ method: "GET", path })).status]).toEqual([path, expect.toSatisfy((status: number) => status === 404 || status === 403 || status === 400)]);
  for (const method of ["PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"]) {
    const { status, headers } = await page.raw({ method });
    expect([method, status]).toEqual([method, 405]);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("128: the page may run its own script and style, talk to its server, and nothing else; nobody may frame it", async () => {
  const page = await openPage({});
  const { headers, body } = await page.raw({ method: "GET" });
  expect(body).toContain("<script>");
  const policy = String(headers["content-security-policy"]).split("; ");
  expect(policy).toEqual([
    "default-src 'none'",
    expect.stringMatching(/^script-src 'sha256-[\w+/=]{44}'$/),
    expect.stringMatching(/^style-src 'sha256-[\w+/=]{44}'$/),
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]);
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
});

test("126, 129: the key in an address opens the page once; the next tab needs a new address, and takes over", async () => {
  const page = await openPage({});
  const offered = new URL(page.session.address()).hash.slice(1);
  const origin = `http://127.0.0.1:${page.port}`;
  const key = randomUUID();
  // Before the page is opened with it, the key of an address is good for nothing else.
  const headers = { ...JSON_TYPE, origin, "x-loaf-address": offered };
  for (const given of ["", offered, key]) expect((await page.raw({ headers: { ...headers, "x-loaf-key": given }, body: '{"do":"history"}' })).status).toBe(401);
  // A key that somebody could guess opens nothing.
  expect((await page.open(key.slice(1), offered)).status).toBe(401);
  const second = await page.open(key, offered);
  expect(second.status).toBe(200);
  await vi.waitFor(() => expect(page.events.at(-1)).toEqual({ kind: "replaced" }));
  // What the first tab holds opens nothing any more.
  await expect(page.ask("history")).rejects.toThrow("401 This address was opened before");
  expect((await page.open(randomUUID(), offered)).status).toBe(401);
  // The tab itself may ask again, as when the answer was lost.
  expect((await page.open(key, offered)).status).toBe(200);
});

test("130: a request to open the page that was given up, and is read after the next one, takes nothing over", async () => {
  const page = await openPage({});
  const headers = { ...JSON_TYPE, origin: `http://127.0.0.1:${page.port}`, "x-loaf-key": page.key };
  for (const body of ['{"do":"open"}', '{"do":"open","at":1}', '{"do":"open","at":"now"}']) expect((await page.raw({ headers, body })).status).toBe(409);
  expect(await page.ask("history")).toEqual([]);
  expect(page.events.map(({ kind }) => kind)).toEqual(["hello"]);
});

test("131: a request that is too large is refused without being read", async () => {
  const page = await openPage({});
  const headers = { ...JSON_TYPE, origin: `http://127.0.0.1:${page.port}`, "x-loaf-key": page.key };
  const told = await page.raw({ headers, body: "x".repeat(2_000_000) }).catch((thrown: NodeJS.ErrnoException) => thrown.code);
  expect(told).toSatisfy((one) => one === "EPIPE" || one === "ECONNRESET" || (one as { status: number }).status === 413);
  // Without a length, it is counted.
  const socket = connect(page.port, "127.0.0.1");
  const answered = new Promise<string>((done) => {
    let text = "";
    socket.on("data", (piece) => (text += piece.toString())).on("close", () => done(text)).on("error", () => done(text));
  });
  const head = [`POST / HTTP/1.1`, `Host: 127.0.0.1:${page.port}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "Transfer-Encoding: chunked", "", ""];
  socket.write(head.join("\r\n"));
  const chunk = `10000\r\n${"y".repeat(0x10000)}\r\n`;
  for (let sent = 0; sent < 40 && !socket.destroyed; sent++) socket.write(chunk);
  socket.end("0\r\n\r\n");
  expect(await answered).toMatch(/^(HTTP\/1\.1 413|$)/);
  expect(await page.ask("history")).toEqual([]);
});

test("132: nobody but this machine reaches the server", async () => {
  const page = await openPage({});
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.filter(({ address }) => address !== "127.0.0.1").map(({ address }) => address));
  // The whole network 127.0.0.0/8 is this machine, so there is another address everywhere.
  for (const host of ["127.0.0.2", ...others]) {
    const reached = new Promise<string>((done) => {
      const socket = connect(page.port, host, () => done(`${host} reached`));
      socket.on("error", ({ message }) => done(message));
    });
    expect(await reached).toMatch(/ECONNREFUSED|EADDRNOTAVAIL|EINVAL|ENETUNREACH|EHOSTUNREACH/);
  }
});

test("what no page sends is refused in words, and ends nothing", async () => {
  const page = await openPage({});
  for (const [name, body] of [["take", {}], ["take", { text: 1, source: "x" }], ["preview", { key: "k", choice: [] }], ["__proto__", {}], ["toString", {}], ["nothing", {}], ["diff", { run: "1; rm" }]] as const)
    await expect(page.ask(name, body)).rejects.toThrow(/^400 /);
  for (const body of ["", "[", "null", "[]", '"take"', '{"do":{}}']) {
    const headers = { ...JSON_TYPE, origin: `http://127.0.0.1:${page.port}`, "x-loaf-key": page.key };
    expect((await page.raw({ headers, body })).status).toBe(400);
  }
  expect(await page.ask("history")).toEqual([]);
});

test("134: the session ends some time after its tab, and not for a reload", async () => {
  const page = await openPage({}, { patience: 150 });
  const offered = new URL(page.session.address()).hash.slice(1);
  const key = randomUUID();
  const second = await page.open(key, offered);
  second.close();
  await new Promise((done) => setTimeout(done, 50));
  const again = await page.open(key);
  await new Promise((done) => setTimeout(done, 250));
  expect(page.hasEnded()).toBe(false);
  again.close();
  await vi.waitFor(() => expect(page.hasEnded()).toBe(true));
});

/** The page's server on a project, and a client that talks to it as the page does. */
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { expect, onTestFinished, vi } from "vitest";
import type { Environment } from "../../src/faces/web/environment.ts";
import { PageSession } from "../../src/faces/web/page-session.ts";
import type { AnswerView, ReportView, RunEvent, TabEvent } from "../../src/faces/web/protocol.ts";
import type { Choice } from "../../src/faces/web/requests.ts";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TestPage {
  readonly root: string;
  readonly session: PageSession;
  readonly port: number;
  readonly copied: string[];
  /** What the server has sent to the tab. */
  readonly events: TabEvent[];
  readonly key: string;
  ask<Answer>(name: string, body?: object): Promise<Answer>;
  take(text: string): Promise<AnswerView>;
  run(answer: AnswerView, how?: Partial<{ choice: Choice; comments: unknown[]; again: boolean; digest: string }>): Promise<RunEvent[]>;
  /** Any request at all. */
  raw(asked: Asked): Promise<Answered>;
  /** Opens a tab with its key and that of an address, and returns its lines as they come, with a function that closes it. */
  open(key: string, address?: string): Promise<{ readonly events: TabEvent[]; readonly status: number; close(): void }>;
  readonly hasEnded: () => boolean;
}

/** Kinds of the last event of a run. */
const ENDS = ["changed", "done", "refused"];

/** Takes everything but the items at some positions, and some hunks, by the position of their item. */
export function without({ items }: AnswerView, off: readonly number[], hunks: Readonly<Record<number, readonly string[]>> = {}): Choice {
  const partOf = ({ position, files }: AnswerView["items"][number]): Choice[string] => {
    const ids = files.flatMap((file) => file.hunks.flatMap(({ id }) => id ?? []));
    return off.includes(position) ? [] : hunks[position] === undefined ? "all" : ids.filter((id) => hunks[position]?.includes(id) === false);
  };
  return Object.fromEntries(items.map((item) => [item.position, partOf(item)]));
}

const html = "<!doctype html><style>b{}</style><script>1</script>";

/** @param files of the project */
export async function openPage(files: Readonly<Record<string, string>>, options: Partial<Environment> & { readonly patience?: number } = {}): Promise<TestPage> {
  const root = createFolder(files);
  const copied: string[] = [];
  let isOver = false;
  const ran = new Set<string>();
  const session = new PageSession({
    root,
    branch: "main",
    open: ({ commands, asker }) =>
      Loaf.create({ repoPath: root, assumeInit: true, enableCommands: commands, ...(asker && { approve: asker.approve, approveEach: true, isPerson: true }) }),
    copy: async (text) => copied.push(text) > 0,
    whenRan: (items) => (ran.has(JSON.stringify(items)) ? new Date() : undefined),
    remember: (items) => void ran.add(JSON.stringify(items)),
    keep: () => {},
    contextParts: async (loaf) => (await loaf.context.files()).map(({ path, text }) => `${path}\n${text}`),
    instructions: () => "INSTRUCTIONS",
    html,
    maxInput: 100_000,
    input: "loaf-input.md",
    ended: () => (isOver = true),
    ...options,
  });
  await session.start();
  onTestFinished(() => session.close());
  const address = new URL(session.address());
  const port = Number(address.port);
  const raw = (asked: Asked): Promise<Answered> => send(port, asked);
  const headers = (key: string, address?: string) => headersOf(port, key, address);
  const open: TestPage["open"] = (key, address) => openTab(port, key, address);
  const key = randomUUID();
  const tab = await open(key, address.hash.slice(1));
  const post = (name: string, body: object) => raw({ headers: headers(key), body: JSON.stringify({ ...body, do: name }) });
  const ask = async <Answer>(name: string, body: object = {}): Promise<Answer> => {
    const { status, body: text } = await post(name, body);
    const answer = JSON.parse(text) as Answer & { sentence: string };
    if (status !== 200) throw new Error(`${status} ${answer.sentence}`);
    return answer;
  };
  return {
    root,
    session,
    port,
    copied,
    events: tab.events,
    key,
    ask,
    raw,
    open,
    take: (text) => ask<AnswerView>("take", { text }),
    run: async (answer, how = {}) => {
      const { key: named, digest } = answer;
      const before = tab.events.length;
      await ask("run", { key: named, digest, choice: without(answer, []), comments: [], again: false, ...how });
      const events = (): RunEvent[] => tab.events.slice(before).filter((event) => event.kind !== "ping") as RunEvent[];
      await vi.waitFor(() => expect(ENDS).toContain(events().at(-1)?.kind), { timeout: 20_000, interval: 10 });
      return events();
    },
    hasEnded: () => isOver,
  };
}

/** The report of a run that came to its end. */
export function reportOf(events: readonly RunEvent[]): ReportView {
  const last = events.at(-1);
  if (last?.kind !== "done") throw new Error(`The run did not end: ${JSON.stringify(last)}`);
  return last.report;
}

function send(port: number, { method = "POST", path = "/", headers = {}, body = "" }: Asked): Promise<Answered> {
  return new Promise((done, fail) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) } }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces).toString() }));
      response.on("error", fail);
    });
    sent.on("error", fail);
    sent.end(method === "GET" ? undefined : body);
  });
}

function headersOf(port: number, key: string, address = "") {
  return { "content-type": "application/json", origin: `http://127.0.0.1:${port}`, "x-loaf-key": key, "x-loaf-address": address };
}

/** Opens the page with the key of a tab and, the first time, with that of an address. */
export function openTab(port: number, key: string, address?: string) {
  const headers = headersOf(port, key, address);
  return new Promise<{ readonly events: TabEvent[]; readonly status: number; close(): void }>((done, fail) => {
    const sent = request({ host: "127.0.0.1", port, method: "POST", path: "/", headers }, (response) => {
      const events: TabEvent[] = [];
      const close = (): void => void sent.destroy();
      let text = "";
      response.on("data", (piece: Buffer) => {
        text += piece.toString();
        for (const line of text.split("\n").slice(0, -1)) events.push(JSON.parse(line) as TabEvent);
        text = text.slice(text.lastIndexOf("\n") + 1);
        if (events.length >= 1) done({ events, status: response.statusCode ?? 0, close });
      });
      response.on("error", () => {});
      if (response.statusCode !== 200) done({ events, status: response.statusCode ?? 0, close });
    });
    sent.on("error", fail);
    sent.end(JSON.stringify({ do: "open", at: Date.now() }));
  });
}

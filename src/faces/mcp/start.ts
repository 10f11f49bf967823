/** Starts a server on a pair of streams. */
import type { Readable, Writable } from "node:stream";
import { describeActions } from "../../index.ts";
import type { OpenCall } from "./open-call.ts";
import { serveStdio, StdioServerTransport } from "./sdk.ts";
import { createServer } from "./server.ts";
import { type ServedProject, ServerSession } from "./session.ts";
import { unknownTool } from "./tools.ts";

export interface RunningServer {
  /** Resolves once running calls have ended and everything is committed. */
  readonly ended: Promise<void>;
  end(): void;
  /** Lets another process commit. */
  handOver(): void;
}

/** Serves the client at the other end of two streams until it closes one. What it has asked until then is answered. */
export function startServer(
  project: ServedProject,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): RunningServer {
  const session = new ServerSession(project);
  const open = new Map<string, OpenCall>();
  const transport = new LastingTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const handle = serveStdio(() => createServer(session, open), {
    transport,
    onerror: ({ message }) => project.warn(`A message was not understood: ${message.split("\n", 1)[0]}`),
  });
  transport.countRequests();
  const running = endable(async () => {
    await transport.answered();
    // Ends what still runs: those calls say so in their results.
    await session.end();
    await transport.answered();
    await transport.finish();
    await handle.close();
  });
  const end = (): void => {
    transport.hurry();
    running.end();
  };
  input.once("end", running.end).once("close", running.end);
  output.once("error", end);
  return { ended: running.ended, end, handOver: () => session.handOver() };
}

/** A file of the largest size, with every character escaped. */
export const MAX_MESSAGE_BYTES = 96 * 2 ** 20;

/** Finishes at the first call of `end`. Later calls do nothing. */
export function endable(finish: () => Promise<void>): Omit<RunningServer, "handOver"> {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    let isEnding = false;
    end = () => {
      if (isEnding) return;
      isEnding = true;
      void finish().finally(resolve);
    };
  });
  return { ended, end };
}

/** Returns the first of the chosen tools that does not exist. */
export async function missingTool(project: ServedProject): Promise<string | undefined> {
  const { settings } = await project.open({ dryRun: true });
  return unknownTool(describeActions(settings), project.tools);
}

type Message = Parameters<StdioServerTransport["send"]>[0];

/** A connection that stays open after its input has ended, until what was asked is answered. */
class LastingTransport extends StdioServerTransport {
  /** Requests that have arrived and have no answer yet. */
  readonly #unanswered = new Set<unknown>();
  #onAnswer = (): void => {};
  #isHurried = false;
  #isFinished = false;

  /** Counts requests from now on. Call it when the server listens. */
  countRequests(): void {
    const deliver = this.onmessage;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
    this.onmessage = (message) => {
      this.#count(message);
      deliver?.(message);
    };
  }

  #count(message: Message): void {
    if (!("method" in message)) return;
    // A subscription is answered when the server ends.
    if ("id" in message && message.method !== "subscriptions/listen") this.#unanswered.add(message.id);
    // A cancelled request gets no answer.
    if (message.method === "notifications/cancelled") this.#settle(message.params?.["requestId"]);
  }

  override async send(message: Message): Promise<void> {
    try {
      await super.send(message);
    } finally {
      if (!("method" in message)) this.#settle(message.id);
    }
  }

  #settle(id: unknown): void {
    if (this.#unanswered.delete(id)) this.#onAnswer();
  }

  /** Waits until all requests are answered, or until no answer has come for a while. */
  async answered(): Promise<void> {
    while (this.#unanswered.size > 0 && !this.#isHurried) {
      const before = this.#unanswered.size;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, GRACE_MS);
        this.#onAnswer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (this.#unanswered.size === before) return;
    }
  }

  /** Waits no longer, because the process is asked to end. */
  hurry(): void {
    this.#isHurried = true;
    this.#onAnswer();
  }

  /** The end of the input closes it. Does nothing before `finish`, because answers are still to be written. */
  override async close(): Promise<void> {
    if (this.#isFinished) await super.close();
  }

  finish(): Promise<void> {
    this.#isFinished = true;
    return super.close();
  }
}

/** Hosts wait two seconds before they kill a server whose input they have closed. */
const GRACE_MS = 1_500;

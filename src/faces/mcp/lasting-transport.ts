/** A connection that stays open after its input has ended, until what was asked is answered. */
import { StdioServerTransport } from "./sdk.ts";

type Message = Parameters<StdioServerTransport["send"]>[0];

export class LastingTransport extends StdioServerTransport {
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

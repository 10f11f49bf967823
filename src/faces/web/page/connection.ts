/** Talks to the server: JSON by POST, with the key of this tab. */
import type { TabEvent } from "../protocol.ts";
import type { Answers, RequestBody, RequestName } from "../requests.ts";

/** Why there is no connection. `replaced`: another tab has taken over. */
export type Lost = "replaced" | "ended" | { readonly refused: string };

/** Milliseconds until the server is asked again to open the page. */
const OPENING_MS = 4_000;
/** Milliseconds without a sign of the server. It sends one every three seconds. */
const SILENCE_MS = 9_000;
const RETRY_MS = 500;
/** Refused connections in a row after which the server has ended. One that is stopped does not answer, nor refuse. */
const MAX_REFUSED = 18;

/**
 * The key of the address opens the page once, for the tab that sends it with a key of its own. As the tab makes that
 * itself, it may ask again when an answer is lost, and after a reload.
 */
const keys = takeKeys();

function takeKeys(): Record<"x-loaf-key" | "x-loaf-address", string> {
  const address = location.hash.slice(1);
  if (address !== "") {
    history.replaceState(null, "", "/");
    const made = { "x-loaf-key": crypto.randomUUID(), "x-loaf-address": address };
    sessionStorage.setItem("loaf-keys", JSON.stringify(made));
  }
  return JSON.parse(sessionStorage.getItem("loaf-keys") ?? "{}");
}

let noteOpened = (): void => undefined;
/** Resolves once the server knows the key of the tab. */
const opened = new Promise<void>((done) => (noteOpened = done));

function post(name: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch("/", {
    method: "POST",
    headers: { "content-type": "application/json", ...keys },
    body: JSON.stringify({ ...body, do: name }),
    cache: "no-store",
    ...(signal && { signal }),
  });
}

/** Returns the answer to a request. Throws `Error` with a sentence for the user. */
export async function ask<Name extends RequestName>(name: Name, body: RequestBody<Name>): Promise<Answers[Name]> {
  await opened;
  const response = await post(name, body).catch(() => {
    throw new Error("There is no connection to Loaf");
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error((answer as { sentence: string }).sentence);
  return answer as Answers[Name];
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let partial = "";
  for (;;) {
    const { done = true, value = "" } = (await reader?.read()) ?? {};
    const lines = (partial + value).split("\n");
    partial = lines.pop() ?? "";
    yield* lines;
    if (done) return;
  }
}

/** Keeps the tab's connection open. Calls `lost` while it is gone, and once more with the reason if it stays so. */
export async function keepOpen(take: (event: TabEvent) => void, lost: (why?: Lost) => void): Promise<void> {
  for (let refused = 0; refused < MAX_REFUSED; refused++) {
    let isReplaced = false;
    const control = new AbortController();
    let timer = setTimeout(() => control.abort(), OPENING_MS);
    try {
      const response = await post("open", { at: Date.now() }, control.signal);
      if (!response.ok) return lost({ refused: ((await response.json()) as { sentence: string }).sentence });
      for await (const line of linesOf(response)) {
        clearTimeout(timer);
        timer = setTimeout(() => control.abort(), SILENCE_MS);
        refused = 0;
        const event = JSON.parse(line) as TabEvent;
        noteOpened();
        if (event.kind === "replaced") isReplaced = true;
        take(event);
      }
    } catch {
      // The server is gone, or the machine slept.
    }
    clearTimeout(timer);
    if (control.signal.aborted) refused = -1;
    if (isReplaced) return lost("replaced");
    lost();
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
  lost("ended");
}

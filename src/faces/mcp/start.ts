/** Starts a server on a pair of streams. */
import type { Readable, Writable } from "node:stream";
import { describeActions } from "../../index.ts";
import { LastingTransport } from "./lasting-transport.ts";
import type { OpenCall } from "./open-call.ts";
import { serveStdio } from "./sdk.ts";
import { createServer } from "./server.ts";
import { type ServedProject, Session } from "./session.ts";
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
  const session = new Session(project);
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

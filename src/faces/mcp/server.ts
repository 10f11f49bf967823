/** A server of the protocol for one client, of either era. All of them share a session. */
import type { Approval, ApprovalRequest, Approve, Progress } from "../../index.ts";
import { instructions, LastLine } from "../../index.ts";
import { type ToolArguments, callTool, diffOfRun, failed, errorText } from "./calls.ts";
import { MAX_WAIT_MS, OpenCall, type OpenCallOptions } from "./open-call.ts";
import { approvalOf, questionFor } from "./questions.ts";
import {
  type CallToolResult,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "./sdk.ts";
import type { ServerSession } from "./session.ts";
import { listedTool, type OfferedTool } from "./tools.ts";

/** Calls whose question the client has not answered yet, by ID. A question and its answer may come to two servers. */
export type OpenCalls = Map<string, OpenCall>;

export function createServer(session: ServerSession, open: OpenCalls): Server {
  const { root, version } = session.project;
  const server = new Server(
    { name: "loaf", title: "Loaf", version },
    { capabilities: { tools: {}, resources: {} }, instructions: guidance(root) },
  );
  server.setRequestHandler("tools/list", async () => ({ tools: (await session.tools()).map(listedTool) }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: args = {} } }, context) => {
    let tools: readonly OfferedTool[];
    try {
      tools = await session.tools();
    } catch (thrown) {
      // The model reads results, and a configuration that is broken is for it to tell.
      return failed(errorText(thrown));
    }
    const tool = tools.find((offered) => offered.name === name);
    if (tool === undefined) throw invalid(`Unknown tool: ${name}`);
    return call(session, { tool, args, open, context, canAsk: canAsk(server, context) });
  });
  server.setRequestHandler("resources/list", () => ({
    resources: [
      {
        uri: INSTRUCTIONS,
        name: "instructions",
        title: "How to write answers for the tool run",
        mimeType: "text/markdown",
      },
      ...[...session.runs]
        .slice(-MAX_LISTED)
        .toReversed()
        .map((run) => ({
          uri: `loaf://run/${run}/diff`,
          name: `run-${run}-diff`,
          title: `What run ${run} changed`,
          mimeType: "text/x-diff",
        })),
    ],
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      { uriTemplate: "loaf://run/{run}/diff", name: "run-diff", title: "What a run changed", mimeType: "text/x-diff" },
    ],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => ({
    contents: [await resource(session, uri)],
  }));
  return server;
}

const INSTRUCTIONS = "loaf://instructions";
const MAX_LISTED = 20;

function guidance(root: string): string {
  return [
    `Tools for the project in ${root}. Paths are relative to it, or absolute below it.`,
    "An edit lands exactly or is refused with the closest place; each call that changes something is a run that undo takes back.",
    "Paths may address a part of a file: src/app.ts@@Class@@method, README.md@@## Heading.",
  ].join(" ");
}

async function resource(session: ServerSession, uri: string): Promise<{ uri: string; mimeType: string; text: string }> {
  if (uri === INSTRUCTIONS) {
    const { settings } = await session.reader();
    const text = instructions({
      root: session.project.root,
      relativePaths: settings.relative_paths,
      endsWithNewline: settings.edits.final_newline === "ensure",
      allowedActions: settings["allowed-actions"],
      exec: settings.exec,
      csl: settings.csl,
    });
    return { uri, mimeType: "text/markdown", text };
  }
  const [, run] = /^loaf:\/\/run\/([1-9]\d{0,14})\/diff$/.exec(uri) ?? [];
  if (run === undefined || !session.isOwn(Number(run))) throw invalid(`Unknown resource: ${uri}`);
  return { uri, mimeType: "text/x-diff", text: await diffOfRun(session, Number(run)) };
}

interface Called {
  readonly tool: OfferedTool;
  readonly args: ToolArguments;
  readonly open: OpenCalls;
  readonly context: ServerContext;
  readonly canAsk: boolean;
}

/** Starts a call, or continues one with the user's answer, until it has a result or asks again. */
async function call(
  session: ServerSession,
  { tool, args, open, context, canAsk }: Called,
): Promise<CallToolResult | InputRequiredResult> {
  const {
    mcpReq: { requestState, inputResponses, signal },
  } = context;
  const key = JSON.stringify([tool.name, args]);
  const state = requestState<string>();
  const asked = state === undefined ? undefined : open.get(state);
  if (state !== undefined && asked?.key !== key)
    return failed(
      "This question is no longer open, and counts as refused: see the tool log for what was done, and ask again",
    );
  if (asked !== undefined) open.delete(asked.id);
  const reply = inputResponse(inputResponses, ANSWER);
  const replies = asked === undefined ? [] : asked.answer(approvalOf(reply.kind === "elicit" ? reply : undefined));
  const start = { tool, args, open, context, canAsk, key, replies: replies ?? [] };
  const current = asked !== undefined && replies === undefined ? asked : startCall(session, start);
  const step = await current.step(signal);
  if (step.kind === "result") return withNews(step.result, session.project);
  open.set(current.id, current);
  setTimeout(() => open.delete(current.id), MAX_WAIT_MS).unref();
  const question = questionFor(step.request, { root: session.project.root, call: shownCall(tool, args) });
  return inputRequired({
    inputRequests: { [ANSWER]: inputRequired.elicit(question) },
    requestState: current.id,
  });
}

const ANSWER = "answer";

function withNews(result: CallToolResult, project: ServerSession["project"]): CallToolResult {
  const news = project.news().map((sentence) => ({ type: "text" as const, text: `note: ${sentence}` }));
  return news.length === 0 ? result : { ...result, content: [...result.content, ...news] };
}

function shownCall({ name }: OfferedTool, args: ToolArguments): string {
  return `${name} ${JSON.stringify(args)}`;
}

interface Starting extends Called, Pick<OpenCallOptions, "key" | "replies"> {}

function startCall(session: ServerSession, { tool, args, context, canAsk, key, replies }: Starting): OpenCall {
  const report = new ProgressReport(context);
  const work = async (call: OpenCall): Promise<CallToolResult> => {
    const onEnding = (): void => call.end();
    session.ending.addEventListener("abort", onEnding);
    const reading = await session.readingActions();
    const { hooks: { before = [], after = [] } = {} } = (await session.reader()).settings;
    // A start runs them, so there is no second one.
    if (before.length + after.length > 0) call.noteChange();
    const onProgress = (step: Progress): void => {
      // A command that fails may have done something before.
      if (step.kind === "ended" && !reading.has(step.result.action)) call.noteChange();
      report.on(step);
    };
    try {
      const { person, root } = session.project;
      const ask: Approve = isModern(context)
        ? (request) => call.ask(request)
        : (request) => elicit(request, { context, signal: call.signal, root, shown: shownCall(tool, args) });
      const viaClient = canAsk ? ask : undefined;
      const approve = person === "client" ? viaClient : person;
      return await callTool(session, tool, args, { signal: call.signal, approve, onProgress });
    } finally {
      session.ending.removeEventListener("abort", onEnding);
      report.end();
    }
  };
  return new OpenCall({ key, replies, work, hold: session.hold });
}

interface Elicited {
  readonly context: ServerContext;
  readonly signal: AbortSignal;
  readonly root: string;
  /** The tool and its arguments. */
  readonly shown: string;
}

/** Asks while the request is open, as the older protocol does. A client that fails to ask has said no. */
async function elicit(request: ApprovalRequest, { context, signal, root, shown }: Elicited): Promise<Approval> {
  if (request.kind === "failed" || signal.aborted) return "quit";
  const question = questionFor(request, { root, call: shown });
  const options = { signal, timeout: MAX_WAIT_MS };
  const reply = await context.mcpReq.elicitInput(question, options).catch(() => undefined);
  return signal.aborted ? "quit" : approvalOf(reply);
}

/** Reports once a second how long a call has been running and its last line of output, if the client asked for it. */
class ProgressReport {
  readonly #timer: NodeJS.Timeout | undefined;
  #seconds = 0;
  readonly #output = new LastLine();

  constructor({ mcpReq: { _meta: meta, notify } }: ServerContext) {
    const progressToken = meta?.progressToken;
    if (progressToken === undefined) return;
    this.#timer = setInterval(() => {
      this.#seconds += 1;
      const line = this.#output.text();
      const message = line === "" ? `${this.#seconds} s` : `${this.#seconds} s: ${line}`;
      const params = { progressToken, progress: this.#seconds, message };
      // The client may be gone, or have its result already.
      notify({ method: "notifications/progress", params }).catch(() => {});
    }, 1_000);
  }

  readonly on = (step: Progress): void => {
    if (step.kind === "output") this.#output.add(step.piece);
  };

  end(): void {
    clearInterval(this.#timer);
  }
}

/** Returns whether the request is of the newer protocol, whose requests each carry an envelope. */
function isModern({ mcpReq: { envelope } }: ServerContext): boolean {
  return envelope !== undefined;
}

/** Returns whether the client can show a form to its user. In the newer era each request says so. */
function canAsk(server: Server, { mcpReq: { envelope } }: ServerContext): boolean {
  const declared = (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  const { elicitation } = declared ?? server.getClientCapabilities() ?? {};
  // Those who name no kind of form mean the plain one.
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || "form" in elicitation);
}

function invalid(sentence: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
}

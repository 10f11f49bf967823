/** A model on this machine that an agent asks as it would ask a real one: it calls the tools of a script in turn, and then says that it is done. */
import { createServer, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

export interface ToolCall {
  /** The tool's own name: agents put theirs of the server before it. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface ScriptedModel {
  readonly port: number;
  /** Results of the calls, as the agent gave them to the model. */
  readonly results: string[];
}

type Json = Readonly<Record<string, unknown>>;

/** How a company's interface says things. */
interface Dialect {
  /** Returns the names of all tools that are offered, and perhaps the groups that they are in. */
  tools(body: Json): ReadonlyArray<{ readonly name: string; readonly namespace?: string }>;
  /** Returns the results of all calls so far. */
  results(body: Json): unknown[];
  /** @param call undefined if the model is done */
  answer(response: ServerResponse, turn: number, call: (ToolCall & { readonly namespace?: string }) | undefined): void;
}

export async function startScriptedModel(script: readonly ToolCall[]): Promise<ScriptedModel> {
  const results: string[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      const dialect = DIALECTS.find(([end]) => end.test(request.url ?? ""))?.[1];
      if (request.method !== "POST" || dialect === undefined) return void response.writeHead(404).end();
      const body = JSON.parse(text) as Json;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const told = dialect.results(body).map((result) => JSON.stringify(result));
      const tools = dialect.tools(body);
      // Agents also ask for a title and the like, without tools.
      if (tools.length > 0) results.splice(0, Infinity, ...told);
      const step = tools.length > 0 ? script[told.length] : undefined;
      const tool = tools.find(({ name }) => step !== undefined && name.endsWith(step.name));
      dialect.answer(response, told.length, step && { ...step, ...tool });
      response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, results };
}

const DONE = "It is fixed.";

function send(response: ServerResponse, data: Json, event?: string): void {
  response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

const responses: Dialect = {
  tools: ({ tools }) =>
    list(tools).flatMap(({ type, name, tools: inside }) => (type === "namespace" ? list(inside).map((one) => ({ name: String(one["name"]), namespace: String(name) })) : [{ name: String(name) }])),
  results: ({ input }) => list(input).filter(({ type }) => type === "function_call_output"),
  answer: (response, turn, call) => {
    const id = `turn_${turn}`;
    const item =
      call === undefined
        ? { type: "message", id: `m_${turn}`, role: "assistant", content: [{ type: "output_text", text: DONE }] }
        : { type: "function_call", id: `f_${turn}`, call_id: `c_${turn}`, name: call.name, ...(call.namespace && { namespace: call.namespace }), arguments: JSON.stringify(call.arguments), status: "completed" };
    send(response, { type: "response.created", response: { id } }, "response.created");
    send(response, { type: "response.output_item.done", output_index: 0, item }, "response.output_item.done");
    send(response, { type: "response.completed", response: { id, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } } }, "response.completed");
  },
};

const chat: Dialect = {
  tools: ({ tools }) => list(tools).map((tool) => ({ name: String((tool["function"] as Json)["name"]) })),
  results: ({ messages }) => list(messages).filter(({ role }) => role === "tool"),
  answer: (response, turn, call) => {
    const delta = call === undefined ? { content: DONE } : { tool_calls: [{ index: 0, id: `c_${turn}`, type: "function", function: { name: call.name, arguments: JSON.stringify(call.arguments) } }] };
    const chunk = (choice: Json) => ({ id: `t_${turn}`, object: "chat.completion.chunk", created: 1, model: "scripted", choices: [{ index: 0, ...choice }] });
    send(response, chunk({ delta: { role: "assistant", ...delta }, finish_reason: null }));
    send(response, chunk({ delta: {}, finish_reason: call === undefined ? "stop" : "tool_calls" }));
    response.write("data: [DONE]\n\n");
  },
};

const gemini: Dialect = {
  tools: ({ tools }) => list(tools).flatMap(({ functionDeclarations }) => list(functionDeclarations).map(({ name }) => ({ name: String(name) }))),
  results: ({ contents }) => list(contents).flatMap(({ parts }) => list(parts).filter((part) => "functionResponse" in part)),
  answer: (response, _, call) => {
    const part = call === undefined ? { text: DONE } : { functionCall: { name: call.name, args: call.arguments } };
    send(response, { candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }], usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } });
  },
};

const DIALECTS: ReadonlyArray<readonly [end: RegExp, dialect: Dialect]> = [
  [/\/responses$/, responses],
  [/\/chat\/completions$/, chat],
  [/:streamGenerateContent/, gemini],
];

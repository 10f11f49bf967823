/** `loaf mcp`: the server's streams, and the project as it serves it. */
import { statSync } from "node:fs";
import { Writable } from "node:stream";
import { tryOr } from "../../core/errors.ts";
import { Loaf } from "../../loaf.ts";
import { onEndSignal } from "../../run/end-signals.ts";
import { projectConfigPath } from "../../state/config-files.ts";
import { userConfigPath } from "../../state/places.ts";
import { trustedText } from "../../trust/trust.ts";
import type { OpenOptions, ServedProject } from "../mcp/session.ts";
import { noteQuestions } from "./open-question.ts";
import { complain } from "./output.ts";
import { ownRootOf, waitingFor } from "./project.ts";
import { isTrustedProject } from "./trusted-project.ts";
import { UsageError } from "./usage-error.ts";

declare const LOAF_VERSION: string;

interface McpOptions {
  readonly root?: string;
  readonly readOnly?: boolean;
  readonly tools: string;
  readonly transaction?: boolean;
}

export async function mcp(options: McpOptions): Promise<void> {
  const project = serve(options);
  const { missingTool, startServer } = await import("../mcp/start.ts");
  const output = protocolOutput();
  const missing = await missingTool(project);
  if (missing !== undefined) throw new UsageError(`--tools: there is no tool '${missing}' here`);
  const server = startServer(project, { input: process.stdin, output });
  const offEnd = onEndSignal(() => server.end());
  process.on("SIGINT", () => server.end());
  await server.ended;
  offEnd();
}

/** Nothing but the protocol goes to standard output. What libraries print there goes to standard error. */
function protocolOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  // The client may be gone.
  process.stdout.on("error", () => {});
  return new Writable({ write: (chunk: Buffer, _, done) => void write(chunk, done) });
}

function serve({ tools, readOnly = false, transaction = false, ...options }: McpOptions): ServedProject {
  const root = ownRootOf(options.root);
  const told = new Set<string>();
  const warn = (sentence: string): void => {
    if (!told.has(sentence)) complain(sentence);
    told.add(sentence);
  };
  return {
    root,
    version: LOAF_VERSION,
    tools,
    readOnly,
    warn,
    stamp: () => `${stampOf([projectConfigPath(root), userConfigPath()])}\n${trustedText(root)}`,
    open: ({ dryRun = false, commits = false, approve }: OpenOptions) =>
      Loaf.create({
        repoPath: root,
        assumeInit: true,
        dryRun,
        isPerson: true,
        ...(approve && { approve: noteQuestions(root, approve) }),
        ...(!commits && { gitCommit: false }),
        ...(transaction && { config: { transaction: "all-or-nothing" } }),
        trustProject: (_, files) => isTrustedProject(root, files, { warn }),
        onWait: (holder) => complain(waitingFor(root, holder)),
      }),
  };
}

/** Returns a text that changes when one of the files does. */
function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stats = tryOr(() => statSync(path, { bigint: true }), undefined);
      return stats === undefined ? "-" : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
    })
    .join("\n");
}

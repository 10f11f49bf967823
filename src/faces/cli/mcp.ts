/** `loaf mcp`: the server's streams, and the project as it serves it. */
import { lstatSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { Writable } from "node:stream";
import { isatty } from "node:tty";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { messageOf, tryOr } from "../../core/errors.ts";
import { Loaf } from "../../loaf.ts";
import { startApart } from "../../process/run-program.ts";
import { onEndSignal } from "../../run/end-signals.ts";
import { projectConfigPath } from "../../state/config-files.ts";
import { userConfigPath } from "../../state/places.ts";
import { replaceFile } from "../../state/state-file.ts";
import { trustedText } from "../../trust/trust.ts";
import type { ServerOpenOptions, ServedProject } from "../mcp/session.ts";
import type { RunningServer } from "../mcp/start.ts";
import { personAt } from "./late-person.ts";
import type { ServeOptions } from "./options.ts";
import { complain, print, sayingOnce } from "./output.ts";
import { noteQuestions, openingOf, ownRootOf, textFile } from "./project.ts";
import { UsageError } from "./usage-error.ts";
import { unifiedDiff } from "../../report/diff.ts";
import { HOSTS } from "../mcp/hosts.ts";
import { paintDiff } from "./reports.ts";

declare const LOAF_VERSION: string;

/** `loaf mcp` */
export async function mcp(options: ServeOptions): Promise<void> {
  if (options.install !== undefined) return install(options, options.install);
  if (options.write) throw new UsageError("--write goes with --install");
  const project = serve(options);
  const runs = process.env[RUNS_TO_COMMIT];
  if (runs !== undefined)
    return void (await (await project.open({ commits: true })).commitRuns(runs.split(",").map(Number)));
  const { missingTool, startServer } = await import("../mcp/start.ts");
  const output = protocolOutput();
  const missing = await missingTool(project);
  if (missing !== undefined) throw new UsageError(`--tools: there is no tool '${missing}' here`);
  if (options.http === undefined && isatty(0)) complain(AT_TERMINAL);
  const server =
    options.http === undefined
      ? startServer(project, { input: process.stdin, output })
      : await serveHttp(project, options.http);
  const offEnd = onEndSignal(() => {
    server.handOver();
    server.end();
  });
  process.on("SIGINT", server.end);
  await server.ended;
  process.off("SIGINT", server.end);
  offEnd();
}

/** Runs to commit, in the environment of a process that does only that. */
const RUNS_TO_COMMIT = "LOAF_MCP_COMMIT";

/** Some hosts kill their servers 50 ms after they ask them to end. A commit takes longer. */
function commitApart(root: string, runs: readonly number[]): boolean {
  const [, script = ""] = process.argv;
  const env = { ...process.env, [RUNS_TO_COMMIT]: runs.join(",") };
  return startApart(process.execPath, [script, "mcp", "--root", root], env);
}

const AT_TERMINAL =
  "This waits for a host on standard input: loaf mcp --install HOST tells one to start it. Ctrl-C ends it";

/** Standard error is where a user looks who started the server: nothing reads it. */
async function serveHttp(project: ServedProject, port: number | true): Promise<RunningServer> {
  const { startHttpServer } = await import("../mcp/http.ts");
  const token = process.env["LOAF_MCP_TOKEN"] || undefined;
  if (token !== undefined && !/^\S{16,}$/.test(token))
    throw new UsageError("LOAF_MCP_TOKEN must have 16 characters or more, and no space");
  try {
    const server = await startHttpServer(project, { port: port === true ? 0 : port, token });
    complain(`Serving ${project.root} at ${server.url}`);
    complain(token === undefined ? `Authorization: Bearer ${server.token}` : "The token is that of LOAF_MCP_TOKEN");
    return server;
  } catch (thrown) {
    throw new UsageError(`--http: the port cannot be used (${messageOf(thrown)})`);
  }
}

/** Nothing but the protocol goes to standard output. What libraries print there goes to standard error. */
function protocolOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  // The client may be gone.
  process.stdout.on("error", () => {});
  return new Writable({ decodeStrings: false, write: (text: string, _, done) => void write(text, "utf8", done) });
}

function serve({ tools, readOnly = false, transaction = false, http, ...options }: ServeOptions): ServedProject {
  const root = ownRootOf(options.root);
  const warn = sayingOnce(complain);
  const news: string[] = [];
  const announce = sayingOnce((sentence) => {
    news.push(sentence);
    complain(sentence);
  });
  return {
    root,
    version: LOAF_VERSION,
    tools,
    readOnly,
    warn,
    news: () => news.splice(0),
    commitApart: (runs) => commitApart(root, runs),
    // Through a tunnel, strangers may reach the port: they must not answer for the user.
    person: http === undefined ? "client" : personAt(root)?.approve,
    stamp: () => `${stampOf([projectConfigPath(root), userConfigPath()])}\n${trustedText(root)}`,
    open: ({ dryRun = false, commits = false, approve }: ServerOpenOptions) =>
      Loaf.create({
        ...openingOf(root, announce),
        dryRun,
        isPerson: true,
        ...(approve && { approve: noteQuestions(root, approve) }),
        ...(!commits && { gitCommit: false }),
        ...(transaction && { config: { transaction: "all-or-nothing" } }),
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

/** Shows the host's configuration with a server of the same options, and with `--write` changes it. */
function install({ write = false, http, readOnly, tools, transaction, ...options }: ServeOptions, name: string): void {
  if (http !== undefined) throw new UsageError("--install is for hosts that start the server: --http is for others");
  const host = HOSTS[name];
  if (host === undefined) return;
  const root = ownRootOf(options.root);
  const folder = host.below === "home" ? homedir() : root;
  const path = join(folder, host.file);
  // The project's file may be shared with others, whose projects are elsewhere: their hosts start the server in it.
  const place = host.below === "home" || options.root !== undefined ? ["--root", root] : [];
  const served = [
    ...(readOnly ? ["--read-only"] : []),
    ...(tools === "all" ? [] : ["--tools", tools]),
    ...(transaction ? ["--transaction"] : []),
  ];
  const server = { command: "loaf", args: ["mcp", ...place, ...served] };
  const alone = host.withServer(undefined, server);
  if (!write) return showFor(path, alone);
  const before = textAt(path);
  let after: string;
  try {
    after = host.withServer(before, server);
  } catch (thrown) {
    print(alone);
    throw new UsageError(`${path} was not changed: ${messageOf(thrown)}. Add this to it`);
  }
  if (after === before) return complain(`${path} has the server already`);
  const change = { path, before: before === undefined ? undefined : textFile(before), after: textFile(after) };
  print(paintDiff(unifiedDiff([change], folder)));
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, after, (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777);
  complain(`${before === undefined ? "Wrote" : "Changed"} ${path}: the host starts the server from now on`);
}

function showFor(path: string, text: string): void {
  print(text);
  complain(`Merge this into ${path}, or let --write do it`);
}

/** Undefined if there is no file. Throws `UsageError` if it cannot be read, or is no file of its own. */
function textAt(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // A link may lead to a file that is not to be changed.
  if (!stats.isFile()) throw new UsageError(`${path} is not a regular file`);
  return readFileSync(path, "utf8");
}

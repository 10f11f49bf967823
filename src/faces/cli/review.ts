/** `loaf review`: the page beside the chat, on a local server. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { tryOr } from "../../core/errors.ts";
import { findRepository } from "../../git/repository.ts";
import { onEndSignal } from "../../run/end-signals.ts";
import { readInput, readTextFile } from "../../state/input.ts";
import { watchFile } from "../../state/watch-file.ts";
import { ClipboardError, copyToClipboard } from "../watch/clipboard.ts";
import { publishReport } from "../watch/publish.ts";
import { rememberAnswer, whenRan } from "../watch/ran-answers.ts";
import type { Environment } from "../web/environment.ts";
import { PageSession } from "../web/page-session.ts";
import { contextParts } from "./context.ts";
import { readCopied } from "./copy.ts";
import { instructionsOf } from "./instructions.ts";
import type { ReviewOptions } from "./options.ts";
import { complain, sayingOnce } from "./output.ts";
import { openProject, rootOf } from "./project.ts";
import { UsageError } from "./usage-error.ts";
import { findProgram, trustedPath } from "../../process/find-program.ts";
import { runProgram } from "../../process/run-program.ts";

/** Serves the page until its tab is closed, or Ctrl-C. */
export async function review(file: string | undefined, options: ReviewOptions): Promise<void> {
  if (options.paste && file !== undefined)
    throw new UsageError("--paste reads the answer from the clipboard: leave out the file");
  const root = rootOf(options.root);
  const { settings } = await openProject({ ...options, root, person: undefined });
  const answer = await readGiven(file, options, settings.limits.max_input);
  let end = (): void => {};
  const ended = new Promise<void>((done) => (end = done));
  const session = await startPage(root, options, end);
  const input = join(root, settings.watch.input);
  const unwatch = watchFile(input, () => void offerFile(session, input, settings));
  const offEnd = onEndSignal(end);
  process.once("SIGINT", end);
  try {
    if (answer !== undefined && !(await session.offer(answer.text, answer.source)))
      complain("The text holds no answer with changes: the page shows the next one that you copy");
    await showPage(session, options);
    await ended;
  } finally {
    offEnd();
    process.off("SIGINT", end);
    unwatch();
    session.close();
  }
}

/** Opens the browser, or prints the address for the user. */
export async function showPage(session: PageSession, { open = true }: Pick<ReviewOptions, "open"> = {}): Promise<void> {
  const address = session.address();
  if (open && (await openInBrowser(address)))
    return complain("The page is open in your browser. It ends with its tab, or with Ctrl-C");
  complain(`Open this address in a browser on this machine: ${address}`);
  complain("It works once. The page ends with its tab, or with Ctrl-C");
}

/** Starts the server of the page. */
export async function startPage(root: string, options: ReviewOptions, ended: () => void): Promise<PageSession> {
  const { settings } = await openProject({ ...options, root, person: undefined }, () => {});
  const warnOnce = sayingOnce(complain);
  const environment: Environment = {
    root,
    branch: branchOf(root),
    open: ({ commands, asker }) =>
      openProject(
        {
          ...options,
          root,
          exec: commands && options.exec !== false,
          ask: asker !== undefined,
          asksTrust: asker !== undefined,
          person: asker,
        },
        warnOnce,
      ),
    copy: (text) => copied(text),
    whenRan: (items) => whenRan(root, items),
    remember: (items) => rememberAnswer(root, items),
    keep: (report, loaf) => tryOr(() => publishReport(root, loaf.settings.watch.output, report), undefined),
    contextParts: (loaf, split) => contextParts(loaf, { split }),
    instructions: (loaf) => instructionsOf(loaf, { tree: true }),
  };
  const session = new PageSession({
    ...environment,
    html: pageHtml(),
    maxInput: settings.limits.max_input,
    input: settings.watch.input,
    ended,
  });
  await session.start();
  return session;
}

/** Shows what is saved into the input file of `loaf watch`. */
async function offerFile(
  session: PageSession,
  path: string,
  { limits, watch }: { readonly limits: { readonly max_input: number }; readonly watch: { readonly input: string } },
): Promise<void> {
  const text = await readTextFile(path, limits.max_input).catch(() => undefined);
  if (text !== undefined && text.trim() !== "") await session.offer(text, watch.input).catch(() => false);
}

async function readGiven(
  file: string | undefined,
  { paste = false }: ReviewOptions,
  limit: number,
): Promise<{ readonly text: string; readonly source: string } | undefined> {
  if (file !== undefined) return { text: await readInput(file, limit), source: file === "-" ? "standard input" : file };
  const advice = "Without --paste, the page itself takes what you paste";
  return paste ? { text: await readCopied(advice), source: "clipboard" } : undefined;
}

async function copied(text: string): Promise<boolean> {
  try {
    await copyToClipboard(text);
    return true;
  } catch (thrown) {
    if (thrown instanceof ClipboardError) return false;
    throw thrown;
  }
}

/** The page is a file beside the program, so that no other command has to load it. */
function pageHtml(): string {
  const path = join(dirname(realpathSync(process.argv[1] ?? "")), "review.html");
  if (!existsSync(path)) throw new UsageError(`'${path}' is missing: this installation of Loaf is not complete`);
  return readFileSync(path, "utf8");
}

function branchOf(root: string): string | undefined {
  const repository = findRepository(root);
  const head = repository && tryOr(() => readFileSync(join(repository.gitFolder, "HEAD"), "utf8"), "");
  return head === undefined ? undefined : /^ref: refs\/heads\/(.*)/.exec(head)?.[1];
}

const TIMEOUT_MS = 10_000;

/** Starts a browser that outlives Loaf. Exits with its code if it ends within a second: then it only passed on the address. */
const START = '"$0" "$@" >/dev/null 2>&1 & sleep 1; kill -0 $! 2>/dev/null || wait $!';

/** Returns false if no program can, as over SSH. */
async function openInBrowser(address: string): Promise<boolean> {
  const [name, ...args] = opener();
  const program = name === undefined ? undefined : isAbsolute(name) ? name : findProgram(name);
  if (program === undefined) return false;
  const command =
    process.platform === "win32"
      ? { program, args: [...args, address] }
      : { program: "/bin/sh", args: ["-c", START, program, ...args, address] };
  // It looks for the browser on PATH, where a project could plant one.
  const env = { ...process.env, PATH: trustedPath() } as Record<string, string>;
  const ended = await runProgram({ ...command, env, timeout: TIMEOUT_MS, reach: "leave" }).catch(() => undefined);
  return ended?.exitCode === 0;
}

function opener(): readonly [string?, ...string[]] {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  if (BROWSER) return [BROWSER];
  if (process.platform === "darwin") return ["open"];
  return DISPLAY || WAYLAND_DISPLAY ? ["xdg-open"] : [];
}

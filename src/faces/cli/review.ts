/** `loaf review`: the page beside the chat, on a local server. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../core/errors.ts";
import { findRepository } from "../../git/repository.ts";
import { onEndSignal } from "../../run/end-signals.ts";
import { readInput, readTextFile } from "../../state/input.ts";
import { watchFile } from "../../state/watch-file.ts";
import { ClipboardError, copyToClipboard, readClipboard } from "../watch/clipboard.ts";
import { publishReport } from "../watch/publish.ts";
import { rememberAnswer, whenRan } from "../watch/ran-answers.ts";
import type { Environment } from "../web/environment.ts";
import { PageSession } from "../web/page-session.ts";
import { openInBrowser } from "./browser.ts";
import { complain } from "./output.ts";
import { openProject, type ProjectOptions, rootOf } from "./project.ts";
import { UsageError } from "./usage-error.ts";

export interface ReviewOptions extends Pick<ProjectOptions, "root" | "hooks" | "exec" | "git"> {
  readonly paste?: boolean;
  /** False with `--no-open`. */
  readonly open?: boolean;
}

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
  const warnings = new Set<string>();
  const warnOnce = (sentence: string): void => {
    if (!warnings.has(sentence)) complain(sentence);
    warnings.add(sentence);
  };
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
    remember: (items) => tryOr(() => rememberAnswer(root, items), undefined),
    keep: (report, loaf) => tryOr(() => publishReport(root, loaf.settings.watch.output, report), undefined),
    contextParts: async (loaf, split) => (await import("./context.ts")).contextParts(loaf, { split }),
    instructions: async (loaf) => (await import("./instructions.ts")).instructionsOf(loaf, { tree: true }),
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
  if (!paste) return undefined;
  try {
    return { text: await readClipboard(), source: "clipboard" };
  } catch (thrown) {
    if (!(thrown instanceof ClipboardError)) throw thrown;
    throw new UsageError(`${thrown.message}. Without --paste, the page itself takes what you paste`);
  }
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

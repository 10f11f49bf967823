/** The files tab: the project's files as the guard lets them be read, the context set, and its text for the chat. */
import { resolve } from "node:path";
import { estimateTokens, type Loaf } from "../../index.ts";
import type { Environment } from "./environment.ts";
import type { FilesView, OutlinePart, PartsView } from "./protocol.ts";
import type { RequestBody } from "./requests.ts";

export class FilesTab {
  readonly #environment: Environment;
  /** Tokens of a file by its path, and the text that they were counted of. */
  readonly #counted = new Map<string, { readonly text: string; readonly tokens: number }>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  async list(): Promise<FilesView> {
    const loaf = await this.#open();
    const { view } = loaf;
    return {
      files: view.files.map((path) => ({ path, tokens: this.#tokensOf(path, view.read(path) ?? "") })),
      ticked: await tickedIn(loaf),
      limit: loaf.settings.report.max_tokens,
    };
  }

  async outline(path: string): Promise<OutlinePart[]> {
    const loaf = await this.#open();
    const parts = await loaf.outline(resolve(loaf.root, path));
    return parts.map(({ address, kind, first_line: line }) => ({ address, kind, line }));
  }

  /** Adds a file, a folder or an address to the context set, or removes it. Returns the entries. */
  async tick(path: string, on: boolean): Promise<readonly string[]> {
    const loaf = await this.#open();
    const absolute = resolve(loaf.root, path);
    try {
      if (on) await loaf.context.add(absolute);
      else loaf.context.remove(absolute);
    } catch (thrown) {
      throw new Error(`${path} cannot be added: it is not there, or may not be read`, { cause: thrown });
    }
    return tickedIn(loaf);
  }

  /** Returns the context set for the chat, and puts its first part on the clipboard. */
  async context({ tokens, instructions }: RequestBody<"context">): Promise<PartsView> {
    const loaf = await this.#open();
    const [first = "", ...more] = await this.#environment.contextParts(loaf, tokens);
    const head = instructions ? `${this.#environment.instructions(loaf).trimEnd()}\n\n` : "";
    if (first === "" && head === "") throw new Error("Tick the files to copy first");
    return this.#copied([head + first, ...more]);
  }

  async instructions(): Promise<PartsView> {
    return this.#copied([this.#environment.instructions(await this.#open())]);
  }

  async #copied(texts: readonly string[]): Promise<PartsView> {
    const isCopied = await this.#environment.copy(texts[0] ?? "");
    return { parts: texts.map((text) => ({ text, tokens: estimateTokens(text) })), isCopied };
  }

  #tokensOf(path: string, text: string): number {
    const known = this.#counted.get(path);
    if (known?.text === text) return known.tokens;
    const tokens = estimateTokens(text);
    this.#counted.set(path, { text, tokens });
    return tokens;
  }

  #open(): Promise<Loaf> {
    return this.#environment.open({ commands: false });
  }
}

/** Returns the entries of the context set, as the page names them. */
async function tickedIn({ context }: Loaf): Promise<readonly string[]> {
  return (await context.list()).map(({ path }) => (path === "." ? "" : path));
}

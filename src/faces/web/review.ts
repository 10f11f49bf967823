/** The answer that is reviewed: what it would do, and what a choice of it does. */
import { hash } from "node:crypto";
import {
  type AnswerItems,
  type Change,
  type Loaf,
  type Previewed,
  type Selection,
  visibleInLines,
} from "../../index.ts";
import { Colours } from "./colours.ts";
import type { Environment } from "./environment.ts";
import { contextLines, fileViews, type OldLines } from "./files-of-change.ts";
import { itemViews } from "./items.ts";
import type { AnswerView, ItemView, DiffLine, TriedView, UnreadView } from "./protocol.ts";
import type { Choice, RequestBody } from "./requests.ts";

/** An answer, and what the page shows of it. */
export interface ShownAnswer {
  readonly key: string;
  readonly text: string;
  readonly source: string;
  readonly read: AnswerItems;
  /** With everything taken. Items that are left out are shown like this. */
  readonly all: readonly ItemView[];
  readonly oldLines: ReadonlyMap<number, OldLines>;
  /** What the last preview says, for the choice it was made with. */
  previewed: readonly Previewed[];
  view: AnswerView;
  /** Whether it was run from this page. */
  hasRun: boolean;
}

export class Review {
  readonly #environment: Environment;
  #answer: ShownAnswer | undefined;
  readonly #colours = new Colours();
  #count = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get answer(): ShownAnswer | undefined {
    return this.#answer;
  }

  /** Returns the answer with a key. Throws `Error` if the page shows a newer answer. */
  answerWith(key: string): ShownAnswer {
    if (this.#answer?.key !== key) throw new Error("The page shows a newer answer: nothing was done with the old one");
    return this.#answer;
  }

  /**
   * Shows a text. Returns null if it holds no answer, or the same answer is shown already and has not run.
   *
   * @param source `clipboard`, or the name of a file
   */
  async take(text: string, source: string): Promise<AnswerView | null> {
    const loaf = await this.#environment.open({ commands: false });
    const read = loaf.items(text);
    if (read.items.length === 0 && !isWorthShowing(read)) return null;
    if (text === this.#answer?.text && !this.#answer.hasRun) return null;
    const previewed = await previewAll(loaf, text);
    this.#colours.restart();
    const oldLines = new Map<number, OldLines>();
    const [known, refusal] = typeof previewed === "string" ? [[], previewed] : [previewed];
    const all = await itemViews(loaf, known, { oldLines, colours: this.#colours });
    const key = hash("sha256", `${++this.#count} ${text}`, "base64url").slice(0, 16);
    const applied = refusal === undefined ? await loaf.appliedIn(text) : new Map<number, number>();
    const items = all.map((item) => ({ ...item, appliedIn: applied.get(item.position) }));
    const view: AnswerView = {
      key,
      title: read.sentence ?? "An answer without a sentence above its changes",
      source,
      arrived: Date.now(),
      readAs: read.readAs,
      items,
      unread: read.findings.map(unreadView),
      ranAt: this.#environment.whenRan(read.items)?.toISOString(),
      digest: digestOf(known),
      refusal,
    };
    this.#answer = { key, text, source, read, all: items, oldLines, previewed: known, view, hasRun: false };
    return view;
  }

  /** Previews what a choice would do now, and returns the answer like that. What is left out is shown as it was. */
  async preview({ key, choice }: RequestBody<"preview">): Promise<AnswerView> {
    const answer = this.answerWith(key);
    const loaf = await this.#environment.open({ commands: false });
    const only = selectionOf(choice, answer);
    const previewed = await previewAll(loaf, answer.text, only);
    if (typeof previewed === "string") throw new Error(previewed);
    const changed = await itemViews(loaf, previewed, { oldLines: new Map(), colours: this.#colours });
    const items = answer.all.map((item) => {
      const now = changed.find(({ position }) => position === item.position);
      if (now === undefined || choice[item.position]?.length === 0) return item;
      // Of an edit that no longer fits, the lines that it means are still worth seeing.
      const files = now.problem === undefined ? now.files : item.files;
      return { ...now, files, appliedIn: item.appliedIn };
    });
    answer.previewed = previewed;
    answer.view = { ...answer.view, items, digest: digestOf(previewed) };
    return answer.view;
  }

  /** Returns unchanged lines of a file as it was when the answer was first shown. */
  linesOf({ key, position, path, from, to, shift }: RequestBody<"lines">): DiffLine[] {
    const lines = this.answerWith(key).oldLines.get(position)?.get(path) ?? [];
    return contextLines(lines, from, Math.min(to, lines.length + 1), shift);
  }

  /** Runs one command on a copy of the project, above the edits that are taken before it. */
  async try({ key, position, choice }: RequestBody<"try">): Promise<TriedView> {
    const answer = this.answerWith(key);
    const loaf = await this.#environment.open({ commands: true });
    const chosen = selectionOf(choice, answer);
    const kinds = new Map(answer.all.map((item) => [item.position, item.kind]));
    const wanted = [...chosen].filter(([at]) => at === position || (at < position && kinds.get(at) !== "command"));
    const only = new Map(wanted.map(([at, part]) => [at, at === position ? "all" : part] as const));
    for await (const { position: at, result, changes } of loaf.preview(answer.text, { only })) {
      if (at !== position || result === undefined) continue;
      const { stdout = "", stderr = "" } = Object(result.data) as Partial<Record<"stdout" | "stderr", string>>;
      return {
        stdout: visibleInLines(stdout),
        stderr: visibleInLines(stderr),
        files: await this.#colours.colour(fileViews(changes, { root: loaf.root }), changes),
        error: result.error && visibleInLines(result.error),
      };
    }
    throw new Error("This block cannot run: the list says why");
  }

  /** Reads the answer anew, with a path above one of its code fences. */
  async useAs({ key, line, path }: RequestBody<"useAs">): Promise<AnswerView | null> {
    const answer = this.answerWith(key);
    const lines = answer.text.split("\n");
    lines.splice(line - 1, 0, "", `\`${path}\``, "");
    return this.take(lines.join("\n"), answer.source);
  }

  /** Returns the position of the item that shows just these changes, if the user takes it. */
  shows(answer: ShownAnswer, changes: Previewed["changes"], named: Named): boolean {
    return answer.previewed.some(
      ({ result, changes: shown }) =>
        result?.success === true &&
        result.blockId === named.blockId &&
        result.blockStartLine === named.blockStartLine &&
        result.action === named.action &&
        areSame(changes, shown),
    );
  }
}

/** Returns what to run: each item whole, some of its hunks, or none, so that the report tells that it was refused. */
export function selectionOf(choice: Choice, { read: { items } }: ShownAnswer): ReadonlyMap<number, Part> {
  const parts = items.map((_, position) => choice[position] ?? []);
  return new Map(parts.map((part, position) => [position, part === "all" ? part : new Set(part)]));
}

type Part = "all" | ReadonlySet<string>;

interface Named {
  readonly blockId: string;
  readonly blockStartLine: number;
  readonly action: string;
}

/** Returns a sentence if nothing of the text can run. */
async function previewAll(loaf: Loaf, text: string, only?: Selection): Promise<readonly Previewed[] | string> {
  const previewed: Previewed[] = [];
  try {
    for await (const item of loaf.preview(text, { ...(only && { only }) })) previewed.push(item);
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === "Refusal") return thrown.message;
    throw thrown;
  }
  return previewed;
}

function isWorthShowing({ findings }: AnswerItems): boolean {
  return findings.some(({ code }) => code !== "answer/report");
}

function unreadView({ line, message, request, fences }: AnswerItems["findings"][number]): UnreadView {
  return { line, message: visibleInLines(message), request: request && visibleInLines(request), fences };
}

/** Returns a hash of everything that a preview shows: of each item its end, and each path before and after. */
function digestOf(previewed: readonly Previewed[]): string {
  const facts = previewed.map(({ position, result, errors, changes }) => [
    position,
    result?.success,
    result?.error,
    errors?.map(({ message }) => message),
    changes.map((change) => factsOf(change)),
  ]);
  return hashOf(JSON.stringify(facts));
}

/** Returns whether an action would make just the changes that were shown. */
export function areSame(changes: readonly Change[], shown: readonly Change[]): boolean {
  const facts = (all: readonly Change[]): string => JSON.stringify(all.map((change, at) => factsOf(change, shown[at])));
  return facts(changes) === facts(shown);
}

/** @param shown the bytes of a file that may not be read are not shown, so only its size is compared */
function factsOf({ path, movedFrom, before, after }: Change, shown?: Change): unknown[] {
  return [path, movedFrom, contentFacts(before, shown?.before), contentFacts(after, shown?.after)];
}

function contentFacts(content: Change["before"], shown: Change["before"]): unknown {
  if (content?.kind !== "file") return content;
  const { mode, size, bytes } = content;
  const isHidden = shown?.kind === "file" && shown.bytes === undefined;
  return [mode, size, bytes === undefined || isHidden ? null : hashOf(bytes)];
}

function hashOf(data: string | Uint8Array): string {
  return hash("sha256", data, "base64url");
}

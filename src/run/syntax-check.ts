/** Checks the files that a run has changed for syntax errors that they did not have before. */
import { isUtf8 } from "node:buffer";
import { relative } from "node:path";
import { newFault } from "../addresses/new-fault.ts";
import { type Language, languageOf } from "../addresses/languages.ts";
import { restoreParsers } from "../addresses/parser.ts";
import { readImage } from "../disk/images.ts";
import { namedFew } from "../core/visible.ts";
import type { Observer, WrittenFile } from "../disk/planned.ts";
import type { Overlay } from "../disk/overlay.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import type { Guard } from "../guard/guard.ts";
import { isWithin } from "../paths/path-segments.ts";
import { resultInTime } from "./limits.ts";

/** Bytes of one file. A larger one is rarely written by hand, and takes long to parse. */
const MAX_SIZE = 512 * 1024;
/** Bytes kept for one run, to compare files with what they were. */
const MAX_KEPT = 32 * 2 ** 20;
/** New files of commands: one that installs or copies makes thousands. */
const MAX_MADE = 100;
/** Milliseconds to check one file, and all files of a run. A busy machine needs many times the usual. */
const MAX_TIME = 2_000;
const MAX_TOTAL_TIME = 5_000;
const TOO_LONG = "it took too long";
/** Files that one warning names. */
const MAX_NAMED = 3;

interface Version {
  /** Position of the action that made it. Undefined for what the run found. */
  readonly author: number | undefined;
  readonly bytes: Buffer | undefined;
}

/** Keeps the versions of each changed file whose language Loaf knows, from the one that the run found. */
export class SyntaxCheck implements Observer {
  readonly #files = new Map<string, Version[]>();
  /** Why files are not checked, and the action that wrote them last. */
  readonly #skipped = new Map<string, { readonly author: number; readonly why: string }>();
  #kept = 0;
  #made = 0;

  written(path: string, { author, content, isPlaced, before }: WrittenFile): void {
    if (!isChecked(path)) return;
    this.#skipped.delete(path);
    const versions = this.#files.get(path) ?? [{ author: undefined, bytes: unlessSystemError(before, undefined) }];
    const known = versions.length > 1 ? 0 : (versions[0]?.bytes?.length ?? 0);
    const isMade = isPlaced && versions.length === 1 && versions[0]?.bytes === undefined;
    const why = this.#whyNot(Math.max(content.length, known), isMade);
    if (why !== undefined) {
      this.#files.delete(path);
      this.#skipped.set(path, { author, why });
      return;
    }
    const bytes = Buffer.isBuffer(content) ? content : unlessSystemError(() => readImage(content), undefined);
    if (bytes === undefined) return;
    this.#kept += bytes.length + known;
    if (isMade) this.#made++;
    this.#files.set(path, [...versions, { author, bytes }]);
  }

  /** Returns why a file is not checked, if so. */
  #whyNot(size: number, isMade: boolean): string | undefined {
    if (size > MAX_SIZE) return sizeOf(size);
    if (this.#kept + size > MAX_KEPT) return "the run changes too much";
    return isMade && this.#made >= MAX_MADE ? `the run has more than ${MAX_MADE} new files` : undefined;
  }

  moved(from: string, to: string): void {
    for (const [path, versions] of Array.from(this.#files)) {
      if (isWithin(path, to)) this.#files.delete(path);
      if (!isWithin(path, from)) continue;
      this.#files.delete(path);
      this.#files.set(to + path.slice(from.length), versions);
    }
  }

  /**
   * Returns warnings by the position of the action after which a file was broken, and forgets all versions. Loads a
   * grammar only for a changed file.
   */
  async warnings(
    { overlay, guard }: { readonly overlay: Overlay; readonly guard: Guard },
    root: string,
  ): Promise<ReadonlyMap<number, readonly string[]>> {
    const warnings = new Map<number, string[]>();
    const warn = (author: number, sentence: string): void =>
      void warnings.set(author, [...(warnings.get(author) ?? []), sentence]);
    const [files, skipped] = [[...this.#files], [...this.#skipped]];
    this.#files.clear();
    this.#skipped.clear();
    [this.#kept, this.#made] = [0, 0];
    const current = (path: string): Buffer | undefined =>
      guard.refusal(path, "read") === undefined
        ? unlessSystemError(() => overlay.readFile(path).bytes, undefined)
        : undefined;
    const end = performance.now() + MAX_TOTAL_TIME;
    for (const [path, versions] of files) {
      const language = languageOf(path);
      const kept = untilCurrent(versions, current(path));
      if (language === undefined || kept.length < 2) continue;
      const outcome = performance.now() > end ? TOO_LONG : await check(language, kept);
      if (outcome === undefined) continue;
      if (typeof outcome === "string") {
        skipped.push([path, { author: kept.at(-1)?.author ?? 0, why: outcome }]);
        continue;
      }
      const state = versions[0]?.bytes === undefined ? "is not valid" : "is no longer valid";
      warn(
        outcome.author,
        `${relative(root, path)} ${state} ${language.name}: line ${outcome.line}: ${outcome.problem}`,
      );
    }
    const alike = new Map<string, { readonly author: number; readonly why: string; readonly paths: string[] }>();
    for (const [path, { author, why }] of skipped) {
      if (
        guard.refusal(path, "read") !== undefined ||
        unlessSystemError(() => overlay.entry(path), undefined) === undefined
      )
        continue;
      const group = alike.get(`${author} ${why}`) ?? { author, why, paths: [] };
      group.paths.push(relative(root, path));
      alike.set(`${author} ${why}`, group);
    }
    for (const { author, why, paths } of alike.values())
      warn(author, `the syntax of ${namedFew(paths, MAX_NAMED)} was not checked: ${why}`);
    return warnings;
  }
}

function sizeOf(bytes: number): string {
  return bytes < 10 * 2 ** 20 ? `${(bytes / 2 ** 20).toFixed(1)} MB` : `${Math.round(bytes / 2 ** 20)} MB`;
}

function isChecked(path: string): boolean {
  const language = languageOf(path);
  return language !== undefined && language.name !== "Markdown";
}

/** Drops versions after the one that is in the project: they were rolled back, or did not reach the disk. */
function untilCurrent(versions: readonly Version[], current: Buffer | undefined): readonly Version[] {
  const last = versions.findLastIndex(({ bytes }) => bytes !== undefined && current?.equals(bytes) === true);
  return versions.slice(0, last + 1);
}

interface Broken {
  readonly author: number;
  readonly line: number;
  readonly problem: string;
}

/**
 * Returns what is broken in the last version and not in the first, and an action after which it was; or why that is
 * unknown.
 */
async function check(language: Language, versions: readonly Version[]): Promise<Broken | string | undefined> {
  if (versions.some(({ bytes }) => bytes?.includes(0))) return "it is not text";
  const isText = versions.every(({ bytes }) => bytes === undefined || isUtf8(bytes));
  const texts = versions.map(({ bytes }) => bytes?.toString(isText ? "utf8" : "latin1").replace(/^\ufeff/, ""));
  const last = texts.at(-1) ?? "";
  const size = texts.reduce((sum, text = "") => sum + text.length, 0);
  if (language.isPlainlyValid(last)) return undefined;
  try {
    await language.load();
    const outcome = resultInTime(
      (): Broken | "valid" => {
        const faultIn = (version: number, since = 0) => newFault(language, texts[since], texts[version] ?? "");
        const whole = faultIn(texts.length - 1);
        if (whole === undefined) return "valid";
        let [valid, broken] = [0, texts.length - 1];
        while (broken - valid > 1) {
          const middle = (valid + broken) >>> 1;
          if (faultIn(middle) === undefined) valid = middle;
          else broken = middle;
        }
        // What the breaking action did says it best, unless later actions have moved its lines.
        const byAction = broken === texts.length - 1 && valid === 0 ? undefined : faultIn(broken, valid);
        const isInPlace = byAction !== undefined && last.startsWith(linesOf(texts[broken] ?? "", byAction.line));
        return { author: versions[broken]?.author ?? 0, ...(isInPlace ? byAction : whole) };
      },
      MAX_TIME,
      size,
    );
    return outcome === "valid" ? undefined : (outcome ?? TOO_LONG);
  } catch {
    // The file is written already: a parser that fails, or cannot be loaded, must not cost the run its report.
    return "its parser failed";
  } finally {
    // An interrupted parser is unreliable.
    await restoreParsers().catch(() => {});
  }
}

/** Returns the first lines of a text. */
function linesOf(text: string, count: number): string {
  let end = 0;
  for (let line = 0; line < count && end !== -1; line++) end = text.indexOf("\n", end) + 1 || -1;
  return end === -1 ? text : text.slice(0, end);
}

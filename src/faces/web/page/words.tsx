/** What several parts of the page show: words and numbers, and where the focus goes. */
import type { FileView, DiffLine } from "../protocol.ts";

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

export function Path({ path }: { path: string }) {
  const at = path.lastIndexOf("/") + 1;
  return (
    <span class="path">
      <i>{path.slice(0, at)}</i>
      {path.slice(at)}
    </span>
  );
}

interface Sums {
  readonly added?: number;
  readonly removed?: number;
}

export function sumsOf(files: readonly Pick<FileView, "hunks">[]): Sums {
  const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const count = (sign: DiffLine["sign"]) => lines.filter((line) => line.sign === sign).length;
  return { added: count("+"), removed: count("-") };
}

export function Counts({ of: { added = 0, removed = 0 } }: { of: Sums }) {
  return (
    <span class="n">
      {added > 0 && (
        <span class="p" aria-label={`${added} lines added`}>
          +{added}
        </span>
      )}{" "}
      {removed > 0 && (
        <span class="m" aria-label={`${removed} lines removed`}>
          −{removed}
        </span>
      )}
    </span>
  );
}

export function tokensText(tokens: number): string {
  return tokens.toLocaleString("en", { notation: "compact" });
}

/** @param when ISO 8601, or milliseconds since 1970 */
export function timeOf(when: string | number): string {
  const date = new Date(when);
  const time = date.toTimeString().slice(0, 5);
  return date.toDateString() === new Date().toDateString() ? `at ${time}` : `on ${date.toDateString()} at ${time}`;
}

/** What happens to a file, unless its lines change. */
export const KINDS = {
  new: "new file",
  deleted: "deleted",
  moved: "moved",
  folder: "folder",
  link: "link",
  changed: "",
} as const;

/** Gives an element the focus when it appears. Browsers heed `autofocus` only once. For `ref`. */
export function focus(element: HTMLElement | null): void {
  if (element && !element.contains(document.activeElement)) element.focus();
}

/** The hunks of a file, each of which can be taken or left out, and comments on their lines. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FileView, HunkView, ItemView, DiffLine } from "../protocol.ts";
import { Code } from "./code.tsx";
import { ask } from "./connection.ts";
import {
  comment,
  type Composing,
  current,
  idsOf,
  isFixed,
  isSamePlace,
  keyOfAnswer,
  set,
  takes,
  toggleHunk,
  trying,
} from "./state.ts";
import { counted, Counts, focus, KINDS, Path, sumsOf } from "./words.tsx";

interface FileProps {
  readonly file: FileView;
  /** Absent where nothing can be chosen, as of a past run. */
  readonly item?: ItemView | undefined;
}

/** What happens to a file. */
export function FileChanges({ item, file }: FileProps) {
  const { path, kind, movedFrom, hunks, fold, unseen } = file;
  return (
    <div class="file">
      {(item?.files.length !== 1 || movedFrom) && (
        <h3 class="sub">
          <Path path={path} />
          <span class="dim">
            {KINDS[kind]}
            {movedFrom && ` from ${movedFrom}`}
          </span>
          <span class="grow" />
          <Counts of={sumsOf([file])} />
        </h3>
      )}
      {unseen && <p class="dim inset">Its lines are not shown: {unseen}</p>}
      {hunks.map((hunk, index) => (
        <Hunk key={hunk.id ?? index} item={item} file={file} hunk={hunk} />
      ))}
      {fold && <Fold item={item} file={file} fold={fold} />}
    </div>
  );
}

function Hunk({ item, file, hunk: { id, lines, fold, within } }: FileProps & { hunk: HunkView }) {
  const isOff = item !== undefined && !takes(item, id);
  const isOneOfSeveral = item !== undefined && id !== undefined && idsOf(item).length > 1;
  const first = isFixed() ? undefined : lines.find(({ sign }) => sign !== " ");
  const bar = [
    isOneOfSeveral && (
      <label>
        <input type="checkbox" data-stop checked={!isOff} disabled={isFixed()} onChange={() => toggleHunk(item, id)} />
        <span>{isOff ? "Left out" : isFixed() ? "Taken" : "Take this hunk"}</span>
      </label>
    ),
    isOff && !isOneOfSeveral && <span>Left out</span>,
    within && <code class="within">{within}</code>,
    item && first && (
      <button class="link" onClick={() => set({ composing: placeOf(item, file, first, id) })}>
        {isOff ? "Say why" : "Comment"} <kbd>c</kbd>
      </button>
    ),
  ].filter(Boolean);
  return (
    <div class={isOff ? "hunk off" : "hunk"}>
      {fold && <Fold item={item} file={file} fold={fold} />}
      {bar.length > 0 && <div class="bar">{bar}</div>}
      <CommentedLines item={item} file={file} lines={lines} hunk={id} />
    </div>
  );
}

/** @param hunk its ID, if it can be chosen */
function placeOf({ position }: ItemView, { path }: FileView, line: DiffLine, hunk: string | undefined): Composing {
  const [side, number] = line.sign === "-" ? (["old", line.old] as const) : (["new", line.new] as const);
  const isPartOf = hunk !== undefined && line.sign !== " ";
  return { position, path, quote: line.text, line: number ?? 0, side, ...(isPartOf && { hunk }) };
}

interface LinesProps extends FileProps {
  readonly lines: readonly DiffLine[];
  readonly hunk?: string | undefined;
}

/** Lines with the comments on them. A click on the sign of a line begins one. */
function CommentedLines({ item, file, lines, hunk }: LinesProps) {
  if (item === undefined) return <Code lines={lines} />;
  const compose = (line: DiffLine): void => set({ composing: placeOf(item, file, line, hunk) });
  const after = (line: DiffLine) => talkAt(placeOf(item, file, line, hunk));
  return <Code lines={lines} onLine={isFixed() ? undefined : compose} after={after} />;
}

/** Unchanged lines, which a click shows. */
function Fold({ item, file, fold }: FileProps & { fold: NonNullable<HunkView["fold"]> }) {
  const [lines, setLines] = useState<readonly DiffLine[]>([]);
  const label = `⋯ ${counted(fold.lines, "unchanged line")}`;
  if (item === undefined) return <p class="fold">{label}</p>;
  if (lines.length > 0) return <CommentedLines item={item} file={file} lines={lines} />;
  const open = async (): Promise<void> => {
    const range = { from: fold.old, to: fold.old + fold.lines, shift: fold.new - fold.old };
    const request = { key: keyOfAnswer(), position: item.position, path: file.path, ...range };
    setLines((await trying(() => ask("lines", request))) ?? []);
  };
  return (
    <button class="fold" onClick={open}>
      {label}
    </button>
  );
}

/** Returns the comment at a place, or the form for one that is being written. */
export function talkAt(place: Composing) {
  const { composing, comments } = current();
  const given = comments.find((comment) => isSamePlace(comment, place));
  const key = `${place.side} ${place.line}`;
  if (composing && isSamePlace(composing, place)) return <CommentForm key={key} text={given?.text} />;
  if (!given) return null;
  return (
    <div class="talk" key={key}>
      <b>You</b> for the chat: {given.text}{" "}
      {!isFixed() && (
        <button class="link" onClick={() => set({ composing: place })}>
          Change
        </button>
      )}
    </div>
  );
}

function CommentForm({ text }: { text: string | undefined }) {
  const form = useRef<HTMLFormElement>(null);
  // Afterwards the keys go on from the hunk.
  useLayoutEffect(() => {
    const around = [".hunk", "article"].map((place) => form.current?.closest(place)?.querySelector("[data-stop]"));
    return () => (around.find(Boolean) as HTMLElement | undefined)?.focus({ preventScroll: true });
  }, []);
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void => {
    if (event.key === "Escape") set({ composing: undefined });
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  const save = (event: Event & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    comment(String(new FormData(event.currentTarget).get("text")));
  };
  return (
    <form class="talk" ref={form} onSubmit={save}>
      <textarea
        name="text"
        rows={2}
        aria-label="Comment for the chat"
        ref={focus}
        onKeyDown={onKeyDown}
        placeholder="For the chat: why not, or what else"
      >
        {text}
      </textarea>
      <button class="main">
        Keep <kbd>Enter</kbd>
      </button>{" "}
      <button type="button" onClick={() => set({ composing: undefined })}>
        Cancel <kbd>Esc</kbd>
      </button>
    </form>
  );
}

/** The hunks of a file, each of which can be taken or left out, and comments on their lines. */
import { useState } from "preact/hooks";
import type { AnswerView, FileView, HunkView, ItemView, Line } from "../protocol.ts";
import type { Comment } from "../requests.ts";
import { Code } from "./code.tsx";
import { ask } from "./connection.ts";
import {
  comment,
  type Composing,
  idsOf,
  isFixed,
  isSamePlace,
  set,
  type State,
  takes,
  toggleHunk,
  trying,
} from "./state.ts";
import { counted, Path } from "./words.tsx";

export interface ItemProps {
  readonly state: State;
  readonly answer: AnswerView;
  readonly item: ItemView;
}

interface FileProps extends ItemProps {
  readonly file: FileView;
}

export function File(props: FileProps) {
  const { item, file } = props;
  return (
    <div class="file">
      {(item.files.length > 1 || file.movedFrom) && (
        <h3 class="sub">
          <Path path={file.path} />
          {file.movedFrom && <span class="dim"> moved from {file.movedFrom}</span>}
        </h3>
      )}
      {file.unseen && <p class="dim inset">Its lines are not shown: {file.unseen}</p>}
      {file.kind === "folder" && <p class="dim inset">A folder.</p>}
      {file.hunks.map((hunk, index) => (
        <Hunk key={hunk.id ?? index} {...props} hunk={hunk} />
      ))}
      {file.fold && <Fold {...props} fold={file.fold} />}
    </div>
  );
}

function Hunk({ hunk, ...props }: FileProps & { hunk: HunkView }) {
  const { state, item, file } = props;
  const { id, lines, fold, within } = hunk;
  const isOff = !takes(state, item, id);
  const first = lines.find(({ sign }) => sign !== " ") ?? lines[0];
  return (
    <div class={isOff ? "hunk off" : "hunk"}>
      {fold && <Fold {...props} fold={fold} />}
      <div class="bar">
        {id === undefined || idsOf(item).length === 1 ? (
          isOff && <span>Left out</span>
        ) : (
          <label>
            <input
              type="checkbox"
              data-stop
              checked={!isOff}
              disabled={isFixed(state)}
              onChange={() => toggleHunk(item, id)}
            />
            <span>{isOff ? "Left out" : isFixed(state) ? "Taken" : "Take this hunk"}</span>
          </label>
        )}
        {within && <code class="within">{within}</code>}
        <span class="grow" />
        {first && !isFixed(state) && (
          <button class="link" onClick={() => set({ composing: placeOf(item, file, first, id) })}>
            {isOff ? "Say why" : "Comment"} <kbd>c</kbd>
          </button>
        )}
      </div>
      <CommentedLines {...props} lines={lines} hunk={id} />
    </div>
  );
}

/** @param hunk its ID, if it can be chosen */
function placeOf({ position }: ItemView, { path }: FileView, line: Line, hunk: string | undefined): Composing {
  const [side, number] = line.sign === "-" ? (["old", line.old] as const) : (["new", line.new] as const);
  const isPartOf = hunk !== undefined && line.sign !== " ";
  return { position, path, quote: line.text, line: number ?? 0, side, ...(isPartOf && { hunk }) };
}

/** Lines with the comments on them. A click on the sign of a line begins one. */
function CommentedLines({
  state,
  item,
  file,
  lines,
  hunk,
}: FileProps & { lines: readonly Line[]; hunk?: string | undefined }) {
  const after = (line: Line) => {
    const place = placeOf(item, file, line, hunk);
    const given = state.comments.find((comment) => isSamePlace(comment, place));
    const isHere = state.composing !== undefined && isSamePlace(state.composing, place);
    return given || isHere ? (
      <Talk key={`${place.side} ${place.line}`} state={state} place={place} given={given} />
    ) : null;
  };
  const compose = (line: Line): void => set({ composing: placeOf(item, file, line, hunk) });
  return <Code lines={lines} onLine={isFixed(state) ? undefined : compose} after={after} />;
}

/** Unchanged lines, which a click shows. */
function Fold({ fold, ...props }: FileProps & { fold: NonNullable<HunkView["fold"]> }) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  if (lines.length > 0) return <CommentedLines {...props} lines={lines} />;
  const open = async (): Promise<void> => {
    const { answer, item, file } = props;
    const range = { from: fold.old, to: fold.old + fold.lines, shift: fold.new - fold.old };
    const request = { key: answer.key, position: item.position, path: file.path, ...range };
    setLines((await trying(() => ask("lines", request))) ?? []);
  };
  return (
    <button class="fold" onClick={open}>
      ⋯ {counted(fold.lines, "unchanged line")}
    </button>
  );
}

export function Talk({ state, place, given }: { state: State; place: Composing; given: Comment | undefined }) {
  if (state.composing === undefined || !isSamePlace(state.composing, place))
    return (
      <div class="talk">
        <b>You</b> for the chat: {given?.text}{" "}
        {!state.report && (
          <button class="link" onClick={() => set({ composing: place })}>
            Change
          </button>
        )}
      </div>
    );
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void => {
    if (event.key === "Escape") set({ composing: undefined });
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      comment(event.currentTarget.value);
    }
  };
  const save = (event: Event & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    comment(String(new FormData(event.currentTarget).get("text")));
  };
  return (
    <form class="talk" onSubmit={save}>
      <textarea
        name="text"
        rows={2}
        aria-label="Comment for the chat"
        ref={focus}
        onKeyDown={onKeyDown}
        placeholder="For the chat: why not, or what else"
      >
        {given?.text}
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

function focus(element: HTMLElement | null): void {
  if (element && !element.contains(document.activeElement)) element.focus();
}

/** The hunks of a file, each of which can be taken or left out, and comments on their lines. */
import { useState } from "preact/hooks";
import type { AnswerView, FileView, HunkView, ItemView, Line } from "../protocol.ts";
import type { Comment } from "../requests.ts";
import { Code } from "./code.tsx";
import { ask } from "./connection.ts";
import { comment, type Composing, idsOf, isSamePlace, set, type State, takes, toggleHunk, trying } from "./state.ts";
import { counted, Path } from "./words.tsx";

export interface ItemProps {
  readonly state: State;
  readonly answer: AnswerView;
  readonly item: ItemView;
}

export function File({ state, answer, item, file }: ItemProps & { file: FileView }) {
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
        <Hunk key={hunk.id ?? index} state={state} answer={answer} item={item} file={file} hunk={hunk} />
      ))}
      {file.fold && <Fold answer={answer} item={item} file={file} fold={file.fold} />}
    </div>
  );
}

interface HunkProps extends ItemProps {
  readonly file: FileView;
  readonly hunk: HunkView;
}

function Hunk({ state, answer, item, file, hunk }: HunkProps) {
  const { id, lines, fold, within } = hunk;
  const { position } = item;
  const isOff = !takes(state, item, id);
  const isFixed = state.report !== undefined || state.running !== undefined;
  const placeOf = (line: Line): Composing => {
    const side = line.sign === "-" ? "old" : "new";
    return {
      position,
      path: file.path,
      quote: line.text,
      line: (side === "old" ? line.old : line.new) ?? 0,
      side,
      ...(id !== undefined && line.sign !== " " && { hunk: id }),
    };
  };
  const first = lines.find(({ sign }) => sign !== " ") ?? lines[0];
  const compose = (): void => {
    if (first && !isFixed) set({ composing: placeOf(first) });
  };
  const after = (line: Line) => {
    const place = placeOf(line);
    const given = state.comments.find((comment) => isSamePlace(comment, place));
    const isHere = state.composing !== undefined && isSamePlace(state.composing, place);
    return given || isHere ? (
      <Talk key={`${place.side} ${place.line}`} state={state} place={place} given={given} />
    ) : null;
  };
  return (
    <div class={isOff ? "hunk off" : "hunk"}>
      {fold && <Fold answer={answer} item={item} file={file} fold={fold} />}
      <div class="bar">
        {id === undefined ? (
          <span>{isOff ? "Left out" : ""}</span>
        ) : idsOf(item).length === 1 ? (
          <span>{isOff ? "Left out" : "One hunk"}</span>
        ) : (
          <label>
            <input
              type="checkbox"
              data-stop
              checked={!isOff}
              disabled={isFixed}
              onChange={() => toggleHunk(item, id)}
            />
            <span>{isOff ? "Left out" : "Take this hunk"}</span>
          </label>
        )}
        {within && <code class="within">{within}</code>}
        <span class="grow" />
        {!isFixed && (
          <button class="link" onClick={compose}>
            {isOff ? "Say why" : "Comment"} <kbd>c</kbd>
          </button>
        )}
      </div>
      <Code lines={lines} onLine={isFixed ? undefined : (line) => set({ composing: placeOf(line) })} after={after} />
    </div>
  );
}

/** Unchanged lines, which a click shows. */
function Fold({
  answer,
  item,
  file,
  fold,
}: {
  answer: AnswerView;
  item: ItemView;
  file: FileView;
  fold: NonNullable<HunkView["fold"]>;
}) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  if (lines.length > 0) return <Code lines={lines} />;
  const open = async (): Promise<void> => {
    const request = {
      key: answer.key,
      position: item.position,
      path: file.path,
      from: fold.old,
      to: fold.old + fold.lines,
      shift: fold.new - fold.old,
    };
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

/** One item of an answer: an edit with its hunks, or a command. */
import { useState } from "preact/hooks";
import type { AnswerView, ItemView, ProblemView, TriedView } from "../protocol.ts";
import type { Choice } from "../requests.ts";
import { Code, Split } from "./code.tsx";
import { ask } from "./connection.ts";
import { File, type ItemProps, Talk } from "./hunk.tsx";
import { Lines } from "./lines.tsx";
import {
  type Composing,
  isFixed,
  isSamePlace,
  set,
  type State,
  takenFiles,
  takes,
  toggleItem,
  trying,
} from "./state.ts";
import { Counts, counted, sumsOf } from "./words.tsx";

export function Item({ state, answer, item }: ItemProps) {
  const isOff = !takes(state, item);
  const problem = isApplied(state, item) ? undefined : item.problem;
  const status = statusOf(state, item);
  const subject = item.kind === "command" ? `${item.command?.lang ?? ""} command` : item.subject;
  const first = item.files[0];
  return (
    <article id={anchor(item)} class={isOff ? "off" : ""} aria-label={`${item.action} ${subject}`}>
      <h2>
        <input
          type="checkbox"
          data-stop
          checked={!isOff}
          disabled={isFixed(state)}
          onChange={() => toggleItem(item)}
          aria-label={`Take ${subject}`}
        />
        <span class="name">{item.files.length > 1 ? `${item.files.length} files` : (first?.path ?? subject)}</span>
        <span class="tag">
          {item.label}
          {status.kind !== "ok" && ` · ${status.words}`}
        </span>
        {item.tags.map((tag) => (
          <span class="tag warn" key={tag}>
            {tag === "secret" ? "holds a secret" : tag}
          </span>
        ))}
        <span class="grow" />
        <Counts of={sumsOf(takenFiles(state, item))} />
      </h2>
      {problem && !isOff && <Problem problem={problem} />}
      {item.remarks.map((remark) => (
        <p class="remark" key={remark}>
          {remark}
        </p>
      ))}
      {item.command && <Command answer={answer} item={item} choice={state.choice} />}
      {item.files.map((file) => (
        <File key={file.path} state={state} answer={answer} item={item} file={file} />
      ))}
      <WholeComment state={state} item={item} />
    </article>
  );
}

/** A comment on a whole item: a command, or one that shows no lines. */
function WholeComment({ state, item }: { state: State; item: ItemView }) {
  const place: Composing = {
    position: item.position,
    path: item.files[0]?.path ?? item.subject,
    quote: "",
    line: 0,
    side: "new",
  };
  const hasPlace = (comment: Composing | undefined): boolean => comment !== undefined && isSamePlace(comment, place);
  const given = state.comments.find(hasPlace);
  const hasLines = item.command === undefined && item.files.some(({ hunks }) => hunks.length > 0);
  if (!hasPlace(state.composing) && !given)
    return hasLines || isFixed(state) ? null : (
      <button class="talk add" onClick={() => set({ composing: place })}>
        {takes(state, item) ? "Comment, for the chat…" : "Say why, for the chat…"}
      </button>
    );
  return <Talk state={state} place={place} given={given} />;
}

function Problem({ problem: { sentence, hint, sought, closest } }: { problem: ProblemView }) {
  return (
    <div class="why">
      <p>
        <span class="no">Not made: </span>
        {sentence}
      </p>
      {sought && closest ? (
        <Split.Provider value={false}>
          <div class="two">
            <div>
              <h3>The answer looks for</h3>
              <Code lines={sought} />
            </div>
            <div>
              <h3>
                The closest place, {closest.path} line {closest.lines[0]?.new}
              </h3>
              <Code lines={closest.lines} />
            </div>
          </div>
        </Split.Provider>
      ) : (
        <>
          {hint && <p class="dim pre">{hint}</p>}
          {sought && sought.length > 0 && <Code lines={sought} />}
        </>
      )}
    </div>
  );
}

function Command({ answer, item, choice }: { answer: AnswerView; item: ItemView; choice: Choice }) {
  const [tried, setTried] = useState<TriedView | "trying" | undefined>();
  const tryIt = async (): Promise<void> => {
    setTried("trying");
    setTried(await trying(() => ask("try", { key: answer.key, position: item.position, choice })));
  };
  const { code = "", cwd } = item.command ?? {};
  return (
    <div class="command">
      <pre>{code}</pre>
      <p class="dim">
        {cwd && `in ${cwd} · `}
        {tried === "trying" ? (
          "running on a copy of the project…"
        ) : (
          <button onClick={tryIt}>
            Try it <span class="dim">on a copy</span>
          </button>
        )}
      </p>
      {tried && tried !== "trying" && (
        <div class="tried" role="status">
          {tried.error && <p class="no">{tried.error}</p>}
          {tried.stdout && <pre aria-label="What it wrote">{tried.stdout}</pre>}
          {tried.stderr && (
            <pre aria-label="What it wrote to standard error" class="no">
              {tried.stderr}
            </pre>
          )}
          {!tried.stdout && !tried.stderr && !tried.error && <p class="dim">It printed nothing.</p>}
          <p class="dim">
            {tried.files.length === 0
              ? "It would change no file."
              : `It would change ${counted(tried.files.length, "file")}:`}
          </p>
          {tried.files.map((file) => (
            <Lines key={file.path} file={file} />
          ))}
        </div>
      )}
    </div>
  );
}

export function anchor({ position }: ItemView): string {
  return `item-${position}`;
}

function isApplied({ again }: State, { appliedIn }: ItemView): boolean {
  return appliedIn !== undefined && !again;
}

interface Status {
  readonly sign: string;
  /** Its class in the style. */
  readonly kind: "ok" | "no" | "dim";
  readonly words: string;
}

/** Returns what becomes of an item, or became of it. */
export function statusOf(state: State, item: ItemView): Status {
  if (!takes(state, item)) return { sign: "–", kind: "dim", words: "left out" };
  const mark = state.marks[item.label];
  if (mark === "✗") return { sign: "✗", kind: "no", words: "failed" };
  if (mark !== undefined) return { sign: "✓", kind: "ok", words: "done" };
  if (isApplied(state, item)) return { sign: "✓", kind: "dim", words: `applied before, by run ${item.appliedIn}` };
  if (item.problem) return { sign: "✗", kind: "no", words: "cannot be made" };
  return item.kind === "command"
    ? { sign: "›", kind: "dim", words: "will run" }
    : { sign: "✓", kind: "ok", words: "will be made" };
}

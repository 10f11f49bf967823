/** The review tab: the list of what an answer does, and the diffs. */
import { useState } from "preact/hooks";
import type { AnswerView, ItemView } from "../protocol.ts";
import { ask } from "./connection.ts";
import { anchor, isApplied, Item } from "./item.tsx";
import { Report } from "./report.tsx";
import { idsOf, show, type State, takes, trying } from "./state.ts";
import { Counts, counted, KINDS, Path, sumsOf } from "./words.tsx";

export function ReviewTab({ state }: { state: State }) {
  const { answer } = state;
  if (!answer) return null;
  return (
    <main class="review">
      <Aside state={state} answer={answer} />
      <section aria-label="Changes">
        {state.report && <Report report={state.report} />}
        {answer.refusal && <p class="note">{answer.refusal}</p>}
        {answer.items.map((item) => (
          <Item key={`${answer.key} ${item.position}`} state={state} answer={answer} item={item} />
        ))}
      </section>
    </main>
  );
}

function Aside({ state, answer }: { state: State; answer: AnswerView }) {
  const { source, readAs, ranAt } = answer;
  return (
    <aside aria-label="What the answer does">
      <h1>{answer.title}</h1>
      <p class="dim">
        from {source === "clipboard" ? "the clipboard" : source}, {timeOf(state.arrived)}
        {readAs && ` · read as ${readAs}`}
      </p>
      {ranAt && !state.report && (
        <p class="note">This answer ran before, {timeOf(Date.parse(ranAt))}. What it changed then is not made twice.</p>
      )}
      <ol>
        {answer.items.map((item) => (
          <li key={item.position}>
            <a href={`#${anchor(item)}`} onClick={(event) => jump(event, item)}>
              <Status state={state} item={item} />
              <span class="what">
                {item.kind === "command" ? (
                  <code>{item.subject}</code>
                ) : (
                  <Path path={item.files[0]?.path ?? item.subject} />
                )}
                <small class={isFailing(state, item) ? "no" : "dim"}>{wordsFor(state, item)}</small>
              </span>
              <Counts of={sumsOf(item.files)} />
            </a>
          </li>
        ))}
      </ol>
      {answer.unread.length > 0 && <Unread answer={answer} />}
    </aside>
  );
}

function isFailing(state: State, item: ItemView): boolean {
  return item.problem !== undefined && !isApplied(state, item) && takes(state, item);
}

function jump(event: Event, item: ItemView): void {
  event.preventDefault();
  const article = document.getElementById(anchor(item));
  article?.scrollIntoView({ block: "start" });
  article?.querySelector<HTMLElement>("[data-stop]")?.focus({ preventScroll: true });
}

function Status({ state, item }: { state: State; item: ItemView }) {
  const mark = state.marks[item.label];
  const isOff = !takes(state, item);
  const [sign, kind, word] = isOff
    ? ["–", "dim", "left out"]
    : mark !== undefined
      ? mark === "✗"
        ? ["✗", "no", "failed"]
        : ["✓", "ok", "done"]
      : isApplied(state, item)
        ? ["✓", "dim", "applied before"]
        : item.problem
          ? ["✗", "no", "cannot be made"]
          : item.kind === "command"
            ? ["›", "dim", "will run"]
            : ["✓", "ok", "will be made"];
  return (
    <span class={kind} role="img" aria-label={word}>
      {sign}
    </span>
  );
}

function wordsFor(state: State, item: ItemView): string {
  if (!takes(state, item)) return "left out";
  if (isApplied(state, item)) return `applied before, by run ${item.appliedIn}`;
  if (item.problem) return item.problem.sentence.length > 60 ? "cannot be made" : item.problem.sentence;
  if (item.kind === "command") return "will run";
  const ids = idsOf(item);
  const left = ids.filter((id) => !takes(state, item, id)).length;
  const [file] = item.files;
  const hunks =
    ids.length > 1 || left > 0 ? `${counted(ids.length, "hunk")}${left > 0 ? `, ${left} left out` : ""}` : "";
  const kind = file && file.kind !== "changed" ? KINDS[file.kind] : "";
  return (
    [kind || item.does, hunks, item.files.length > 1 ? counted(item.files.length, "file") : "", ...item.tags]
      .filter(Boolean)
      .join(" · ") ||
    item.does ||
    item.action
  );
}

function Unread({ answer }: { answer: AnswerView }) {
  const [line, setLine] = useState<number | undefined>();
  const use = async (line: number, path: string): Promise<void> => {
    const view = await trying(() => ask("useAs", { key: answer.key, line, path }));
    if (view) show(view);
  };
  return (
    <div class="note">
      {answer.unread.map((unread) => (
        <p key={`${unread.line} ${unread.message}`}>
          {unread.message}
          {unread.request && (
            <>
              <br />
              <span class="small">{unread.request}</span>
            </>
          )}
          {unread.fences?.map((fence) => (
            <button key={fence} class="link" onClick={() => setLine(fence)}>
              Use line {fence} as a file…
            </button>
          ))}
        </p>
      ))}
      {line !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void use(line, String(new FormData(event.currentTarget).get("path")));
          }}
        >
          <label>
            Path for the code in line {line} <input name="path" required autofocus placeholder="src/app.ts" />
          </label>
          <button>Use it</button>
        </form>
      )}
    </div>
  );
}

function timeOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  const time = date.toTimeString().slice(0, 5);
  return date.toDateString() === new Date().toDateString() ? `at ${time}` : `on ${date.toDateString()} at ${time}`;
}

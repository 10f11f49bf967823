/** The review tab: the list of what an answer does, and the diffs. */
import { useState } from "preact/hooks";
import type { AnswerView, ItemView } from "../protocol.ts";
import { ask } from "./connection.ts";
import { anchor, Item, statusOf } from "./item.tsx";
import { Report } from "./report.tsx";
import { idsOf, show, type State, takenFiles, takes, trying } from "./state.ts";
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
              <Status {...statusOf(state, item)} />
              <span class="what">
                {item.kind === "command" ? (
                  <code>{item.subject}</code>
                ) : (
                  <Path path={item.files[0]?.path ?? item.subject} />
                )}
                <small class={statusOf(state, item).kind === "no" ? "no" : "dim"}>{wordsFor(state, item)}</small>
              </span>
              <Counts of={sumsOf(takenFiles(state, item))} />
            </a>
          </li>
        ))}
      </ol>
      {answer.unread.length > 0 && <Unread answer={answer} />}
    </aside>
  );
}

function jump(event: Event, item: ItemView): void {
  event.preventDefault();
  const article = document.getElementById(anchor(item));
  article?.scrollIntoView({ block: "start" });
  article?.querySelector<HTMLElement>("[data-stop]")?.focus({ preventScroll: true });
}

function Status({ sign, kind, words }: ReturnType<typeof statusOf>) {
  return (
    <span class={kind} role="img" aria-label={words}>
      {sign}
    </span>
  );
}

function wordsFor(state: State, item: ItemView): string {
  const { kind, words } = statusOf(state, item);
  if (kind === "no" && item.problem && item.problem.sentence.length <= 60) return item.problem.sentence;
  if (kind !== "ok" || item.kind === "command") return words;
  const ids = idsOf(item);
  const left = ids.filter((id) => !takes(state, item, id)).length;
  const [file] = item.files;
  const facts = [
    (file && KINDS[file.kind]) || item.does,
    ids.length > 1 ? counted(ids.length, "hunk") : "",
    left > 0 ? `${left} left out` : "",
    item.files.length > 1 ? counted(item.files.length, "file") : "",
    ...item.tags,
  ];
  return facts.filter(Boolean).join(" · ") || item.action;
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

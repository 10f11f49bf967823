/** The review tab: the list of what an answer does, and the diffs. */
import { useState } from "preact/hooks";
import type { AnswerView, ItemView } from "../protocol.ts";
import { ask } from "./connection.ts";
import { anchor, Item, statusOf } from "./item.tsx";
import { Report } from "./report.tsx";
import { current, idsOf, show, takenFiles, takes, trying } from "./state.ts";
import { Counts, counted, KINDS, Path, sumsOf, timeOf } from "./words.tsx";

export function ReviewTab({ answer }: { answer: AnswerView }) {
  const { report } = current();
  return (
    <main class="review">
      <Aside answer={answer} />
      <section aria-label="Changes">
        {report && <Report report={report} />}
        {answer.refusal && <p class="note">{answer.refusal}</p>}
        {answer.items.map((item) => (
          <Item key={`${answer.key} ${item.position}`} item={item} />
        ))}
      </section>
    </main>
  );
}

function Aside({ answer }: { answer: AnswerView }) {
  const { source, arrived, readAs, ranAt } = answer;
  const { report } = current();
  return (
    <aside aria-label="What the answer does">
      <h1>{answer.title}</h1>
      <p class="dim">
        from {source === "clipboard" ? "the clipboard" : source}, {timeOf(arrived)}
        {readAs && ` · read as ${readAs}`}
      </p>
      {ranAt && !report && (
        <p class="note">This answer ran before, {timeOf(ranAt)}. What it changed then is not made twice.</p>
      )}
      <ol>
        {answer.items.map((item) => (
          <li key={item.position}>
            <a href={`#${anchor(item)}`} onClick={(event) => jump(event, item)}>
              <Status {...statusOf(item)} />
              <span class="what">
                {item.kind === "command" ? (
                  <code>{item.subject}</code>
                ) : (
                  <Path path={item.files[0]?.path ?? item.subject} />
                )}
                <small class={statusOf(item).kind === "no" ? "no" : "dim"}>{wordsFor(item)}</small>
              </span>
              <Counts of={sumsOf(takenFiles(item))} />
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

function wordsFor(item: ItemView): string {
  const { kind, words } = statusOf(item);
  if (kind === "no" && item.problem && item.problem.sentence.length <= 60) return item.problem.sentence;
  if (kind !== "ok" || item.kind === "command") return words;
  const ids = idsOf(item);
  const left = ids.filter((id) => !takes(item, id)).length;
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

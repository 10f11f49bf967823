/** The review tab: the list of what an answer does, and the diffs. */
import { useEffect, useRef } from "preact/hooks";
import type { AnswerView, ItemView, ReportView } from "../protocol.ts";
import { ask } from "./connection.ts";
import { anchor, ItemCard, statusOf } from "./item.tsx";
import { copyAndSay, current, idsOf, say, show, takenFiles, takes, trying } from "./state.ts";
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
          <ItemCard key={`${answer.key} ${item.position}`} item={item} />
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
    ...item.tags.filter((tag) => tag !== "deletes" || file?.kind !== "deleted"),
  ];
  return facts.filter(Boolean).join(" · ") || item.action;
}

function Unread({ answer: { key, unread } }: { answer: AnswerView }) {
  const useAs = async (event: Event & { currentTarget: HTMLFormElement }, line: number): Promise<void> => {
    event.preventDefault();
    const path = String(new FormData(event.currentTarget).get("path"));
    const view = await trying(() => ask("useAs", { key, line, path }));
    if (view) show(view);
  };
  return (
    <div class="note">
      {unread.map(({ line, message, request, fences }) => (
        <div key={`${line} ${message}`}>
          <p>{message}</p>
          {request && <p class="small">{request}</p>}
          {fences?.map((fence) => (
            <form key={fence} onSubmit={(event) => void useAs(event, fence)}>
              <input name="path" required aria-label={`Path for the code in line ${fence}`} placeholder="its path" />
              <button>Use line {fence} as this file</button>
            </form>
          ))}
        </div>
      ))}
    </div>
  );
}

/** What a run did, and its report for the chat. */
function Report({ report }: { report: ReportView }) {
  const { run } = report;
  const box = useRef<HTMLElement>(null);
  // In one column it is below the list.
  useEffect(() => box.current?.scrollIntoView(), []);
  const undo = async (run: number): Promise<void> => {
    const done = await trying(() => ask("reverse", { run, kind: "undo" }));
    if (done) say([done.sentence, ...done.refused.map(({ path, reason }) => `${path}: ${reason}`)].join(". "));
  };
  return (
    <section ref={box} class={report.success ? "report" : "report bad"} aria-label="Report" role="status">
      <h2>
        {report.success ? "✓ Done" : "Done, but not all of it"} · {report.summary}
      </h2>
      <ul>
        {report.rows
          .filter(({ mark }) => mark !== "✅")
          .map(({ label, mark, text }) => (
            <li key={label}>
              <span class={mark === "❌" ? "no" : ""}>{mark === "❌" ? "✗" : "!"}</span> <b>{label}</b> {text}
            </li>
          ))}
      </ul>
      <p>
        <button class="main" onClick={() => void copyAndSay(report.text)}>
          Copy for the chat
        </button>{" "}
        {run !== undefined && <button onClick={() => undo(run)}>Undo this run</button>}
      </p>
      <p class="dim">
        {report.isCopied
          ? "The report is on the clipboard: switch to the chat, and paste it."
          : "The report is not on the clipboard yet."}{" "}
        Copy the next answer, and come back here.
      </p>
      <details>
        <summary>The report, {counted(report.tokens, "token")}</summary>
        <pre tabIndex={0}>{report.text}</pre>
      </details>
    </section>
  );
}

/** The history tab: runs, what each changed, undo and redo with their conflicts shown before. */
import { useEffect, useState } from "preact/hooks";
import type { FileView, PastRunView, ReversalView } from "../protocol.ts";
import { ask } from "./connection.ts";
import { focus } from "./focus.ts";
import { File } from "./hunk.tsx";
import { trying } from "./state.ts";
import { Counts, counted, timeOf } from "./words.tsx";

type Kind = "undo" | "redo";

export function HistoryTab() {
  const [runs, setRuns] = useState<readonly PastRunView[] | undefined>();
  const [chosen, setChosen] = useState<number | undefined>();
  const [outcome, setOutcome] = useState<ReversalView | undefined>();
  const load = async (): Promise<void> => {
    const listed = await trying(() => ask("history", {}));
    setRuns(listed ?? []);
    setChosen((before) => before ?? listed?.[0]?.run);
  };
  useEffect(() => void load(), []);
  const run = runs?.find((past) => past.run === chosen);
  if (runs?.length === 0)
    return (
      <main class="empty">
        <h1>No run has changed anything here yet</h1>
        <p>What you run on the review page, or with the command, is listed here. Each run can be undone alone.</p>
      </main>
    );
  return (
    <main class="review history">
      <aside aria-label="Runs">
        <h1>Runs</h1>
        <ol>
          {runs?.map((past) => (
            <li key={past.run}>
              <button
                class="run"
                data-stop
                aria-current={past.run === chosen ? "true" : undefined}
                onClick={() => {
                  setChosen(past.run);
                  setOutcome(undefined);
                }}
              >
                <span class="dim">{past.run}</span>
                <span class="what">
                  {past.answer ?? past.summary}
                  <small class="dim">
                    {timeOf(past.started)}
                    {past.answer && ` · ${past.summary}`}
                    {past.commit && (
                      <>
                        {" "}
                        · <code>{past.commit.slice(0, 7)}</code>
                      </>
                    )}
                  </small>
                </span>
                {past.state === "done" ? <Counts of={past} /> : <span class="tag">{past.state}</span>}
              </button>
            </li>
          ))}
        </ol>
      </aside>
      <section aria-label="What the run changed">
        {outcome && <Outcome outcome={outcome} />}
        {run && (
          <Past
            key={`${run.run} ${run.state}`}
            run={run}
            onDone={async (done) => {
              setOutcome(done);
              await load();
            }}
          />
        )}
      </section>
    </main>
  );
}

function Outcome({ outcome: { sentence, refused, notices } }: { outcome: ReversalView }) {
  return (
    <div class={refused.length > 0 ? "report bad" : "report"} role="status">
      <h2>{sentence}</h2>
      <ul>
        {refused.map(({ path, reason }) => (
          <li key={path}>
            <code>{path}</code>: {reason}
          </li>
        ))}
        {notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </div>
  );
}

function Past({
  run: { run, state, isStep },
  onDone,
}: {
  run: PastRunView;
  onDone: (done: ReversalView) => Promise<void>;
}) {
  const [files, setFiles] = useState<readonly FileView[] | undefined>();
  const [foreseen, setForeseen] = useState<ReversalView | undefined>();
  const kind: Kind = state === "undone" ? "redo" : "undo";
  useEffect(() => void trying(() => ask("diff", { run })).then(setFiles), [run]);
  const foresee = async (): Promise<void> => setForeseen(await trying(() => ask("foresee", { run, kind })));
  const reverse = async (): Promise<void> => {
    const done = await trying(() => ask("reverse", { run, kind }));
    setForeseen(undefined);
    if (done) await onDone(done);
  };
  return (
    <>
      <div class="head">
        <h2>
          Run {run}
          {state === "undone" && ", undone"}
        </h2>
        <span class="grow" />
        {!isStep && !foreseen && <button onClick={foresee}>{kind === "undo" ? "Undo" : "Redo"} this run…</button>}
      </div>
      {foreseen && (
        <div class="note" role="status">
          <p>
            <b>{foreseen.sentence}</b> It would {kind === "undo" ? "restore" : "change"}{" "}
            {counted(foreseen.restored.length, "path")}.
          </p>
          <ul>
            {foreseen.restored
              .filter(({ how }) => how === "merged")
              .map(({ path }) => (
                <li key={path}>
                  <code>{path}</code>: your later changes in it are kept
                </li>
              ))}
            {foreseen.refused.map(({ path, reason }) => (
              <li key={path}>
                <b>conflict</b> <code>{path}</code>: {reason}; it stays as it is
              </li>
            ))}
          </ul>
          <p>
            <button class="main" ref={focus} onClick={reverse}>
              {kind === "undo" ? "Undo" : "Redo"} it
            </button>{" "}
            <button onClick={() => setForeseen(undefined)}>Cancel</button>
          </p>
        </div>
      )}
      {files?.map((file) => (
        <article key={file.path}>
          <File file={file} />
        </article>
      ))}
    </>
  );
}

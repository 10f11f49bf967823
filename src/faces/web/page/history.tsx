/** The history tab: runs, what each changed, undo and redo with their conflicts shown before. */
import { useEffect, useState } from "preact/hooks";
import type { FileView, PastRunView, ReversalView } from "../protocol.ts";
import { ask } from "./connection.ts";
import { FileChanges } from "./hunk.tsx";
import { trying } from "./state.ts";
import { counted, Counts, focus, timeOf } from "./words.tsx";

export function HistoryTab() {
  const [runs, setRuns] = useState<readonly PastRunView[] | undefined>();
  const [chosen, setChosen] = useState<number | undefined>();
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
                onClick={() => setChosen(past.run)}
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
        {run && <Past key={run.run} run={run} onDone={load} />}
      </section>
    </main>
  );
}

function Past({ run: { run, state, isStep }, onDone }: PastProps) {
  const [files, setFiles] = useState<readonly FileView[] | undefined>();
  const [reversal, setReversal] = useState<ReversalView | undefined>();
  const kind = state === "undone" ? "redo" : "undo";
  const verb = kind === "undo" ? "Undo" : "Redo";
  useEffect(() => void trying(() => ask("diff", { run })).then(setFiles), [run]);
  const act = async (name: "foresee" | "reverse"): Promise<void> => {
    setReversal(await trying(() => ask(name, { run, kind })));
    if (name === "reverse") await onDone();
  };
  return (
    <>
      <div class="head">
        <h2>
          Run {run}
          {state === "undone" && ", undone"}
        </h2>
        <span class="grow" />
        {!isStep && reversal?.isDone !== false && <button onClick={() => act("foresee")}>{verb} this run…</button>}
      </div>
      {reversal && (
        <div class={reversal.refused.length > 0 ? "report bad" : "report"} role="status">
          <Reversal reversal={reversal} />
          {!reversal.isDone && (
            <p>
              <button class="main" ref={focus} onClick={() => act("reverse")}>
                {verb} it
              </button>{" "}
              <button onClick={() => setReversal(undefined)}>Cancel</button>
            </p>
          )}
        </div>
      )}
      {files?.map((file) => (
        <article key={file.path}>
          <FileChanges file={file} />
        </article>
      ))}
    </>
  );
}

/** What an undo or a redo would do, or did. */
function Reversal({ reversal: { sentence, restored, refused, notices } }: { reversal: ReversalView }) {
  return (
    <>
      <h2>
        {sentence} · {counted(restored.length, "path")}
      </h2>
      <ul>
        {restored
          .filter(({ how }) => how === "merged")
          .map(({ path }) => (
            <li key={path}>
              <code>{path}</code>: your later changes in it are kept
            </li>
          ))}
        {refused.map(({ path, reason }) => (
          <li key={path}>
            <b class="no">conflict</b> <code>{path}</code>: {reason}; it stays as it is
          </li>
        ))}
        {notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </>
  );
}

interface PastProps {
  readonly run: PastRunView;
  readonly onDone: () => Promise<void>;
}

/** The bar at the bottom of a review: what would run, and what runs. */
import { useEffect, useState } from "preact/hooks";
import type { AnswerView } from "../protocol.ts";
import { isApplied } from "./item.tsx";
import { current, idsOf, refuseAll, startRun, set, type PageState, stop, takenFiles, takes } from "./state.ts";
import { Counts, counted, sumsOf } from "./words.tsx";

export function Footer({ answer }: { answer: AnswerView }) {
  const { running, report, comments, again } = current();
  if (report) return null;
  if (running) return <Progress running={running} />;
  const taken = answer.items.filter((item) => takes(item));
  const waiting = taken.filter((item) => !isApplied(item));
  const able = waiting.filter(({ problem }) => !problem);
  const failing = waiting.length - able.length;
  const hasApplied = taken.some(({ appliedIn }) => appliedIn !== undefined);
  const edits = able.filter(({ kind }) => kind !== "command");
  const files = edits.flatMap((item) => takenFiles(item));
  const paths = new Set(files.map(({ path }) => path)).size;
  const commands = able.length - edits.length;
  const hunksOff = taken.flatMap((item) => idsOf(item).filter((id) => !takes(item, id))).length;
  const off = answer.items.length - taken.length;
  const facts = [
    paths > 0 ? counted(paths, "file") : "",
    commands > 0 ? counted(commands, "command") : "",
    hunksOff > 0 ? `${counted(hunksOff, "hunk")} left out` : "",
    off > 0 ? `${counted(off, "change")} left out` : "",
    failing > 0 ? `${failing} cannot be made` : "",
    comments.length > 0 ? counted(comments.length, "comment") : "",
  ].filter(Boolean);
  const isReport = able.length === 0;
  return (
    <footer>
      <button class="main" onClick={() => void startRun()}>
        {isReport ? "Only make the report" : `Run ${counted(able.length, "change")}`} <kbd>Enter</kbd>
      </button>
      <button onClick={refuseAll}>{taken.length === 0 ? "Take all" : "Refuse all"}</button>
      {hasApplied && (
        <label>
          <input type="checkbox" checked={again} onChange={() => set({ again: !again })} /> also what was applied before
        </label>
      )}
      <span>
        {facts.join(" · ")} <Counts of={sumsOf(files)} />
      </span>
      <span class="grow" />
      <span class="dim opt">then the report is on the clipboard</span>
    </footer>
  );
}

function Progress({ running: { since, label, line, isStopping } }: { running: NonNullable<PageState["running"]> }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 200);
    return () => clearInterval(timer);
  }, []);
  return (
    <footer>
      <button onClick={stop}>
        {isStopping ? "Stop now" : "Stop"} <kbd>Esc</kbd>
      </button>
      <span class="spin" aria-hidden="true" />
      <span role="timer">
        Running {label} · {((Date.now() - since) / 1_000).toFixed(1)} s
      </span>
      <code class="last">{line}</code>
      {isStopping && <span class="dim">stopping after this action; Stop now ends the running command</span>}
    </footer>
  );
}

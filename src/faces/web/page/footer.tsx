/** The bar at the bottom of a review: what would run, and what runs. */
import { useEffect, useState } from "preact/hooks";
import type { FileView } from "../protocol.ts";
import { hunkKey, refuseAll, run, set, type State, stop } from "./state.ts";
import { Counts, counted } from "./words.tsx";

export function Footer({ state }: { state: State }) {
  const { answer, running, report, off, hunksOff, comments, again } = state;
  if (!answer || report) return null;
  if (running) return <Progress running={running} />;
  const taken = answer.items.filter(({ position }) => !off.has(position));
  const isWaiting = ({ appliedIn }: (typeof taken)[number]) => appliedIn === undefined || again;
  const able = taken.filter((item) => isWaiting(item) && !item.problem);
  const failing = taken.filter((item) => isWaiting(item) && item.problem).length;
  const applied = taken.length - taken.filter(isWaiting).length;
  const edits = able.filter(({ kind }) => kind !== "command");
  const files = edits.flatMap(({ position, files }) =>
    files.map((file) => ({
      ...file,
      hunks: file.hunks.filter(({ id }) => id === undefined || !hunksOff.has(hunkKey(position, id))),
    })),
  );
  const shown = files.map((file) => ({ ...file, ...linesIn(file) }));
  const paths = new Set(files.map(({ path }) => path)).size;
  const commands = able.length - edits.length;
  const left = hunksOff.size;
  const facts = [
    paths > 0 ? counted(paths, "file") : "",
    commands > 0 ? counted(commands, "command") : "",
    left > 0 ? `${counted(left, "hunk")} left out` : "",
    off.size > 0 ? `${counted(off.size, "change")} left out` : "",
    failing > 0 ? `${failing} cannot be made` : "",
    comments.length > 0 ? counted(comments.length, "comment") : "",
  ].filter(Boolean);
  const isReport = able.length === 0;
  return (
    <footer>
      <button class="main" onClick={() => void run()}>
        {isReport ? "Only make the report" : `Run ${counted(able.length, "change")}`} <kbd>Enter</kbd>
      </button>
      <button onClick={refuseAll}>{taken.length === 0 ? "Take all" : "Refuse all"}</button>
      {applied > 0 && (
        <label>
          <input type="checkbox" checked={again} onChange={() => set({ again: !again })} /> also what was applied before
        </label>
      )}
      <span>
        {facts.join(" · ")} <Counts of={shown} />
      </span>
      <span class="grow" />
      <span class="dim opt">then the report is on the clipboard</span>
    </footer>
  );
}

/** Counts the lines of the hunks that are taken. */
function linesIn({ hunks }: FileView): { added: number; removed: number } {
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.sign === sign).length, 0);
  return { added: count("+"), removed: count("-") };
}

function Progress({ running: { since, label, line, isStopping } }: { running: NonNullable<State["running"]> }) {
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

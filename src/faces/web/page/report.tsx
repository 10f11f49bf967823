/** What a run did, and its report for the chat. */
import { useEffect, useRef } from "preact/hooks";
import { ask } from "./connection.ts";
import type { ReportView } from "../protocol.ts";
import { copyAndSay, say, trying } from "./state.ts";
import { counted } from "./words.tsx";

export function Report({ report }: { report: ReportView }) {
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

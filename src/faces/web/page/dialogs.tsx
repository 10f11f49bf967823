/** Dialogs: the questions of a run, and the keys. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Question } from "../protocol.ts";
import { FileChanges } from "./hunk.tsx";
import { answerQuestion, set } from "./state.ts";

/** A dialog that holds the focus until it is answered. */
function Dialog({ label, onCancel, children }: { label: string; onCancel: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
    // Otherwise a button below has the focus, and what is above it is scrolled away.
    box.current?.focus();
    box.current?.scrollTo(0, 0);
  }, []);
  return (
    <dialog
      ref={box}
      tabIndex={-1}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      {children}
    </dialog>
  );
}

export function QuestionDialog({ question: { id, title, body, files, answers } }: { question: Question }) {
  return (
    <Dialog key={id} label={title} onCancel={() => answerQuestion("no")}>
      <h2>{title}</h2>
      {body && <pre tabIndex={0}>{body}</pre>}
      {files.map((file) => (
        <FileChanges key={file.path} file={file} />
      ))}
      <p>
        {answers.map(({ value, label, means }) => (
          <button key={value} onClick={() => answerQuestion(value)} title={means}>
            {label}
            <small class="dim">{means}</small>
          </button>
        ))}
      </p>
    </Dialog>
  );
}

const KEYS: ReadonlyArray<readonly [string, string]> = [
  ["j, k", "next and previous change or hunk"],
  ["Space", "take it, or leave it out"],
  ["↓, ↑", "its lines: Enter comments on one"],
  ["c", "a comment for the chat; on a hunk that is left out, the reason"],
  ["Enter", "run what is taken"],
  ["Esc", "stop the run; leave a comment or a dialog"],
  ["s", "old and new in one column, or side by side"],
  ["x", "refuse everything, or take it again"],
  ["Ctrl V", "show the answer on the clipboard"],
  ["y", "copy the report for the chat again"],
  ["1, 2, 3", "review, history, files"],
  ["/", "search in the files"],
  ["?", "this list"],
];

export function Help() {
  return (
    <Dialog label="Keys" onCancel={() => set({ isHelpOpen: false })}>
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p>
        <button class="main" onClick={() => set({ isHelpOpen: false })}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

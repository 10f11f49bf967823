/** The page: its header and tabs, and the listeners that start with it. */
import { render } from "preact";
import { useEffect, useLayoutEffect, useReducer } from "preact/hooks";
import { Split } from "./code.tsx";
import { ask, keepOpen, type Lost } from "./connection.ts";
import { QuestionDialog, Help } from "./dialogs.tsx";
import { FilesPanel } from "./files.tsx";
import { Footer } from "./footer.tsx";
import { HistoryTab } from "./history.tsx";
import { onKey } from "./keys.ts";
import { ReviewTab } from "./review.tsx";
import { focus } from "./words.tsx";
import {
  copyParts,
  current,
  onChange,
  onEvent,
  onFocus,
  takeClipboard,
  set,
  type PageState,
  type Tab,
  take,
  trying,
} from "./state.ts";

const TABS: ReadonlyArray<readonly [Tab, string]> = [
  ["review", "Review"],
  ["history", "History"],
  ["files", "Files"],
];

function Page() {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // Before anything is asked for: an answer may come before the browser draws.
  useLayoutEffect(() => onChange(() => redraw(undefined as never)), []);
  const state = current();
  const { tab, lost, question, isHelpOpen } = state;
  const shown = state.isPasting ? undefined : state.answer;
  useEffect(() => void (document.title = titleOf(state)));
  if (lost !== undefined && lost !== "retrying") return <Gone lost={lost} />;
  return (
    <Split.Provider value={state.isSplit && innerWidth > 820}>
      <Header state={state} />
      {lost === "retrying" && (
        <p class="banner" role="status">
          The connection to Loaf is gone: trying again…
        </p>
      )}
      {tab === "review" && (shown ? <ReviewTab answer={shown} /> : <Welcome state={state} />)}
      {tab === "history" && <HistoryTab />}
      {tab === "files" && <FilesPanel />}
      {tab === "review" && shown && <Footer answer={shown} />}
      <div class="notice" role="status" aria-live="polite">
        {state.notice}
      </div>
      {question && <QuestionDialog question={question} />}
      {isHelpOpen && <Help />}
    </Split.Provider>
  );
}

function titleOf({ project, running, report }: PageState): string {
  const mark = running ? "… " : report ? (report.success ? "✓ " : "✗ ") : "";
  return `${mark}${project?.name ?? ""} · Loaf`;
}

/** The page without a connection, for good. */
function Gone({ lost }: { lost: Lost }) {
  const [title, next] = typeof lost === "object" ? ["This page cannot be opened", lost.refused] : GONE[lost];
  return (
    <main class="empty">
      <h1>{title}</h1>
      <p>{next}</p>
    </main>
  );
}

const GONE = {
  replaced: [
    "This page is open in another tab",
    "Only one tab at a time shows it, so that nothing runs twice. Close this one.",
  ],
  ended: [
    "Loaf has ended",
    "Start it again in the terminal: loaf review. What has run is in its log, and loaf undo takes it back.",
  ],
} as const;

function Header({ state: { tab, project } }: { state: PageState }) {
  const instructions = async (): Promise<void> => {
    const made = await trying(() => ask("instructions", {}));
    if (made) await copyParts(made, "The instructions are on the clipboard: paste them into the new chat");
  };
  return (
    <header>
      <b>Loaf</b>
      <span class="dim opt">
        {project?.name}
        {project?.branch && (
          <>
            {" "}
            · <code>{project.branch}</code>
          </>
        )}
      </span>
      <nav aria-label="Views">
        {TABS.map(([name, label]) => (
          <button key={name} aria-current={tab === name ? "page" : undefined} onClick={() => set({ tab: name })}>
            {label}
          </button>
        ))}
      </nav>
      <span class="grow" />
      <button aria-label="Instructions for a new chat" onClick={instructions}>
        Instructions<span class="opt"> for a new chat</span>
      </button>
      <button aria-label="Keys" onClick={() => set({ isHelpOpen: true })}>
        <kbd>?</kbd>
      </button>
      <button onClick={() => void takeClipboard(true)}>
        Paste <kbd class="opt">Ctrl V</kbd>
      </button>
    </header>
  );
}

function Welcome({ state: { clipboard, project, isPasting, answer } }: { state: PageState }) {
  const submit = (event: Event & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    void take(String(new FormData(event.currentTarget).get("text")), true);
  };
  return (
    <main class="empty">
      <h1>{isPasting ? "Paste the answer" : "Copy an answer in the chat, and come back here"}</h1>
      <p>
        {clipboard === "granted"
          ? "This page reads the clipboard when you come to it, and shows what the answer would change. Nothing runs before you say so."
          : "Paste it here with Ctrl-V. This page shows what it would change. Nothing runs before you say so."}
        {project && (
          <>
            {" "}
            What you save into <code>{project.input}</code> is shown too.
          </>
        )}
      </p>
      {clipboard === "prompt" && (
        <p>
          <button class="main" onClick={() => void takeClipboard(true)}>
            Read the clipboard when I come here
          </button>
        </p>
      )}
      <form onSubmit={submit}>
        <textarea
          name="text"
          rows={8}
          aria-label="The model's answer"
          placeholder="The model's answer"
          ref={isPasting ? focus : null}
        />
        <p>
          <button class="main">Show what it does</button>{" "}
          {answer && (
            <button type="button" onClick={() => set({ isPasting: false })}>
              Back
            </button>
          )}
        </p>
      </form>
    </main>
  );
}

async function watchPermission(): Promise<void> {
  try {
    const status = await navigator.permissions.query({ name: "clipboard-read" as PermissionName });
    const update = (): void => {
      set({ clipboard: status.state });
      void onFocus();
    };
    status.addEventListener("change", update);
    update();
  } catch {
    // Only some browsers know this permission. In the others, pasting works.
  }
}

addEventListener("keydown", onKey);
addEventListener("focus", () => void onFocus());
document.addEventListener("visibilitychange", () => void onFocus());
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if ((event.target as HTMLElement).matches("textarea, input")) return;
  event.preventDefault();
  void take(text, true);
});
render(<Page />, document.getElementById("page") as HTMLElement);
void watchPermission();
void keepOpen(onEvent, (why) => set({ lost: why ?? "retrying" }));

/** One item of an answer: an edit with its hunks, or a command. */
import { useState } from "preact/hooks";
import type { ItemView, ProblemView, TriedView } from "../protocol.ts";
import { Code, Split } from "./code.tsx";
import { ask } from "./connection.ts";
import { FileChanges, talkAt } from "./hunk.tsx";
import { current, isFixed, keyOfAnswer, set, takenFiles, takes, toggleItem, trying } from "./state.ts";
import { Counts, counted, sumsOf } from "./words.tsx";

export function ItemCard({ item }: { item: ItemView }) {
  const isOff = !takes(item);
  const problem = isApplied(item) ? undefined : item.problem;
  const status = statusOf(item);
  const subject = item.kind === "command" ? `${item.command?.lang ?? ""} command` : item.subject;
  const first = item.files[0];
  return (
    <article id={anchor(item)} class={isOff ? "off" : ""} aria-label={`${item.action} ${subject}`}>
      <h2>
        <input
          type="checkbox"
          data-stop
          checked={!isOff}
          disabled={isFixed()}
          onChange={() => toggleItem(item)}
          aria-label={`Take ${subject}`}
        />
        <span class="name">{item.files.length > 1 ? `${item.files.length} files` : (first?.path ?? subject)}</span>
        <span class="tag">
          {item.label}
          {status.kind !== "ok" && ` · ${status.words}`}
        </span>
        {item.tags.map((tag) => (
          <span class="tag warn" key={tag}>
            {tag === "secret" ? "holds a secret" : tag}
          </span>
        ))}
        <span class="grow" />
        <Counts of={sumsOf(takenFiles(item))} />
      </h2>
      {problem && !isOff && <Problem problem={problem} />}
      {item.remarks.map((remark) => (
        <p class="remark" key={remark}>
          {remark}
        </p>
      ))}
      {item.command && <Command item={item} />}
      {item.files.map((file) => (
        <FileChanges key={file.path} item={item} file={file} />
      ))}
      <WholeComment item={item} />
    </article>
  );
}

/** A comment on a whole item: a command, or one that shows no lines. */
function WholeComment({ item }: { item: ItemView }) {
  const path = item.files[0]?.path ?? item.subject;
  const place = { position: item.position, path, quote: "", line: 0, side: "new" } as const;
  const hasLines = item.command === undefined && item.files.some(({ hunks }) => hunks.length > 0);
  const talk = talkAt(place);
  if (talk || hasLines || isFixed()) return talk;
  return (
    <button class="talk add" onClick={() => set({ composing: place })}>
      {takes(item) ? "Comment, for the chat…" : "Say why, for the chat…"}
    </button>
  );
}

function Problem({ problem: { sentence, hint, sought, closest } }: { problem: ProblemView }) {
  return (
    <div class="why">
      <p>
        <span class="no">Not made: </span>
        {sentence}
      </p>
      {sought && closest ? (
        <Split.Provider value={false}>
          <div class="two">
            <div>
              <h3>The answer looks for</h3>
              <Code lines={sought} />
            </div>
            <div>
              <h3>
                The closest place, {closest.path} line {closest.lines[0]?.new}
              </h3>
              <Code lines={closest.lines} />
            </div>
          </div>
        </Split.Provider>
      ) : (
        <>
          {hint && <p class="dim pre">{hint}</p>}
          {sought && sought.length > 0 && <Code lines={sought} />}
        </>
      )}
    </div>
  );
}

function Command({ item }: { item: ItemView }) {
  const [tried, setTried] = useState<TriedView | "trying" | undefined>();
  const tryIt = async (): Promise<void> => {
    setTried("trying");
    const request = { key: keyOfAnswer(), position: item.position, choice: current().choice };
    setTried(await trying(() => ask("try", request)));
  };
  const { code = "", cwd } = item.command ?? {};
  return (
    <div class="command">
      <pre>{code}</pre>
      <p class="dim">
        {cwd && `in ${cwd} · `}
        {tried === "trying" ? (
          "running on a copy of the project…"
        ) : (
          <button onClick={tryIt}>
            Try it <span class="dim">on a copy</span>
          </button>
        )}
      </p>
      {tried && tried !== "trying" && (
        <div class="tried" role="status">
          {tried.error && <p class="no">{tried.error}</p>}
          {tried.stdout && <pre aria-label="What it wrote">{tried.stdout}</pre>}
          {tried.stderr && (
            <pre aria-label="What it wrote to standard error" class="no">
              {tried.stderr}
            </pre>
          )}
          {!tried.stdout && !tried.stderr && !tried.error && <p class="dim">It printed nothing.</p>}
          <p class="dim">
            {tried.files.length === 0
              ? "It would change no file."
              : `It would change ${counted(tried.files.length, "file")}:`}
          </p>
          {tried.files.map((file) => (
            <FileChanges key={file.path} file={file} />
          ))}
        </div>
      )}
    </div>
  );
}

export function anchor({ position }: ItemView): string {
  return `item-${position}`;
}

/** Whether an earlier run made it, and it is not made again. */
export function isApplied({ appliedIn }: ItemView): boolean {
  return appliedIn !== undefined && !current().again;
}

interface Status {
  readonly sign: string;
  /** Its class in the style. */
  readonly kind: "ok" | "no" | "dim";
  readonly words: string;
}

/** Returns what becomes of an item, or became of it. */
export function statusOf(item: ItemView): Status {
  if (!takes(item)) return { sign: "–", kind: "dim", words: "left out" };
  const mark = current().marks[item.label];
  if (mark === "✗") return { sign: "✗", kind: "no", words: "failed" };
  if (mark !== undefined) return { sign: "✓", kind: "ok", words: "done" };
  if (isApplied(item)) return { sign: "✓", kind: "dim", words: `applied before, by run ${item.appliedIn}` };
  if (item.problem) return { sign: "✗", kind: "no", words: "cannot be made" };
  return item.kind === "command"
    ? { sign: "›", kind: "dim", words: "will run" }
    : { sign: "✓", kind: "ok", words: "will be made" };
}

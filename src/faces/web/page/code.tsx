/** Lines of code: only those near the screen are in the document. */
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { DiffLine, Mark } from "../protocol.ts";

/** Pixels of a row of one line, as in the style. */
const ROW = 20;
/** Rows that come and go together. */
const CHUNK = 80;

/** What follows a line, such as a comment. */
export type After = (line: DiffLine) => ComponentChildren;

export const Split = createContext(false);

interface CodeProps {
  readonly lines: readonly DiffLine[];
  readonly onLine?: ((line: DiffLine) => void) | undefined;
  readonly after?: After;
}

/** Shows lines in one column, or old and new side by side. */
export function Code({ lines, onLine, after }: CodeProps) {
  const isSplit = useContext(Split);
  const rows: ReadonlyArray<readonly [DiffLine | undefined, DiffLine | undefined]> = isSplit
    ? pairs(lines)
    : lines.map((line) => [line, undefined]);
  const showRow = ([line, right]: (typeof rows)[number]) =>
    isSplit ? (
      <div class="row">
        <Cells name="side" line={line} numbers={[line?.old]} onLine={onLine} />
        <Cells name="side" line={right} numbers={[right?.new]} onLine={onLine} />
      </div>
    ) : (
      <Cells name="row" line={line} numbers={[line?.old, line?.new]} onLine={onLine} />
    );
  const parts: ComponentChildren[] = [];
  let from = 0;
  const flush = (to: number): void => {
    for (; from < to; from += CHUNK) {
      const some = rows.slice(from, Math.min(to, from + CHUNK));
      parts.push(<Near rows={some.length} key={from} render={() => some.map(showRow)} />);
    }
    from = to;
  };
  if (after !== undefined)
    for (const [index, row] of rows.entries()) {
      const extra = row.map((line) => (line ? after(line) : null)).filter(Boolean);
      if (extra.length === 0) continue;
      flush(index + 1);
      parts.push(extra);
    }
  flush(rows.length);
  return (
    <div class={isSplit ? "code split" : "code"} role="group" aria-label="Lines">
      {parts}
    </div>
  );
}

/** Puts removed and added lines side by side. */
function pairs(lines: readonly DiffLine[]): Array<[DiffLine | undefined, DiffLine | undefined]> {
  const rows: Array<[DiffLine | undefined, DiffLine | undefined]> = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) rows.push([removed[at], added[at]]);
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.sign === "-") removed.push(line);
    else if (line.sign === "+") added.push(line);
    else {
      flush();
      rows.push([line, line]);
    }
  }
  flush();
  return rows;
}

interface CellsProps {
  readonly name: string;
  readonly line: DiffLine | undefined;
  readonly numbers: ReadonlyArray<number | undefined>;
  readonly onLine: CodeProps["onLine"];
}

/** The cells of a line: its numbers, its sign, which is a button for a comment, and its text. */
function Cells({ name, line, numbers, onLine }: CellsProps) {
  const sign = line && SIGNS[line.sign];
  return (
    <div class={`${name} ${line ? KINDS[line.sign] : "none"}`}>
      {numbers.map((number, index) => (
        <span class="num" key={index}>
          {number}
        </span>
      ))}
      {line && onLine ? (
        <button
          class="sign"
          tabIndex={-1}
          aria-label={`Comment on line ${line.new ?? line.old}`}
          onClick={() => onLine(line)}
        >
          {sign}
        </button>
      ) : (
        <span class="sign">{sign}</span>
      )}
      <span class="text">{line && piecesOf(line)}</span>
    </div>
  );
}

const KINDS = { " ": "", "+": "a", "-": "d" } as const;
const SIGNS = { " ": " ", "+": "+", "-": "−" } as const;

/** Cuts a line where a token or a changed word begins or ends. */
function piecesOf({ text, words = [], tokens = [] }: DiffLine): ComponentChildren {
  if (words.length === 0 && tokens.length === 0) return text;
  const cuts = new Set([0, text.length, ...[...words, ...tokens].flatMap(([start, end]) => [start, end])]);
  const sorted = [...cuts].filter((at) => at <= text.length).sort((first, second) => first - second);
  return sorted.slice(0, -1).map((start, index) => {
    const piece = text.slice(start, sorted[index + 1]);
    const kind = kindAt(tokens, start);
    const shown = kind === undefined ? piece : <span class={`t-${kind}`}>{piece}</span>;
    return kindAt(words, start) === undefined ? shown : <mark>{shown}</mark>;
  });
}

function kindAt(marks: readonly Mark[], at: number): string | undefined {
  return marks.find(([start, end]) => start <= at && at < end)?.[2];
}

/** Renders its rows when they come near the screen, and keeps their room otherwise. */
function Near({ rows, render }: { rows: number; render: () => ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(rows * ROW);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    watched.set(current, (isNear) => {
      // Wrapped lines are taller than a row.
      if (!isNear) height.current = current.offsetHeight;
      setNear(isNear);
    });
    observer.observe(current);
    return () => {
      watched.delete(current);
      observer.unobserve(current);
    };
  }, []);
  return (
    <div ref={box} style={isNear ? undefined : { height: `${height.current}px` }}>
      {isNear && render()}
    </div>
  );
}

const watched = new WeakMap<Element, (isNear: boolean) => void>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
  },
  { rootMargin: "1200px 0px" },
);

/** The files tab: the project's files with their tokens, and what of them goes into the chat. */
import { useEffect, useState } from "preact/hooks";
import type { FilesView, OutlinePart, PartsView } from "../protocol.ts";
import { ask } from "./connection.ts";
import { copyAndSay, copyParts, trying } from "./state.ts";
import { counted, tokensText } from "./words.tsx";

/** Rows that are shown at once. Searching narrows them. */
const MAX_ROWS = 400;

export function FilesPanel() {
  const [view, setView] = useState<FilesView | undefined>();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [query, setQuery] = useState("");
  useEffect(() => {
    const load = async (): Promise<void> => {
      const loaded = await trying(() => ask("files", {}));
      setView(loaded);
      if (loaded && loaded.files.length <= MAX_OPEN)
        setOpen(new Set(loaded.files.flatMap(({ path }) => foldersOf(path))));
    };
    void load();
  }, []);
  if (!view)
    return (
      <main class="empty">
        <p>Reading the project…</p>
      </main>
    );
  const ticked = new Set(view.ticked);
  const tick = async (path: string, on: boolean): Promise<void> => {
    const now = await trying(() => ask("tick", { path, on }));
    if (now) setView({ ...view, ticked: now });
  };
  const toggle = (path: string): void => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = view.files.filter(({ path }) => words.every((word) => path.toLowerCase().includes(word)));
  const rows = rowsOf(matches, words.length > 0 ? undefined : open);
  const chosen = view.files.filter(({ path }) => ticked.has(path) || isInside(path, ticked));
  const total = chosen.reduce((all, { tokens }) => all + tokens, 0);
  return (
    <>
      <main class="files">
        <h1>Files</h1>
        <p>
          <input
            type="search"
            placeholder="Search"
            aria-label="Search files"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />{" "}
          <span class="dim">{counted(matches.length, "file")} that the rules let be read, with their tokens</span>
        </p>
        <ul class="tree" aria-label="Files of the project">
          {rows.slice(0, MAX_ROWS).map((row) => (
            <Entry
              key={row.path}
              row={row}
              isOpen={words.length > 0 || open.has(row.path)}
              ticked={ticked}
              onTick={tick}
              onToggle={toggle}
            />
          ))}
        </ul>
        {rows.length > MAX_ROWS && <p class="dim">{rows.length - MAX_ROWS} more: search for them</p>}
      </main>
      <CopyBar entries={view.ticked.length} tokens={total} limit={view.limit} />
    </>
  );
}

/** With at most so many files, all folders are open at first. */
const MAX_OPEN = 40;

/** Returns the folders around a path, outer before inner. */
function foldersOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(0, -1).map((_, at) => names.slice(0, at + 1).join("/"));
}

/** Whether the project or a folder around a path is ticked. */
function isInside(path: string, ticked: ReadonlySet<string>): boolean {
  return ["", ...foldersOf(path)].some((folder) => ticked.has(folder));
}

interface EntryProps {
  readonly row: Row;
  readonly isOpen: boolean;
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (path: string, on: boolean) => Promise<void>;
  readonly onToggle: (path: string) => void;
}

function Entry({ row: { path, depth, tokens, isFolder }, isOpen, ticked, onTick, onToggle }: EntryProps) {
  const [outline, setOutline] = useState<readonly OutlinePart[] | undefined>();
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isAbove = isInside(path, ticked);
  const parts = [...ticked].filter((entry) => entry.startsWith(`${path}@@`));
  const show = async (): Promise<void> =>
    setOutline(outline ? undefined : ((await trying(() => ask("outline", { path }))) ?? undefined));
  return (
    <li>
      <div class="entry" style={{ paddingLeft: `${depth * 18}px` }}>
        <input
          type="checkbox"
          data-stop
          checked={isAbove || ticked.has(path)}
          disabled={isAbove}
          onChange={(event) => void onTick(path, event.currentTarget.checked)}
          aria-label={`${isFolder ? "Folder" : "File"} ${path}`}
        />
        {isFolder ? (
          <button class="link" aria-expanded={isOpen} onClick={() => onToggle(path)}>
            {isOpen ? "▾" : "▸"} {name}/
          </button>
        ) : (
          <button class="link" aria-expanded={outline !== undefined} onClick={show}>
            {name}
          </button>
        )}
        {parts.length > 0 && <span class="tag">{counted(parts.length, "part")}</span>}
        <span class="grow" />
        <span class="n dim" aria-label={`${tokens} tokens`}>
          {tokensText(tokens)}
        </span>
      </div>
      {outline && (
        <ul class="outline" style={{ marginLeft: `${depth * 18 + 26}px` }}>
          {outline.length === 0 && <li class="dim">It has no parts with an address.</li>}
          {outline.map(({ address, kind, line }) => {
            const whole = address.startsWith("@@") ? path + address : `${path}@@${address}`;
            return (
              <li key={address}>
                <label>
                  <input
                    type="checkbox"
                    checked={ticked.has(whole)}
                    onChange={(event) => void onTick(whole, event.currentTarget.checked)}
                  />{" "}
                  <code>{address}</code>{" "}
                  <span class="dim">
                    {kind}, line {line}
                  </span>
                </label>
              </li>
            );
          })}
        </ul>
      )}
    </li>
  );
}

function CopyBar({ entries, tokens, limit }: { entries: number; tokens: number; limit: number }) {
  const [hasInstructions, setInstructions] = useState(true);
  const [size, setSize] = useState("");
  const [made, setMade] = useState<PartsView | undefined>();
  const make = async (): Promise<void> => {
    const parts = await trying(() =>
      ask("context", { instructions: hasInstructions, ...(size !== "" && { tokens: Number(size) }) }),
    );
    setMade(parts);
    const where = parts && parts.parts.length > 1 ? `Part 1 of ${parts.parts.length} is` : "It is";
    if (parts) await copyParts(parts, `${where} on the clipboard: paste it into the chat`);
  };
  return (
    <footer>
      <button class="main" onClick={make}>
        Copy context
      </button>
      <span>
        {counted(entries, "entry").replace(/entrys$/, "entries")}, about {tokensText(tokens)} tokens
        {size === "" && tokens > limit && `: more than ${tokensText(limit)}, so the rest is outlined`}
      </span>
      <label>
        <input
          type="checkbox"
          checked={hasInstructions}
          onChange={(event) => setInstructions(event.currentTarget.checked)}
        />{" "}
        with the instructions on top
      </label>
      <label>
        in parts of{" "}
        <select value={size} onChange={(event) => setSize(event.currentTarget.value)}>
          <option value="">one</option>
          {[4_000, 8_000, 16_000, 32_000, 64_000].map((limit) => (
            <option key={limit} value={limit}>
              {tokensText(limit)} tokens
            </option>
          ))}
        </select>
      </label>
      {made &&
        made.parts.length > 1 &&
        made.parts.map((part, index) => (
          <button key={index} onClick={() => copyAndSay(part.text, `Part ${index + 1} is on the clipboard`)}>
            Part {index + 1} <small class="dim">{tokensText(part.tokens)}</small>
          </button>
        ))}
    </footer>
  );
}

interface Row {
  readonly path: string;
  readonly depth: number;
  readonly tokens: number;
  readonly isFolder: boolean;
}

/**
 * Returns the rows of a tree, folders before the files beside them.
 *
 * @param open the folders to show the inside of; all of them if undefined
 */
function rowsOf(files: FilesView["files"], open: ReadonlySet<string> | undefined): Row[] {
  const tokensIn = new Map<string, number>();
  for (const { path, tokens } of files)
    for (const folder of foldersOf(path)) tokensIn.set(folder, (tokensIn.get(folder) ?? 0) + tokens);
  // A folder sorts before a file by a character that no name has.
  const keyOf = (path: string): string => path.replace(/[^/]+(?=\/)/g, "\0$&");
  const sorted = files.map((file) => ({ ...file, key: keyOf(file.path) }));
  sorted.sort((left, right) => (left.key < right.key ? -1 : 1));
  const rows = new Map<string, Row>();
  for (const { path, tokens } of sorted) {
    const folders = foldersOf(path);
    const closed = open === undefined ? -1 : folders.findIndex((folder) => !open.has(folder));
    const shown = closed === -1 ? folders : folders.slice(0, closed + 1);
    for (const [depth, folder] of shown.entries())
      rows.set(folder, { path: folder, depth, tokens: tokensIn.get(folder) ?? 0, isFolder: true });
    if (closed === -1) rows.set(path, { path, depth: folders.length, tokens, isFolder: false });
  }
  return [...rows.values()];
}

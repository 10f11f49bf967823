/** The files tab: the project's files with their tokens, and what of them goes into the chat. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { FilesView } from "../protocol.ts";
import { ask } from "./connection.ts";
import { copy, isOnClipboard, say, trying } from "./state.ts";
import { counted, tokensText } from "./words.tsx";

interface Node {
  readonly name: string;
  readonly path: string;
  readonly tokens: number;
  readonly inside: readonly Node[];
  readonly isFolder: boolean;
}

interface Parts {
  readonly parts: ReadonlyArray<{ readonly text: string; readonly tokens: number }>;
  readonly isCopied: boolean;
}

interface Outline {
  readonly address: string;
  readonly kind: string;
  readonly line: number;
}

/** Rows that are shown at once. Searching narrows them. */
const MAX_ROWS = 400;

export function FilesTab() {
  const [view, setView] = useState<FilesView | undefined>();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [query, setQuery] = useState("");
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const loaded = await trying(() => ask("files", {}));
      setView(loaded);
      if (loaded && loaded.files.length <= MAX_OPEN) setOpen(foldersOf(loaded.files));
    };
    void load();
    const onSlash = (event: KeyboardEvent): void => {
      if (event.key !== "/" || (event.target as HTMLElement).matches("input, textarea")) return;
      event.preventDefault();
      search.current?.focus();
    };
    addEventListener("keydown", onSlash);
    return () => removeEventListener("keydown", onSlash);
  }, []);
  if (!view)
    return (
      <main class="empty">
        <p>Reading the project…</p>
      </main>
    );
  const ticked = new Set(view.ticked);
  const tick = async (path: string, on: boolean): Promise<void> => {
    const now = await trying(() => ask("tick", { path: path === "" ? "." : path, on }));
    if (now) setView({ ...view, ticked: now });
  };
  const toggle = (path: string): void => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = view.files.filter(({ path }) => words.every((word) => path.toLowerCase().includes(word)));
  const rows = rowsOf(treeOf(matches), words.length > 0 ? undefined : open);
  const total = view.files.filter(({ path }) => isTicked(path, ticked)).reduce((all, { tokens }) => all + tokens, 0);
  return (
    <>
      <main class="files">
        <h1>Files</h1>
        <p>
          <input
            ref={search}
            type="search"
            placeholder="Search"
            aria-label="Search files"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />{" "}
          <span class="dim">{counted(matches.length, "file")}, as the rules let them be read</span>
        </p>
        <ul class="tree" aria-label="Files of the project">
          {rows.slice(0, MAX_ROWS).map(({ node, depth }) => (
            <Entry
              key={node.path}
              node={node}
              depth={depth}
              isOpen={words.length > 0 || open.has(node.path)}
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

function foldersOf(files: FilesView["files"]): Set<string> {
  return new Set(
    files.flatMap(({ path }) =>
      path
        .split("/")
        .slice(0, -1)
        .map((_, at, names) => names.slice(0, at + 1).join("/")),
    ),
  );
}

function isTicked(path: string, ticked: ReadonlySet<string>): boolean {
  return ticked.has(path) || isInside(path, ticked);
}

/** Whether a folder around a path is ticked. */
function isInside(path: string, ticked: ReadonlySet<string>): boolean {
  if (path !== "" && ticked.has("")) return true;
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    if (ticked.has(path.slice(0, at))) return true;
  return false;
}

interface EntryProps {
  readonly node: Node;
  readonly depth: number;
  readonly isOpen: boolean;
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (path: string, on: boolean) => Promise<void>;
  readonly onToggle: (path: string) => void;
}

function Entry({ node: { name, path, tokens, isFolder }, depth, isOpen, ticked, onTick, onToggle }: EntryProps) {
  const [outline, setOutline] = useState<readonly Outline[] | undefined>();
  const above = isInside(path, ticked);
  const parts = [...ticked].filter((entry) => entry.startsWith(`${path}@@`));
  const show = async (): Promise<void> =>
    setOutline(outline ? undefined : ((await trying(() => ask("outline", { path }))) ?? undefined));
  return (
    <li>
      <div class="entry" style={{ paddingLeft: `${depth * 18}px` }}>
        <input
          type="checkbox"
          data-stop
          checked={above || ticked.has(path)}
          disabled={above}
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
  const [made, setMade] = useState<Parts | undefined>();
  const make = async (): Promise<void> => {
    const parts = await trying(() =>
      ask("context", { instructions: hasInstructions, ...(size !== "" && { tokens: Number(size) }) }),
    );
    setMade(parts);
    if (!parts) return;
    const where = parts.parts.length > 1 ? `Part 1 of ${parts.parts.length} is` : "It is";
    say(
      (await isOnClipboard(parts))
        ? `${where} on the clipboard: paste it into the chat`
        : "The clipboard could not be reached",
    );
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
          <button
            key={index}
            onClick={async () =>
              say(
                (await copy(part.text))
                  ? `Part ${index + 1} is on the clipboard`
                  : "The clipboard could not be reached",
              )
            }
          >
            Part {index + 1} <small class="dim">{tokensText(part.tokens)}</small>
          </button>
        ))}
    </footer>
  );
}

function treeOf(files: FilesView["files"]): readonly Node[] {
  interface Folder {
    readonly path: string;
    readonly folders: Map<string, Folder>;
    readonly files: Node[];
  }
  const root: Folder = { path: "", folders: new Map(), files: [] };
  for (const { path, tokens } of files) {
    const names = path.split("/");
    const base = names.pop() ?? "";
    let at = root;
    for (const name of names) {
      const inner = at.folders.get(name) ?? {
        path: at.path === "" ? name : `${at.path}/${name}`,
        folders: new Map(),
        files: [],
      };
      at.folders.set(name, inner);
      at = inner;
    }
    at.files.push({ name: base, path, tokens, inside: [], isFolder: false });
  }
  const nodes = ({ folders, files }: Folder): Node[] => [
    ...[...folders].map(([name, folder]) => {
      const inside = nodes(folder);
      return {
        name,
        path: folder.path,
        inside,
        isFolder: true,
        tokens: inside.reduce((all, { tokens }) => all + tokens, 0),
      };
    }),
    ...files,
  ];
  return nodes(root);
}

/** @param open the folders to show the inside of; all of them if undefined */
function rowsOf(
  nodes: readonly Node[],
  open: ReadonlySet<string> | undefined,
  depth = 0,
): Array<{ node: Node; depth: number }> {
  return nodes.flatMap((node) => {
    const isShown = node.isFolder && (open === undefined || open.has(node.path));
    return [{ node, depth }, ...(isShown ? rowsOf(node.inside, open, depth + 1) : [])];
  });
}

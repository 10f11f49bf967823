/** `loaf context pick`: chooses the files of the context set at the terminal. */
import { openSync } from "node:fs";
import { resolve } from "node:path";
import { ReadStream, WriteStream } from "node:tty";
import { counted } from "../../core/counted.ts";
import { explain, Failed } from "../../core/failure.ts";
import { once } from "../../core/once.ts";
import { estimateTokens } from "../../report/context.ts";
import { painter } from "../../report/cells.ts";
import type { Loaf } from "../../loaf.ts";
import { onEndSignal } from "../../run/end-signals.ts";
import { complain, isTerminal } from "./output.ts";
import { readKeys } from "./keys.ts";
import { pickerLines, type Picking, press, type FileTree, startPicking, visibleRows } from "./picker.ts";
import { hasTerminal, INPUT, OUTPUT } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Lets the person choose, and changes the set. Returns false if they left it as it was. */
export async function pickContext(loaf: Loaf): Promise<boolean> {
  if (!hasTerminal() || process.env["TERM"] === "dumb")
    throw new UsageError("There is no terminal to choose at: loaf context add PATH adds files by name");
  const source = filesOf(loaf);
  const before = new Set(
    (await loaf.context.list()).map(({ path }) => (path === "." ? "" : path)).filter((path) => source.has(path)),
  );
  const { end, ticked } = await chooseAtTerminal(startPicking(before), source);
  if (end !== "taken") return false;
  const removed = [...before].filter((path) => !ticked.has(path));
  for (const path of removed) loaf.context.remove(resolve(loaf.root, path));
  let added = 0;
  for (const path of ticked) {
    if (before.has(path)) continue;
    try {
      await loaf.context.add(resolve(loaf.root, path));
      added += 1;
    } catch (thrown) {
      if (!(thrown instanceof Failed)) throw thrown;
      complain(explain(thrown.failure));
    }
  }
  const isSame = added + removed.length === 0;
  complain(isSame ? "Left the context set as it was" : `Added ${counted(added, "path")}, removed ${removed.length}`);
  return true;
}

/** Returns the project's files, listed and counted when they are needed. */
function filesOf({ view }: Loaf): FileTree & { has(path: string): boolean } {
  const list = cached((folder) =>
    view
      .entries(folder)
      .filter(({ kind }) => kind !== "link")
      .map(({ name, kind }) => ({ name, isFolder: kind === "directory" })),
  );
  const entry = (path: string) => {
    const at = path.lastIndexOf("/");
    return list(path.slice(0, Math.max(0, at))).find(({ name }) => name === path.slice(at + 1));
  };
  const tokensOf = cached((path): number => {
    if (path !== "" && entry(path)?.isFolder !== true) return estimateTokens(view.read(path) ?? "");
    return list(path).reduce((sum, { name }) => sum + tokensOf(path === "" ? name : `${path}/${name}`), 0);
  });
  return { list, tokensOf, files: once(() => view.files), has: (path) => path === "" || entry(path) !== undefined };
}

function cached<Value>(compute: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>();
  return (path) => {
    const value = known.has(path) ? (known.get(path) as Value) : compute(path);
    known.set(path, value);
    return value;
  };
}

/** On a screen of its own, without wrapping and cursor, and back. */
const [ENTER, LEAVE] = ["\u001b[?1049h\u001b[?7l\u001b[?25l", "\u001b[?25h\u001b[?7h\u001b[?1049l"];

/** Draws on the terminal itself, since standard output may be a file. */
async function chooseAtTerminal(start: Picking, source: FileTree): Promise<Picking> {
  const input = new ReadStream(openSync(INPUT, "r+"));
  const device = isTerminal() ? undefined : openSync(OUTPUT, "r+");
  const output = device === undefined ? process.stdout : new WriteStream(device);
  const paint = painter((process.env["NO_COLOR"] ?? "") === "");
  let state = start;
  // Erasing the rest of a full line would erase its last character.
  const size = () => ({ width: (output.columns || 80) - 1, height: output.rows || 24 });
  const draw = (): void => {
    const lines = pickerLines(state, source, { ...size(), highlight: (text) => paint("inverse", text) });
    output.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join("\r\n")}\u001b[J`);
  };
  return new Promise<Picking>((done) => {
    const end = (): void => {
      offEnd();
      output.off("resize", draw);
      output.write(LEAVE);
      stop();
      input.destroy();
      if (device !== undefined) output.end();
      done(state);
    };
    const leave = (): void => {
      state = { ...state, end: "left" };
      end();
    };
    const offEnd = onEndSignal(leave);
    output.on("resize", draw);
    input.once("error", leave);
    const stop = readKeys(input, (keys) => {
      const page = visibleRows(size().height);
      for (const key of keys) if (state.end === undefined) state = press(state, key, source, page);
      if (state.end === undefined) draw();
      else end();
    });
    output.write(ENTER);
    draw();
  });
}

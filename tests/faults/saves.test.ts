/**
 * An editor saves while Loaf runs what was saved: nothing that was saved is lost, nothing runs twice, and nothing is skipped. LOAF_LONG=yes tries 1,000
 * sequences of saves.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
import { Watcher } from "../../src/faces/watch/watcher.ts";
import { createFolder } from "../support/folder.ts";
import { silentView } from "../unit/faces/watch/silent-view.ts";

const isLong = process.env["LOAF_LONG"] === "yes";
const sequences = Number(process.env["LOAF_SEQUENCES"] ?? (isLong ? 1_000 : 100));
const ways = ["inPlace", "byRename", "withBackup", "deletedFirst", "truncatedFirst", "inHalves"] as const;

let editor: ChildProcess;
beforeAll(() => void (editor = fork(new URL("editor.mjs", import.meta.url))));
afterAll(() => void editor.kill());

test(
  `${sequences} sequences of saves`,
  async () => {
    for (let seed = 1; seed <= sequences; seed++) await playOne(seed);
  },
  sequences * 5_000,
);

/** Each save adds blocks below those before, so that every one of them has to run in the end; now and then the text is a new one. */
async function playOne(seed: number): Promise<void> {
  const random = numbersFrom(seed);
  const root = createFolder();
  const input = join(root, "loaf-input.md");
  const saves: Array<{ text: string; way: (typeof ways)[number]; pause: number }> = [];
  let ids: string[] = [];
  const must: string[] = [];
  for (let number = 0; number < 2 + random(4); number++) {
    const isNew = number > 0 && random(6) === 0;
    const added = Array.from({ length: 1 + random(3) }, (_, index) => `s${number}${index}`);
    ids = isNew ? added : [...ids, ...added];
    const text = ids.map((id) => `Prose of ${id}\n${printBlock(id, { action: "file_append", path: "log", content: `${id}\n` })}\n`).join("\n");
    saves.push({ text, way: ways[random(ways.length)] ?? "inPlace", pause: random(3) * random(12) });
  }
  must.push(...ids);

  const told: string[] = [];
  const open = () => Loaf.create({ repoPath: root, config: { relative_paths: true } });
  const watcher = new Watcher({ open, root, input, output: ".loaf/output.md", debounce: random(2) * 5, view: silentView(told) });
  const running = watcher.run();
  editor.send({ file: input, saves });
  await once(editor, "message");
  const last = saves.at(-1)?.text ?? "";
  const ran = () => (existsSync(join(root, "log")) ? readFileSync(join(root, "log"), "utf8").trim().split("\n") : []);
  const text = () => (existsSync(input) ? readFileSync(input, "utf8") : "");
  const isDone = () => must.every((id) => ran().includes(id)) && text().endsWith(last);
  for (let waited = 0; waited < 8_000 && !isDone(); waited += 10) await setTimeout(10);
  await setTimeout(30);
  watcher.requests.close();
  await running;

  const happened = { seed, saves: saves.map(({ way, pause }) => `${way} ${pause}`), told, files: readdirSync(root) };
  const counts = Object.fromEntries(ran().map((id) => [id, ran().filter((one) => one === id).length]));
  expect({ ...happened, twice: Object.entries(counts).filter(([, count]) => count > 1) }).toEqual({ ...happened, twice: [] });
  expect({ ...happened, skipped: must.filter((id) => !(id in counts)) }).toEqual({ ...happened, skipped: [] });
  const above = text().slice(0, -last.length);
  expect({ ...happened, isKept: text().endsWith(last), above }).toEqual({ ...happened, isKept: true, above: expect.stringMatching(/^(?:=== LOAF RESULTS ===\n(?:.* ✅ .*\n)+=== END ===\n)*$/) });
}

/** The same numbers for the same seed: each from 0 up to, and without, a limit. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

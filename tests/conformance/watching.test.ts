/** The shared data, by a watcher: what is put above the input file, what runs of what is copied, and what the command does. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Loaf } from "../../src/index.ts";
import { PairsOfCopies, watchClipboard } from "../../src/faces/watch/watch-clipboard.ts";
import { conformance } from "../support/conformance.ts";
import { startWatch } from "../support/start-watch.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { watchIn, type Watching } from "../support/watching.ts";

interface WorkflowCase {
  readonly name: string;
  readonly initial: string;
  readonly changed: string;
  readonly prepended: string;
  readonly output?: string;
}

function watchingIn(sandbox: Sandbox): Watching {
  return watchIn(sandbox.root, { open: () => Loaf.create({ repoPath: sandbox.root, config: { "fs-guard": { allowed: [`${sandbox.directory}/**`] } } }) });
}

conformance<WorkflowCase>("listener/workflow", async ({ initial, changed, prepended, output }, sandbox) => {
  writeFileSync(join(sandbox.root, "loaf-input.md"), sandbox.inward(initial));
  const watching = watchingIn(sandbox);
  await watching.quiet();
  expect(sandbox.outward(watching.text())).toBe(initial);
  watching.save(sandbox.inward(changed));
  await watching.ran(1);
  const text = sandbox.outward(watching.text());
  expect(text.startsWith(prepended)).toBe(true);
  expect(text.endsWith(changed)).toBe(true);
  if (output !== undefined) expect(comparable(sandbox.outward(watching.output()))).toBe(output);
});

/** Advice is Loaf's own addition: the data does not know it. */
function comparable(report: string): string {
  return report.split("\n").filter((line) => !/^(hint|warning|note): /.test(line)).join("\n").trim();
}

interface ClipboardCase {
  readonly name: string;
  readonly inputs: ReadonlyArray<{ readonly content: string; readonly delayMs?: number }>;
  readonly outputContains: string | null;
}

/** The clock goes on only while somebody sleeps, so that a case takes no time. */
conformance<ClipboardCase>("listener/clipboard", async ({ inputs, outputContains }, sandbox) => {
  writeFileSync(join(sandbox.root, "loaf-input.md"), "");
  const watching = watchingIn(sandbox);
  await watching.quiet();
  let now = 0;
  let at = 0;
  // Every copy is looked at once, when it is made.
  const copies = inputs.map(({ content, delayMs = 0 }) => ({ content: sandbox.inward(content), from: (at += delayMs) - delayMs }));
  const over = new AbortController();
  const texts: string[] = ["what was there before", ...copies.map(({ content }) => content)];
  let next = 0;
  await watchClipboard(
    {
      gesture: new PairsOfCopies(),
      read: async () => {
        const text = texts[next] ?? "";
        now = next === 0 ? 0 : (copies[next - 1]?.from ?? now);
        next += 1;
        if (next === texts.length) over.abort();
        return text;
      },
      sleep: async () => {},
      now: () => now,
      onText: (text) => watching.watcher.requests.add({ kind: "text", text }),
      tell: (sentence) => watching.told.push(sentence),
      lastCopied: () => undefined,
    },
    over.signal,
  );
  if (outputContains !== null) await watching.ran(1);
  await watching.quiet();
  const text = sandbox.outward(watching.text());
  if (outputContains === null) expect(text).toBe("");
  else expect(text).toContain(outputContains);
  expect(watching.told).toEqual([]);
});

interface EntryCase {
  readonly name: string;
  readonly config: string;
  readonly input: string;
  readonly output: string;
}

conformance<EntryCase>("cli/entry", async ({ config, input, output }, sandbox) => {
  const { root, directory } = sandbox;
  const own = `version: 1\nallowed-actions: [file_write, file_read, exec]\nfs-guard: {allowed: ["${directory}/**"]}\nwatch: {input: input.md}\n${sandbox.inward(config)}`;
  writeFileSync(join(root, "loaf.yml"), own);
  writeFileSync(join(root, "input.md"), sandbox.inward(input));
  const watch = await startWatch(root, { trust: true });
  const file = join(root, ".loaf/output.md");
  await watch.until(() => existsSync(file));
  expect(sandbox.outward(readFileSync(file, "utf8")).trim()).toBe(output);
  expect(await watch.end("SIGTERM")).toBe(0);
});

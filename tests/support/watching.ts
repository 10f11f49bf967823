/** Watches a project's input file within a test. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Config } from "../../src/config/schema.ts";
import { Loaf } from "../../src/index.ts";
import { type WatchedRun, Watcher } from "../../src/faces/watch/watcher.ts";
import { silentView } from "../unit/faces/watch/silent-view.ts";

export interface Watching {
  readonly watcher: Watcher;
  readonly input: string;
  readonly runs: WatchedRun[];
  readonly told: string[];
  save(text: string): void;
  text(): string;
  output(): string;
  /** Waits until so many runs have ended in all. */
  ran(count: number): Promise<WatchedRun>;
  /** Waits until all that is known is dealt with. */
  quiet(): Promise<void>;
  /** Ends it, as quitting does. */
  end(): Promise<void>;
}

interface Circumstances {
  readonly config?: Config;
  readonly open?: () => Promise<Loaf | undefined>;
  readonly again?: boolean;
  readonly debounce?: number;
  readonly confirmCopied?: (text: string) => Promise<boolean>;
}

export function watchIn(root: string, { config = { relative_paths: true }, open = () => Loaf.create({ repoPath: root, config }), again = false, debounce = 5, confirmCopied }: Circumstances = {}): Watching {
  const [runs, told]: [WatchedRun[], string[]] = [[], []];
  const input = join(root, "loaf-input.md");
  const watcher = new Watcher({ open, root, input, output: ".loaf/output.md", debounce, again, confirmCopied, view: silentView(told, runs) });
  const running = watcher.run();
  const end = async (): Promise<void> => {
    watcher.requests.close();
    await running;
  };
  onTestFinished(end);
  return {
    watcher,
    input,
    runs,
    told,
    end,
    save: (text) => writeFileSync(input, text),
    text: () => readFileSync(input, "utf8"),
    output: () => readFileSync(join(root, ".loaf/output.md"), "utf8"),
    async ran(count) {
      for (let waited = 0; runs.length < count; waited += 5) {
        if (waited > 10_000) throw new Error(`${runs.length} runs instead of ${count}; told: ${told.join("; ")}`);
        await setTimeout(5);
      }
      return runs[count - 1] as WatchedRun;
    },
    // The system tells of changes after a moment; then it is this one's turn.
    async quiet() {
      await setTimeout(100);
      await new Promise<void>((done) => watcher.requests.add({ kind: "act", act: async () => done() }));
    },
  };
}

/** The moments of a day whose screens docs/screens.md shows. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { processesWith } from "../../support/processes.ts";
import type { Stage } from "./stage.ts";

export interface Moment {
  readonly title: string;
  /** What happens, for the reader. */
  readonly about: string;
  /** Path to content, without those of every project. */
  readonly files?: Readonly<Record<string, string>>;
  readonly copied?: string;
  readonly needsSandbox?: boolean;
  readonly play: (stage: Stage) => Promise<void>;
}

/** Those of every project. */
export const PROJECT = {
  "README.md": "# Bakery\n\nOrders for a small bakery.\n",
  "src/cart.js": `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}

export function isEmpty(items) {
  return items.length === 0;
}
`,
  "src/price.js": 'export const currency = "EUR";\n\nexport function show(cents) {\n  return `${(cents / 100).toFixed(2)} ${currency}`;\n}\n',
  "src/old-price.js": "export const show = String;\n",
};

const edit = (id: string, path: string, from: string, to: string) => printBlock(id, { action: "file_replace_text", path, old_text: from, new_text: to });
const countItems = edit("k7m", "src/cart.js", "    sum += item.price;", "    sum += item.price * item.count;");
const write = (id: string, path: string, content: string) => printBlock(id, { action: "file_write", path, content });
const exec = (id: string, code: string) => printBlock(id, { action: "exec", lang: "bash", code });
const answer = (...blocks: readonly string[]): string => `Here is the change.\n\n${blocks.join("\n\n")}\n`;

const test = write("p2x", "test/cart.test.js", 'import { total } from "../src/cart.js";\n\nif (total([{ price: 250, count: 2 }]) !== 500) throw new Error("wrong total");\n');

export const moments: readonly Moment[] = [
  {
    title: "First run",
    about: "A project that has never seen Loaf. `loaf` alone says what to do; then an answer runs.",
    files: { "answer.md": answer(countItems, test) },
    async play({ run, ends, captures }) {
      await run("loaf");
      await ends();
      await run("loaf run answer.md");
      await ends();
      captures();
    },
  },
  {
    title: "Failed edit",
    about: "Of four blocks one lands: one misquotes the file, one names a file that does not exist, one names an action that does not exist.",
    files: {
      "answer.md": answer(
        countItems,
        edit("q4d", "src/price.js", "export function show(cents) {\n  return `${cents / 100} ${currency}`;\n}", "export function show(cents) {\n  return `${currency} ${cents / 100}`;\n}"),
        edit("w8n", "src/basket.js", "items.length === 0", "!items.length"),
        printBlock("r5t", { action: "file_erase", path: "src/old-price.js" }),
      ),
    },
    async play({ run, ends, captures }) {
      await run("loaf run answer.md");
      await ends();
      captures();
    },
  },
  {
    title: "Ask",
    about: "`--ask` shows each change before it is made. The answers: what the keys mean, yes, and no.",
    files: { "answer.md": answer(countItems, edit("t3v", "src/price.js", "toFixed(2)", "toFixed(0)")) },
    async play({ run, asks, answer, ends, captures }) {
      await run("loaf run --ask answer.md");
      await asks();
      await answer("?");
      await asks();
      await answer("y");
      await asks();
      await answer("n");
      await ends();
      captures();
    },
  },
  {
    title: "Delete asked",
    about: "`A` agrees to all further edits of a kind, but a file is never deleted without a question of its own.",
    files: { "answer.md": answer(countItems, edit("t3v", "src/price.js", "toFixed(2)", "toFixed(0)"), printBlock("d9k", { action: "file_delete", path: "src/old-price.js" })) },
    async play({ run, asks, answer, ends, captures }) {
      await run("loaf run --ask answer.md");
      await asks();
      await answer("A");
      await asks();
      await answer("y");
      await ends();
      captures();
    },
  },
  {
    title: "Long command",
    about: "A command that takes its time shows how long it has run, and its last line of output. Ctrl-C twice kills it; the report is still written.",
    needsSandbox: true,
    files: { "answer.md": answer(countItems, exec("x6c", 'echo "running 214 tests"\ntail -n 0 -f "$PWD/README.md"'), test) },
    async play({ root, isLive, run, waits, shows, keys, ends, captures }) {
      await run("loaf run answer.md");
      await waits(() => processesWith(`-f\0${root}/README.md`).length > 0);
      if (isLive) {
        await shows(/ [1-9]\d* s {2}running 214 tests$/);
        captures();
      } else await setTimeout(1_000);
      keys("C-c");
      await shows(/Ctrl-C again kills a running command/);
      keys("C-c");
      await ends();
      captures();
    },
  },
  {
    title: "Watch idle",
    about: "`loaf watch` waits for an answer. `h` explains the keys, and `/` begins a command.",
    async play({ isLive, isPiped, run, shows, keys, ends, captures }) {
      await run("loaf watch");
      await shows(isPiped ? /reports are in .*output\.md$/ : /q quit$/);
      if (!isPiped) {
        captures();
        keys("h");
        await shows(isLive ? /like\s+the\s+commands\n.*q quit$/ : /like\s+the\s+commands$/);
      }
      if (isLive) {
        keys("/und");
        await shows(/\n\/und$/);
      }
      captures();
      if (isLive) {
        keys("Escape");
        await shows(/q quit$/);
      }
      keys(isPiped ? "C-c" : "q");
      await ends();
    },
  },
  {
    title: "Watch run",
    about: "Two answers are saved: one fails, the corrected one lands. `u` takes it back.",
    async play({ root, isLive, isPiped, run, shows, keys, ends, captures }) {
      const save = (text: string): void => writeFileSync(join(root, "loaf-input.md"), text);
      const idle = isLive ? "\\n.*q quit$" : "$";
      await run("loaf watch");
      await shows(isPiped ? /reports are in .*output\.md$/ : /q quit$/);
      save(answer(edit("k7m", "src/cart.js", "sum += product.price;", "sum += product.price * product.count;")));
      await shows(new RegExp(`1 refused.*${idle}`));
      save(answer(countItems, test));
      await shows(new RegExp(`2 files, .*takes it back${idle}`));
      if (!isPiped) {
        keys("u");
        await shows(isLive ? /Undone: [^]*q quit$/ : /Undone: [^]*is back at\s\w{10}$/);
      }
      captures();
      keys(isPiped ? "C-c" : "q");
      await ends();
    },
  },
  {
    title: "Undo with merge",
    about: "Between the run and `loaf undo` the user has changed the same files: elsewhere in one, in the same line of the other.",
    files: { "answer.md": answer(countItems, edit("t3v", "src/price.js", "toFixed(2)", "toFixed(0)")) },
    async play({ root, run, ends, captures }) {
      await run("loaf run answer.md");
      await ends();
      const change = (path: keyof typeof PROJECT, ...changes: ReadonlyArray<readonly [string, string]>) => writeFileSync(join(root, path), changes.reduce((text, [from, to]) => text.replace(from, to), PROJECT[path]));
      change("src/cart.js", ["item.price;", "item.price * item.count;"], ["items.length === 0", "items.length < 1"]);
      change("src/price.js", ["toFixed(2)", "toFixed(1)"]);
      await run("loaf undo");
      await ends();
      await run("loaf log");
      await ends();
      captures();
    },
  },
  {
    title: "Trust",
    about: "A cloned project's loaf.yml asks for more than the defaults. Until it is trusted it does not get that.",
    files: { "loaf.yml": "relative_paths: true\ngit: {push: true}\nhooks:\n  after: [{run: npm run format}]\n", "answer.md": answer(countItems) },
    async play({ run, asks, answer, ends, captures }) {
      await run("loaf run answer.md");
      await ends();
      await run("loaf trust");
      await asks();
      await answer("y");
      await ends();
      captures();
    },
  },
  {
    title: "Init",
    about: "Three questions, whose defaults are good.",
    async play({ isPiped, run, shows, keys, answer, ends, captures }) {
      await run("loaf init");
      if (!isPiped) {
        await shows(/commit each run[^]*\[Y\/n\]$/);
        keys("Enter");
        await shows(/differ from the file[^]*\[Y\/n\]$/);
        keys("Enter");
        await shows(/clipboard[^]*\[y\/N\]$/);
        await answer("y");
      }
      await ends();
      captures();
    },
  },
  {
    title: "Doctor",
    about: "What works on this machine, and how to mend the rest.",
    needsSandbox: true,
    async play({ run, ends, captures }) {
      await run("loaf doctor");
      await ends();
      captures();
    },
  },
  {
    title: "Paste",
    about: "The answer on the clipboard: shown, asked about, run, and the report put in its place. The same answer pasted once more is recognised.",
    copied: answer(countItems),
    async play({ run, asks, answer: type, ends, copy, captures }) {
      await run("loaf paste");
      await asks();
      await type("y");
      await ends();
      copy(answer(countItems));
      await run("loaf paste");
      await asks();
      await type("n");
      await ends();
      captures();
    },
  },
];

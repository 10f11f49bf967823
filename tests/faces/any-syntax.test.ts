/** The same job in each syntax leaves the same tree, through each way in which an answer is handed over. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Loaf, type LoafOptions } from "../../src/index.ts";
import type { Format } from "../../src/syntaxes/index.ts";
import { atTerminal, hasPseudoTerminal } from "../support/at-terminal.ts";
import { doneSources, exampleProject, examples, sources, sourcesIn } from "../support/examples.ts";
import { fakeClipboard } from "../support/fake-clipboard.ts";
import { createFolder } from "../support/folder.ts";
import { createRepository } from "../support/repository.ts";
import { runLoaf } from "../support/run-loaf.ts";
import { watchIn } from "../support/watching.ts";

// On a busy machine each process takes seconds.
vi.setConfig({ testTimeout: 60_000 });

interface Given {
  readonly root: string;
  readonly answer: string;
  readonly format: Format;
}

const open = (root: string, options: LoafOptions = {}): Promise<Loaf> => Loaf.create({ repoPath: root, ...options });

async function* pieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 97) yield text.slice(at, at + 97);
}

/** Each does the job in the project. */
const WAYS: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  "the library, with the format": async ({ root, answer, format }) => (await open(root)).execute(answer, { format }),
  "a stream": async ({ root, answer }) => (await open(root)).execute(pieces(answer)),
  "a stream with the format": async ({ root, answer, format }) => (await open(root)).execute(pieces(answer), { format }),
  "a preview, of which all is chosen": async ({ root, answer }) => {
    const loaf = await open(root);
    const only = new Set<number>();
    for await (const { position, result } of loaf.preview(answer)) if (result?.success === true) only.add(position);
    expect(sourcesIn(root)).toEqual(sources);
    await loaf.execute(answer, { only });
  },
  "undo and redo": async ({ root, answer }) => {
    const loaf = await open(root);
    await loaf.execute(answer);
    await loaf.undo();
    expect(sourcesIn(root)).toEqual(sources);
    await loaf.redo();
  },
  "watch": async ({ root, answer }) => {
    const watching = watchIn(root, { open: () => open(root) });
    watching.save(answer);
    await watching.ran(1);
  },
  "loaf run, and --json": async ({ root, answer }) => {
    const { code, stdout } = await runLoaf(["run", "-", "--json", "--yes"], { cwd: root, input: answer });
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ success: true, parseErrors: [] })]);
  },
  "loaf run --paste, and --copy": async ({ root, answer }) => {
    const { env, text } = fakeClipboard(answer);
    expect((await runLoaf(["run", "--paste", "--copy", "--yes"], { cwd: root, env })).code).toBe(0);
    expect(text()).toMatch(/(?:✅|SUCCESS).*src\/money\.js/);
  },
};

describe.each(Object.entries(WAYS))("%s", (_, run) => {
  test.each(examples)("$format", async ({ format, answer }) => {
    const root = createFolder(exampleProject);
    await run({ root, answer, format });
    expect(sourcesIn(root)).toEqual(doneSources);
  });
});

describe.skipIf(!hasPseudoTerminal)("loaf run --ask", () => {
  test.each(examples)("$format", async ({ answer }) => {
    const root = createFolder({ ...exampleProject, "answer.md": answer });
    const { code, screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["y\n", "y\n", "y\n"] });
    expect([code, sourcesIn(root)]).toEqual([0, doneSources]);
    expect(screen).toContain("+import { formatMoney }");
  });
});

describe("what only looks", () => {
  test.each(examples)("loaf run --dry-run shows the diff and changes nothing: $format", async ({ answer }) => {
    const root = createFolder(exampleProject);
    const { code, stdout } = await runLoaf(["run", "-", "--dry-run"], { cwd: root, input: answer });
    expect([code, sourcesIn(root)]).toEqual([0, sources]);
    expect(stdout).toContain('+import { formatMoney } from "./money.js";\n');
    expect(stdout).toContain("-  return [...rows, `Total: ${calcTotal(lines) / 100} EUR`]");
  });

  test.each(examples)("loaf parse names both files: $format", async ({ answer }) => {
    const root = createFolder(exampleProject);
    writeFileSync(join(root, "answer.md"), answer);
    const { code, stdout } = await runLoaf(["parse", "answer.md"], { cwd: root });
    expect([code, [...new Set(stdout.match(/^  path = .*$/gm))]]).toEqual([0, ['  path = "src/money.js"', '  path = "src/order.js"']]);
  });

  test.each(examples)("questions, all answered no, change nothing: $format", async ({ answer }) => {
    const root = createFolder(exampleProject);
    await (await open(root, { approveEach: true, approve: () => "no" })).execute(answer);
    expect(sourcesIn(root)).toEqual(sources);
  });
});

test.each(examples)("a run in a repository commits both files: $format", async ({ answer }) => {
  const { root, git } = createRepository(exampleProject);
  await (await open(root)).execute(answer);
  expect(git("show", "--name-only", "--format=")).toBe("src/money.js\nsrc/order.js");
  expect(git("log", "-1", "--format=%s")).toMatch(/^AI: .*(?:2 files|money\.js)/);
});

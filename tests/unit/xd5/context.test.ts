import { expect, test } from "vitest";
import { graphMermaid, graphOf, graphText, readProject } from "../../../src/xd5/component.ts";
import { contextOf } from "../../../src/xd5/context.ts";
import { viewOf, whole } from "./sample.ts";

async function contextFor(path: string) {
  const project = await readProject(viewOf(whole));
  const component = project.components.get(path);
  if (component === undefined) throw new Error(`${path} is no component`);
  return contextOf(component, project);
}

test("includes a component's documents, sources, tests, test data and used interfaces", async () => {
  const pieces = await contextFor("comp/store");
  expect(pieces.map(({ path }) => path)).toEqual([
    "comp/store/doc/ABSTRACT.md",
    "comp/store/doc/API.md",
    "comp/store/doc/ARCH.md",
    "comp/store/src/index.ts",
    "comp/store/src/store.ts",
    "comp/store/src/types.ts",
    "comp/store/test/store.test.ts",
    "comp/store/test-data/one.json",
    "comp/log/doc/API.md",
  ]);
  expect(pieces.at(-1)?.text).toBe('### log(text: string, level?: Level)\n\nWrites a line.\n\n### Level\n\nHow loud: `"low"` or `"high"`.');
});

test("includes tests in folders of their own kind", async () => {
  const files = { ...whole, "comp/store/test-unit/a.test.ts": "a", "comp/store/test-intn/b.test.ts": "b" };
  const project = await readProject(viewOf(files));
  const component = project.components.get("comp/store");
  const paths = component === undefined ? [] : contextOf(component, project).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["comp/store/test-unit/a.test.ts", "comp/store/test-intn/b.test.ts"]));
});

test("follows types through interfaces, also into components that are no direct dependencies", async () => {
  const pieces = await contextFor("comp/app");
  expect(pieces.map(({ path }) => path)).toEqual(["comp/app/ABSTRACT.md", "comp/app/doc/API.md", "comp/app/src/main.ts", "comp/log/doc/API.md", "comp/store/doc/API.md"]);
  const [log, store] = pieces.slice(-2).map(({ text }) => text);
  expect(store).toBe(
    "### `load(key: Key): Promise<Entry>`\n\nReads an entry. Throws `StoreError`.\n\n" +
      "```ts\nexport interface Entry {\n  key: Key;\n  level: Level;\n}\n```\n\n```ts\nexport type Key = string;\n```\n\nStoreError: not documented",
  );
  expect(log).toContain("### Level");
  expect(log).not.toContain("### Unused");
});

test("excludes a nested component", async () => {
  expect((await contextFor("comp/app")).map(({ path }) => path).filter((path) => path.includes("part"))).toEqual([]);
});

test("does not depend on the order of files", async () => {
  const backwards = Object.fromEntries(Object.entries(whole).toReversed());
  const project = await readProject({ files: Object.keys(backwards).sort(), read: (file) => backwards[file] });
  expect(contextOf(project.components.get("comp/app") as never, project)).toEqual(await contextFor("comp/app"));
});

test("the graph lists dependencies between components", async () => {
  const graph = graphOf(await readProject(viewOf(whole)));
  expect(graphText(graph)).toBe(`comp/app
  → comp/store: load, Entry
  → comp/log: log
  → comp/gone: anything [PLANNED]
comp/app/comp/part
comp/log
comp/store
  → comp/log: log, Level
  → node:fs/promises: readFile, writeFile
  → external/zod: *`);
  expect(graphMermaid(graph)).toBe(`graph LR
  c0["comp/app"]
  c1["comp/app/comp/part"]
  c2["comp/log"]
  c3["comp/store"]
  c0 --> c3
  c0 --> c2
  c3 --> c2`);
});

/** The replacer's data: the tree that a text leaves, and which of its blocks succeed. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { Loaf } from "../../src/index.ts";
import { conformance } from "../support/conformance.ts";

interface ReplacerCase {
  readonly name: string;
  readonly input: string;
  readonly files: Readonly<Record<string, string>>;
  readonly expected: { readonly results: readonly string[]; readonly files: Readonly<Record<string, string>> };
}

conformance<ReplacerCase>("replacer", async ({ input, files, expected }, { root }) => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const loaf = await Loaf.create({ repoPath: root });
  const { results } = await loaf.execute(input);
  expect(filesBelow(root)).toEqual(expected.files);
  const succeeded = expected.results.flatMap((line) => /^SUCCESS Block (\d+):/.exec(line)?.[1] ?? []);
  expect(results.filter(({ success }) => success).map(({ blockId }) => blockId)).toEqual(succeeded.map((number) => `block-${number}`));
});

function filesBelow(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => statSync(join(root, path)).isFile());
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

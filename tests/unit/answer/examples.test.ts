/** The example of each syntax does the same job, for the project beside it. `tests/faces/any-syntax.test.ts` runs them through each face. */
import { expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { syntaxNamed } from "../../../src/syntaxes/index.ts";
import { createFolder } from "../../support/folder.ts";
import { doneSources, exampleProject, examples, sources, sourcesIn } from "../../support/examples.ts";

test.each(examples)("the answer in $format leaves the same tree as the others, and undo brings the old one back", async ({ format, answer }) => {
  const root = createFolder(exampleProject);
  const loaf = await Loaf.create({ repoPath: root });
  const { parseErrors, findings, readAs, results } = await loaf.execute(answer);
  expect({ parseErrors, findings, failed: results.filter(({ success }) => !success) }).toEqual({ parseErrors: [], findings: undefined, failed: [] });
  expect(readAs === undefined).toBe(syntaxNamed(format).isForeign !== true);
  expect(sourcesIn(root)).toEqual(doneSources);
  await loaf.undo();
  expect(sourcesIn(root)).toEqual(sources);
});

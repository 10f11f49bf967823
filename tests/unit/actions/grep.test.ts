/** Cases that are too long for a case document. */
import { expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";

test.each([
  [1_000, undefined],
  [1_002, ["2 more matches are left out: narrow the pattern, the path or include"]],
])("of %i matches, grep returns the first 1,000 and counts the rest", async (count, warnings) => {
  const root = createFolder({ "a.txt": "port\n".repeat(count) });
  const loaf = await Loaf.create({ repoPath: root });
  const { results } = await loaf.execute(printBlock("gr1", { action: "grep", pattern: "port", path: root }));
  const [{ data, ...result } = { data: [] }] = results;
  expect(data).toHaveLength(1_000);
  expect(result).toMatchObject({ success: true, ...(warnings && { warnings }) });
  expect("warnings" in result).toBe(warnings !== undefined);
});

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeCopyView } from "../../src/programs/view/copy.ts";
import { createFolder } from "../support/folder.ts";
import { SECRET, startSwapping, textsIn } from "./swapping.ts";

const ROUNDS = process.env["LOAF_LONG"] === "yes" ? 100_000 : 3_000;

test.each(["directory", "leaf"] as const)("105: a copy view, while a %s is swapped for a link that leads outside, never holds what is there", { timeout: 3_600_000 }, async (swap) => {
  const directory = createFolder();
  const project = join(directory, "project");
  mkdirSync(project);
  const swapping = await startSwapping(swap, project, directory);
  let [copied, escapes] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const layer = join(directory, "layer");
    mkdirSync(layer);
    const closed = { files: [], directories: [], repositories: [] };
    await makeCopyView({ project, layer, closed, maker: "copy", mostBytes: 1_000_000 }).then(() => copied++, () => {});
    const texts = existsSync(join(layer, "copy")) ? textsIn(join(layer, "copy")) : [];
    if (texts.includes(SECRET)) escapes++;
    rmSync(layer, { recursive: true });
  }
  expect(await swapping.stop(), "swaps").toBeGreaterThan(ROUNDS / 10);
  expect(escapes).toBe(0);
  expect(copied, "copies").toBeGreaterThan(ROUNDS / 1_000);
});

import { join } from "node:path";
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { block } from "../support/hostile.ts";
import { hasSandbox } from "../support/programs.ts";
import { createRepository } from "../support/repository.ts";

const ABOVE = 100 * 2 ** 20 + 1;

test.skipIf(!hasSandbox)("a file above 100 MiB that a command leaves lands, is not committed and is named; the rest is committed", { timeout: 60_000 }, async () => {
  const { root, git } = createRepository({ "a.txt": "a\n" });
  const loaf = await Loaf.create({ repoPath: root, config: { git: { commit: true } } });
  const made = await loaf.execute(block({ action: "exec", lang: "bash", code: `head -c ${ABOVE} /dev/zero > big.bin; head -c ${ABOVE - 1} /dev/zero > most.bin; echo b >> a.txt` }));
  expect(made.results).toMatchObject([{ success: true, data: { changed: [{ path: "a.txt" }, { path: "big.bin" }, { path: "most.bin" }] } }]);
  expect(made.notices?.join("\n")).toMatch(/big\.bin.*Loaf commits no files above 100 MiB/);
  expect(made.notices?.join("\n")).not.toContain("most.bin");
  expect(git("show", "--name-only", "--format=", "HEAD").trim().split("\n")).toEqual(["a.txt", "most.bin"]);
  expect(git("status", "--porcelain")).toBe("?? big.bin");
  expect(statSync(join(root, "big.bin")).size).toBe(ABOVE);
});

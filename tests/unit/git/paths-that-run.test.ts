/** What of the project runs by itself: folders on PATH, and what git's hooks lead to. The numbers are those of docs/security-cases.md. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { createRepository } from "../../support/repository.ts";
import { open, prepare, write } from "./running.ts";

beforeEach(prepare);

const codes = async (root: string, ...paths: string[]) =>
  (await (await open({ root })).execute(paths.map((path) => write(path, "x")).join("\n"))).results.map(({ code }) => code);

test("111: no program is planted in a folder of the project on PATH, whether it exists or not", async () => {
  const { root } = createRepository({ "a.txt": "a" });
  mkdirSync(join(root, "tools"));
  vi.stubEnv("PATH", `${join(root, "tools")}:./scripts:${join(root, "later/bin")}:${process.env["PATH"]}`);
  expect(await codes(root, "tools/git", "scripts/x", "later/bin/x", "later/x", ".venv/bin/x", "node_modules/.bin/x", "bin/x")).toEqual(
    ["guard/denied", "guard/denied", "guard/denied", undefined, "guard/denied", "guard/denied", undefined],
  );
});

test("96: what a link in .git/hooks leads to is not written, and neither is a folder that takes the hooks' place", async () => {
  const { root, git } = createRepository({ "tools/check.sh": "x", "a.txt": "a" });
  symlinkSync("../../tools/check.sh", join(root, ".git/hooks/pre-commit"));
  expect(await codes(root, "tools/check.sh", "tools/other.sh")).toEqual(["guard/denied", undefined]);
  git("config", "core.hooksPath", "ci");
  mkdirSync(join(root, "ci"));
  symlinkSync("../tools/lint.sh", join(root, "ci/pre-commit"));
  expect(await codes(root, "ci/commit-msg", "tools/lint.sh", "tools/free.sh")).toEqual(["guard/denied", "guard/denied", undefined]);
});

import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { slowTests } from "./tests/slow.ts";

const nowhere = join(tmpdir(), "loaf-tests-have-no-home");

/** `quick` or `slow`; all tests unless one is named. */
const part = process.env["LOAF_TESTS"];
const all = readdirSync("tests", { recursive: true, encoding: "utf8" }).map((name) => `tests/${name.replaceAll("\\", "/")}`).filter((file) => file.endsWith(".test.ts"));
const files = all.filter((file) => part === undefined || isSlow(file) === (part === "slow"));

export default defineConfig({
  test: {
    setupFiles: ["tests/support/state-folder.ts", "tests/support/seed.ts"],
    // Laws try hundreds of runs, and machines may be busy.
    testTimeout: 60_000,
    // Vitest leaves one core alone, which of two is half of the machine. Slow tests wait for processes, terminals and pages a third of their time.
    maxWorkers: availableParallelism() + (part === "slow" ? 1 : 0),
    env: {
      // A user's own settings must not reach the tests.
      HOME: nowhere,
      XDG_CONFIG_HOME: nowhere,
      // `vitest -u` also rewrites what the case documents expect.
      LOAF_UPDATE_CASES: ["-u", "--update"].some((flag) => process.argv.includes(flag)) ? "yes" : "",
    },
    projects: [
      // Quick files and laws share the modules that a worker has loaded: that saves half of the time. One that mocks modules needs them anew.
      { extends: true, test: { name: "shared", include: files.filter((file) => !isAlone(file)), isolate: false } },
      { extends: true, test: { name: "alone", include: files.filter(isAlone) } },
    ],
  },
});

function isSlow(file: string): boolean {
  return slowTests.some((one) => (one.endsWith("/**") ? file.startsWith(one.slice(0, -2)) : file === one));
}

function isAlone(file: string): boolean {
  // Laws are many and all alike.
  return (isSlow(file) && !file.startsWith("tests/laws/")) || /\bvi\.(mock|doMock|hoisted)\(/.test(readFileSync(file, "utf8"));
}

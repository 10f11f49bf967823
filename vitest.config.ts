import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { slowTests } from "./tests/slow.ts";

const nowhere = join(tmpdir(), "loaf-tests-have-no-home");

/** `quick` or `slow`; all tests unless one is named. */
const part = process.env["LOAF_TESTS"];

export default defineConfig({
  test: {
    include: part === "slow" ? slowTests.map((glob) => (glob.endsWith("/**") ? `${glob}/*.test.ts` : glob)) : ["tests/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(part === "quick" ? slowTests : [])],
    setupFiles: ["tests/support/state-folder.ts"],
    testTimeout: 20_000,
    // Vitest leaves one core alone, which of two is half of the machine.
    maxWorkers: availableParallelism(),
    env: {
      // A user's own settings must not reach the tests.
      HOME: nowhere,
      XDG_CONFIG_HOME: nowhere,
      // `vitest -u` also rewrites what the case documents expect.
      LOAF_UPDATE_CASES: ["-u", "--update"].some((flag) => process.argv.includes(flag)) ? "yes" : "",
    },
  },
});

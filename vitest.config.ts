import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const nowhere = join(tmpdir(), "loaf-tests-have-no-home");

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    setupFiles: ["tests/support/state-folder.ts"],
    testTimeout: 20_000,
    env: {
      // A user's own settings must not reach the tests.
      HOME: nowhere,
      XDG_CONFIG_HOME: nowhere,
      // `vitest -u` also rewrites what the case documents expect.
      LOAF_UPDATE_CASES: ["-u", "--update"].some((flag) => process.argv.includes(flag)) ? "yes" : "",
    },
  },
});

/** How Vitest runs for `scripts/mutants.mjs`: the tests named in the plan, in its order, with the switches of the mutants. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import base from "../../vitest.config.ts";

const { files, names, isolate, workers, bail, cache } = JSON.parse(readFileSync(join(process.env["LOAF_MUTANT_RUN"], "plan.json"), "utf8"));

class InOrder {
  sort(specifications) {
    const placeOf = ({ moduleId }) => files.findIndex((file) => moduleId.endsWith(`/${file}`));
    return specifications.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  shard(specifications) {
    return specifications;
  }
}

export default {
  cacheDir: cache,
  test: {
    ...base.test,
    bail,
    cache: false,
    maxWorkers: workers,
    sequence: { sequencer: InOrder },
    setupFiles: [...base.test.setupFiles, "scripts/mutants/switch.mjs"],
    testNamePattern: names === undefined ? undefined : new RegExp(`^(?:${names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join("|")})$`),
    // A module that a worker has loaded before would show no switch again.
    projects: base.test.projects.map((project) => (isolate ? { ...project, test: { ...project.test, isolate } } : project)),
  },
};

/** The shared conformance data, where the environment variable LOAF_SHARED names its folder. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";
import { shared } from "./shared.ts";

/** A test for each case of each suite in a folder of the data, in a sandbox of its own. Says that they are skipped where there is no data. */
export function conformance<Data extends { readonly name: string }>(folder: string, check: (data: Data, sandbox: Sandbox) => Promise<void>): void {
  if (shared === undefined) {
    describe.skip(`conformance/${folder}: skipped, LOAF_SHARED is not set`, () => test("all cases", () => {}));
    return;
  }
  for (const [suite, cases] of readSuites<Data>(join(shared, "conformance", folder))) {
    describe(suite, () => {
      for (const data of cases) {
        test(data.name, async () => {
          const sandbox = createSandbox();
          try {
            await check(data, sandbox);
          } finally {
            sandbox.remove();
          }
        });
      }
    });
  }
}

function readSuites<Data>(folder: string): Array<[suite: string, cases: Data[]]> {
  const path = existsSync(`${folder}.json`) ? [`${folder}.json`] : readdirSync(folder).map((name) => join(folder, name));
  return path.map((file) => {
    const { suite, cases } = JSON.parse(readFileSync(file, "utf8")) as { suite: string; cases: Data[] };
    return [suite, cases];
  });
}

/** A Loaf whose guard is open for the sandbox, as the data asks. */
export function openLoaf(sandbox: Sandbox): Promise<Loaf> {
  return Loaf.create({ repoPath: sandbox.root, config: { "fs-guard": { allowed: [`${sandbox.directory}/**`] } } });
}

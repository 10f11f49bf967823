/** The shared probes of the guard: whether an action's needs are granted, decided on a tree like theirs. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { actionByName } from "../../src/actions/index.ts";
import { pathsIn } from "../../src/actions/params.ts";
import { guardRules } from "../../src/config/guard-rules.ts";
import { Failed } from "../../src/core/failure.ts";
import type { Guard } from "../../src/guard/guard.ts";
import { createProject } from "../unit/files/project.ts";
import { shared } from "../support/shared.ts";

interface Probe {
  readonly name: string;
  readonly root: string;
  readonly config: Parameters<typeof guardRules>[0];
  readonly action: { readonly action: string; readonly parameters: Readonly<Record<string, string>> };
  readonly expected: { readonly allowed: boolean };
}

const probes = shared === undefined ? [] : (JSON.parse(readFileSync(join(shared, "conformance/fs-guard/probes.json"), "utf8")) as { cases: Probe[] }).cases;

describe.skipIf(shared === undefined)("fs-guard (skipped where LOAF_SHARED is not set)", () => {
  test.each(probes)("$name", ({ root: written, config, action, expected }) => {
    const tree = { "src/.git": null, "src/a.txt": "a", "../t_guard_out/s.txt": "s", link: { link: "../t_guard_out" } };
    const { guard, directory } = createProject(tree, { rootName: "t_guard_root", rules: [guardRules(config)] });
    const inward = (text: string): string => text.replaceAll(dirname(written), directory);
    expect(isAllowed(guard, action.action, Object.entries(action.parameters).map(([name, value]) => [name, inward(value)]))).toBe(expected.allowed);
  });

  test("there are probes", () => expect(probes.length).toBeGreaterThan(10));
});

/** Only a refusal counts: that a path does not exist is another matter. */
function isAllowed(guard: Guard, name: string, parameters: ReadonlyArray<readonly [string, string]>): boolean {
  const action = actionByName.get(name);
  if (action === undefined) throw new Error(`no action ${name}`);
  for (const [parameter, value] of parameters) {
    for (const path of pathsIn(action.params.shape[parameter], value)) {
      try {
        guard.admit({ path, access: action.needs[parameter] ?? [], of: "target", names: "directory", syscall: "open" });
      } catch (thrown) {
        if (thrown instanceof Failed && thrown.failure.code === "guard/denied") return false;
        throw thrown;
      }
    }
  }
  return true;
}

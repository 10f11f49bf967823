import { expect, test } from "vitest";
import type { AttemptRollback } from "../../../src/core/attempt-rollback.ts";
import { HunkChoice } from "../../../src/files/hunks.ts";
import { NEEDED_ACCESS, type Workspace } from "../../../src/files/workspace.ts";

type Method = keyof Workspace;

test("if hunks were chosen, only reading, and what has hunks, is left: any other method would change a whole file", () => {
  const methods = Object.keys(NEEDED_ACCESS) as Method[];
  const workspace = Object.fromEntries(methods.map((method) => [method, () => "done"])) as unknown as Workspace;
  const within = new HunkChoice(new Set(["1.x"])).within(workspace, { note: () => {} } as unknown as AttemptRollback);
  const isLeft = (method: Method): boolean => {
    try {
      return Reflect.apply(within[method], within, ["a", "b"]) === "done";
    } catch (thrown) {
      expect(thrown).toMatchObject({ failure: { code: "hunk/changed", path: "a" } });
      return false;
    }
  };
  expect(methods.filter(isLeft)).toEqual(["read", "peek", "list", "firstLine", "edit", "write"]);
});

/** A step's record is what recovery goes by, so a kill must not leave half of one. */
import { basename } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { createRepository } from "../../support/repository.ts";
import { open, prepare, put } from "./running.ts";

const calls = vi.hoisted(() => ({ made: [] as Array<readonly [name: string, path: string]> }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return {
    ...fs,
    writeFileSync: (...args: Parameters<typeof fs.writeFileSync>) => {
      calls.made.push(["write", String(args[0])]);
      fs.writeFileSync(...args);
    },
    renameSync: (...args: Parameters<typeof fs.renameSync>) => {
      calls.made.push(["rename", String(args[1])]);
      fs.renameSync(...args);
    },
  };
});
beforeEach(prepare);

test("the record of a step gets its name only when it is whole", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  put(repository, "a.txt", "two\n");
  repository.git("commit", "-qam", "two");
  await (await open(repository)).back();
  expect(calls.made.filter(([, path]) => basename(path) === "record.json").map(([name]) => name)).toEqual(["rename", "rename"]);
});

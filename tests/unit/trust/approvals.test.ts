import { expect, test } from "vitest";
import { allowNoSandbox, allowedCommands, mayLackSandbox } from "../../../src/trust/trust.ts";
import { writeStateFile } from "../../../src/state/state-file.ts";
import { createFolder } from "../../support/folder.ts";

test("a command is allowed in its project until it is forbidden", () => {
  const [one, other] = [createFolder(), createFolder()];
  expect(allowedCommands.of(one)).toEqual([]);
  allowedCommands.add(one, "npm test");
  allowedCommands.add(one, "ls");
  allowedCommands.add(one, "npm test");
  expect([allowedCommands.of(one), allowedCommands.of(other)]).toEqual([["npm test", "ls"], []]);
  expect([allowedCommands.remove(one, "npm test"), allowedCommands.remove(one, "npm test")]).toEqual([true, false]);
  expect(allowedCommands.of(one)).toEqual(["ls"]);
});

test("a damaged file allows nothing", () => {
  const root = createFolder();
  for (const text of ["", "{", "{}", '"ls"', "[1, null]"]) {
    writeStateFile(root, "allowed-commands", text);
    expect(allowedCommands.of(root)).toEqual([]);
  }
});

test("running without a sandbox is approved once for this machine", () => {
  expect(mayLackSandbox()).toBe(false);
  allowNoSandbox();
  expect(mayLackSandbox()).toBe(true);
});

import { expect, test } from "vitest";
import { allowCommand, allowedCommands, allowNoSandbox, forbidCommand, mayLackSandbox } from "../../../src/trust/approvals.ts";
import { writeStateFile } from "../../../src/state/state-file.ts";
import { createFolder } from "../../support/folder.ts";

test("a command is allowed in its project until it is forbidden", () => {
  const [one, other] = [createFolder(), createFolder()];
  expect(allowedCommands(one)).toEqual([]);
  allowCommand(one, "npm test");
  allowCommand(one, "ls");
  allowCommand(one, "npm test");
  expect([allowedCommands(one), allowedCommands(other)]).toEqual([["npm test", "ls"], []]);
  expect([forbidCommand(one, "npm test"), forbidCommand(one, "npm test")]).toEqual([true, false]);
  expect(allowedCommands(one)).toEqual(["ls"]);
});

test("a damaged file allows nothing", () => {
  const root = createFolder();
  for (const text of ["", "{", "{}", '"ls"', "[1, null]"]) {
    writeStateFile(root, "allowed-commands", text);
    expect(allowedCommands(root)).toEqual([]);
  }
});

test("running without a sandbox is approved once for this machine", () => {
  expect(mayLackSandbox()).toBe(false);
  allowNoSandbox();
  expect(mayLackSandbox()).toBe(true);
});

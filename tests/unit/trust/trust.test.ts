import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { projectStateFolder } from "../../../src/state/project-state-folder.ts";
import { isTrusted, trust, trustedText } from "../../../src/trust/trust.ts";
import { createFolder } from "../../support/folder.ts";

beforeEach(() => void vi.stubEnv("XDG_STATE_HOME", createFolder()));

test("nothing is trusted before it was", () => {
  expect(isTrusted("/project", "version: 1\n")).toBe(false);
});

test("a text that was trusted is, until it changes", () => {
  trust("/project", "version: 1\n");
  expect(isTrusted("/project", "version: 1\n")).toBe(true);
  expect(isTrusted("/project", "version: 1\n\n")).toBe(false);
  expect(isTrusted("/project/inner", "version: 1\n")).toBe(false);
});

test("the last one counts", () => {
  trust("/project", "a");
  trust("/project", "b");
  expect(isTrusted("/project", "a")).toBe(false);
  expect(isTrusted("/project", "b")).toBe(true);
});

test("what was trusted can be told, to show what has changed since", () => {
  expect(trustedText("/project")).toBeUndefined();
  trust("/project", "a: 1\n");
  expect(trustedText("/project")).toBe("a: 1\n");
});

test("it is kept outside the project, where only the user may write, and nothing else is left there", () => {
  trust("/project", "a");
  const folder = projectStateFolder("/project");
  expect(readdirSync(folder)).toEqual(["trusted-loaf.yml"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "trusted-loaf.yml")).mode & 0o777).toBe(0o600);
});

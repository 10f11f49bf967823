import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { projectStateFolder } from "../../../src/state/places.ts";
import { isTrusted, trust, trustedText } from "../../../src/trust/trust.ts";
import { createFolder } from "../../support/folder.ts";

beforeEach(() => void vi.stubEnv("XDG_STATE_HOME", createFolder()));

test("nothing is trusted at first", () => {
  expect(isTrusted("/project", "version: 1\n")).toBe(false);
});

test("a trusted text is trusted until it changes", () => {
  trust("/project", "version: 1\n");
  expect(isTrusted("/project", "version: 1\n")).toBe(true);
  expect(isTrusted("/project", "version: 1\n\n")).toBe(false);
  expect(isTrusted("/project/inner", "version: 1\n")).toBe(false);
});

test("only the last trusted text counts", () => {
  trust("/project", "a");
  trust("/project", "b");
  expect(isTrusted("/project", "a")).toBe(false);
  expect(isTrusted("/project", "b")).toBe(true);
});

test("returns the trusted text, so that changes since can be shown", () => {
  expect(trustedText("/project")).toBeUndefined();
  trust("/project", "a: 1\n");
  expect(trustedText("/project")).toBe("a: 1\n");
});

test("is kept outside the project, where only the user may write, without temporary files", () => {
  trust("/project", "a");
  const folder = projectStateFolder("/project");
  expect(readdirSync(folder)).toEqual(["trusted-loaf.yml"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "trusted-loaf.yml")).mode & 0o777).toBe(0o600);
});

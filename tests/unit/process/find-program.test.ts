import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { findCommand, findProgram, excludeProgramsOf, trustedPath } from "../../../src/process/find-program.ts";
import { rootOf } from "../../../src/faces/cli/project.ts";
import { createFolder } from "../../support/folder.ts";

afterEach(() => vi.unstubAllEnvs());

function programs(...names: string[]): string {
  const folder = createFolder(Object.fromEntries(names.map((name) => [name, ""])));
  for (const name of names) chmodSync(join(folder, name), 0o755);
  return folder;
}

test("the first one on PATH", () => {
  const [first, second] = [programs("a"), programs("a", "b")];
  vi.stubEnv("PATH", [first, second].join(delimiter));
  expect(findProgram("a")).toBe(join(first, "a"));
  expect(findProgram("b")).toBe(join(second, "b"));
  expect(findProgram("c")).toBeUndefined();
});

test("a directory and a file that cannot be executed are not found", () => {
  const folder = createFolder({ file: "" });
  mkdirSync(join(folder, "directory"));
  vi.stubEnv("PATH", folder);
  expect(findProgram("file")).toBeUndefined();
  expect(findProgram("directory")).toBeUndefined();
});

test("not one in a relative folder of PATH, where a project could plant it", () => {
  vi.stubEnv("PATH", relative(process.cwd(), programs("a")));
  expect(findProgram("a")).toBeUndefined();
});

test("not one of a project that Loaf works in, by no name: an action could plant it there", () => {
  const [project, elsewhere] = [programs("a", "b"), createFolder()];
  symlinkSync(project, join(elsewhere, "link"));
  symlinkSync("/usr/bin", join(project, "system"));
  const system = programs("b");
  vi.stubEnv("PATH", [project, join(elsewhere, "link"), join(project, "system"), system].join(delimiter));
  expect(findProgram("a")).toBe(join(project, "a"));
  excludeProgramsOf(project);
  expect(findProgram("a")).toBeUndefined();
  expect(findProgram("env")).toBeUndefined();
  expect(findProgram("b")).toBe(join(system, "b"));
  expect(trustedPath()).toBe(system);
  expect(findCommand("a")).toBe(join(project, "a"));
});

test("none in a project whose root a command has looked up, before it is opened", () => {
  const root = createFolder({ "loaf.yml": "", "node_modules/.bin/xclip": "" });
  chmodSync(join(root, "node_modules/.bin/xclip"), 0o755);
  vi.stubEnv("PATH", join(root, "node_modules/.bin"));
  expect(findProgram("xclip")).toBe(join(root, "node_modules/.bin/xclip"));
  expect(rootOf(root)).toBe(root);
  expect(findProgram("xclip")).toBeUndefined();
});

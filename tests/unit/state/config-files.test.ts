import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { readConfigFiles } from "../../../src/state/config-files.ts";
import { createFolder } from "../../support/folder.ts";

beforeEach(() => vi.unstubAllEnvs());

test("both are optional", async () => {
  expect(await readConfigFiles(createFolder())).toEqual({});
});

test("reads the user's and the project's", async () => {
  const home = createFolder({ "loaf/config.yml": "relative_paths: true\n" });
  const root = createFolder({ "loaf.yml": "version: 1\n" });
  vi.stubEnv("XDG_CONFIG_HOME", home);
  expect(await readConfigFiles(root)).toEqual({
    user: { path: join(home, "loaf/config.yml"), text: "relative_paths: true\n", config: { relative_paths: true } },
    project: { path: join(root, "loaf.yml"), text: "version: 1\n", config: { version: 1 } },
  });
});

test("problems name the file: the project's by name, the user's by path", async () => {
  await expect(readConfigFiles(createFolder({ "loaf.yml": "colour: 1\n" }))).rejects.toThrow("loaf.yml:1:1: Unknown key 'colour'");
  const home = createFolder({ "loaf/config.yml": "\n  colour: 1\n" });
  vi.stubEnv("XDG_CONFIG_HOME", home);
  await expect(readConfigFiles(createFolder())).rejects.toThrow(`${join(home, "loaf/config.yml")}:2:3: Unknown key 'colour'`);
});

test("a loaf.yml that is a directory is a configuration error", async () => {
  const root = createFolder();
  mkdirSync(join(root, "loaf.yml"));
  await expect(readConfigFiles(root)).rejects.toThrow("loaf.yml: The file is a directory, not a file");
});

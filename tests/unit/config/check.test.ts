import { expect, test } from "vitest";
import { configFromObject } from "../../../src/config/check.ts";

test("an object passed by a program is returned unchanged", () => {
  expect(configFromObject({ relative_paths: true })).toEqual({ relative_paths: true });
});

test("problems of an object are named by key path", () => {
  expect(() => configFromObject({ limits: { max_input: "10" }, relativ_paths: true })).toThrow(
    "config: 'limits.max_input' must be a whole number from 1 to 268435456\nconfig: Unknown key 'relativ_paths' (did you mean 'relative_paths'?)",
  );
});

test.each([[null], ["loaf.yml"], [[]]])("%j is no configuration", (value) => {
  expect(() => configFromObject(value)).toThrow("config: The configuration must be a mapping of keys");
});

test.each(["/etc/passwd", "../x.md", "a/../../x", "", "a//b", "C:\\x", "C:/x", "a\0b", "./x", "loaf.yml", "LOAF.yml", ".git/config", ".GIT"])("watch: %j is refused", (path) => {
  for (const key of ["input", "output"]) expect(() => configFromObject({ watch: { [key]: path } })).toThrow(`'watch.${key}' must be a file's path`);
});

test.each(["chat.md", "notes/chat with spaces.md", ".loaf/x.md", "..x.md"])("watch: %j is accepted", (path) => {
  expect(configFromObject({ watch: { input: path, output: path } })).toEqual({ watch: { input: path, output: path } });
});

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createSandbox, snapshot, type Sandbox } from "../../support/sandbox.ts";

const sandboxes: Sandbox[] = [];

function fresh(): Sandbox {
  const sandbox = createSandbox();
  sandboxes.push(sandbox);
  return sandbox;
}

afterEach(() => {
  for (const sandbox of sandboxes.splice(0)) sandbox.remove();
});

test("paths of a case move in and out again", () => {
  const { directory, root, inward, outward } = fresh();
  const text = 'path = "/project/src/a.txt"\n/project\n/tmp/t_out/x and /tmp/001-first/y';
  expect(inward(text)).toBe(`path = "${root}/src/a.txt"\n${root}\n${directory}/tmp/t_out/x and ${directory}/tmp/001-first/y`);
  expect(outward({ list: [inward(text)], count: 1, none: null })).toEqual({ list: [text], count: 1, none: null });
});

test.each(["/projects/a", "/project-evil", "src/project/a", "/tmp/other/a", "/var/tmp/t_a"])("%s stays as it is", (path) => {
  expect(fresh().inward(path)).toBe(path);
});

test("every sandbox is another, and leaves nothing", () => {
  const [one, two] = [createSandbox(), createSandbox()];
  expect(one.directory).not.toBe(two.directory);
  mkdirSync(join(one.root, "locked"), { mode: 0o000 });
  one.remove();
  two.remove();
  expect([one.directory, two.directory].filter((path) => existsSync(path))).toEqual([]);
});

test("a snapshot tells content and mode apart", () => {
  const { root } = fresh();
  writeFileSync(join(root, "a.txt"), "one", { mode: 0o600 });
  expect(snapshot(root)).toEqual({ "a.txt": "600 one" });
});

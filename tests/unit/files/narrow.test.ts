import { expect, test } from "vitest";
import { Failed, failureOf } from "../../../src/core/failure.ts";
import { narrow, type Workspace } from "../../../src/files/workspace.ts";
import { createProject } from "./project.ts";

const CALLS: Readonly<Record<keyof Workspace, (files: Workspace, path: string) => unknown>> = {
  read: (files, path) => files.read(path),
  peek: (files, path) => files.peek(path),
  list: (files, path) => files.list(path),
  firstLine: (files, path) => files.firstLine(path),
  edit: (files, path) => files.edit(path, () => ({ splices: [] })),
  write: (files, path) => files.write(path, "x"),
  append: (files, path) => files.append(path, "x"),
  remove: (files, path) => files.remove(path),
  move: (files, path) => files.move(path, path),
  createDirectory: (files, path) => files.createDirectory(path),
  removeDirectory: (files, path) => files.removeDirectory(path),
};
const NEEDS: Readonly<Record<keyof Workspace, string>> = { read: "r", peek: "r", list: "r", firstLine: "r", edit: "rw", write: "w", append: "w", remove: "w", move: "rw", createDirectory: "w", removeDirectory: "w" };

function isGranted(files: Workspace, method: keyof Workspace, path: string): boolean {
  try {
    CALLS[method](files, path);
  } catch (thrown) {
    return thrown instanceof Failed || failureOf(thrown).code !== "bug";
  }
  return true;
}

test.each(Object.keys(CALLS) as Array<keyof Workspace>)("%s needs the grants for its effects", (method) => {
  const { files, at } = createProject({ "a.txt": "a" });
  const path = at("a.txt");
  expect(isGranted(narrow(files, [{ path, access: ["read"] }]), method, path)).toBe(NEEDS[method] === "r");
  expect(isGranted(narrow(files, [{ path, access: ["write"] }]), method, path)).toBe(NEEDS[method] === "w");
  expect(isGranted(narrow(files, [{ path, access: ["read", "write"] }]), method, path)).toBe(true);
  expect(isGranted(narrow(files, []), method, path)).toBe(false);
});

test.each([
  ["/p", "/p/x", true],
  ["/p/", "/p/x/y", true],
  [".", "a/b", true],
  ["a", "./a/b", true],
  ["/p/..x", "/p/..x/y", true],
  ["/p", "/p-evil", false],
  ["/p/x", "/p", false],
  ["/p", "/p/../q", false],
  ["a", "b", false],
])("a grant for %s applies to %s: %s", (path, asked, granted) => {
  const files = { peek: () => "text" } as unknown as Workspace;
  expect(isGranted(narrow(files, [{ path, access: ["read"] }]), "peek", asked)).toBe(granted);
});

test("moving needs separate grants for the old and the new path", () => {
  const { files } = createProject({ a: "a" });
  const granted = narrow(files, [{ path: "a", access: ["read", "write"] }, { path: "b", access: ["write"] }]);
  expect(() => granted.move("a", "c")).toThrow("the action did not declare that it needs to write 'c'");
  expect(() => granted.move("b", "a")).toThrow("the action did not declare that it needs to read 'b'");
  expect(granted.move("a", "b")).toEqual({ overwrote: false });
});

test("many paths take linear time, whether granted directly or by a directory", () => {
  const files = { peek: () => "text" } as unknown as Workspace;
  const names = Array.from({ length: 20_000 }, (_, index) => `/p/d${index}`);
  const granted = narrow(files, names.map((path) => ({ path, access: ["read"] })));
  expect(names.every((name) => granted.peek(name) === granted.peek(`${name}/x`))).toBe(true);
});

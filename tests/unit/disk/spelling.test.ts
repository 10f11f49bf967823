/** What a folder is asked for the spelling of a name. `lstat` and the lists of folders are given, as a file system that folds names would; a real one is in tests/faults. */
import { beforeEach, expect, test, vi } from "vitest";

const asked: string[] = [];
let [entries, fold]: [readonly string[], (path: string) => string] = [[], (path) => path];
vi.mock("node:fs", async (original) => ({
  ...(await original<typeof import("node:fs")>()),
  lstatSync: (path: string) => (asked.push(path), entries.some((one) => fold(one) === fold(path)) ? {} : undefined),
  readdirSync: (folder: string) => (asked.push(`list ${folder}`), entries.filter((one) => fold(one).startsWith(`${fold(folder)}/`)).map((one) => one.slice(folder.length + 1)).filter((name) => !name.includes("/"))),
}));

const FOLDS = (path: string): string => path.normalize("NFD").toLowerCase();
let spelling: typeof import("../../../src/disk/spelling.ts");
beforeEach(async () => {
  vi.resetModules();
  spelling = await import("../../../src/disk/spelling.ts");
  [entries, fold] = [["/p", "/p/Src", "/p/Src/É.ts", "/p/Src/42", "/p/b.txt"], FOLDS];
  asked.length = 0;
});

test("a name is spelled as its folder lists it, in case and in Unicode form", () => {
  expect(spelling.spelled("/p/SRC")).toBe("/p/Src");
  expect(spelling.spelled("/p/Src/e\u0301.ts")).toBe("/p/Src/É.ts");
  expect(spelling.spelledThrough("/p/src/É.TS")).toBe("/p/Src/É.ts");
  expect(spelling.spelled("/p/Src/42")).toBe("/p/Src/42");
});

test("only what is found in another spelling is spelled otherwise", () => {
  const paths = ["/p/B.txt", "/p/b.txt", "/p/c.txt", "/p/src/42"];
  expect(paths.filter(spelling.isSpelledOtherwise)).toEqual(["/p/B.txt", "/p/src/42"]);
});

test("a folder that does not exist yet folds as the one above it", () => {
  expect([spelling.folds("/p"), spelling.folds("/p/new/er")]).toEqual([true, true]);
});

test("a folder that does not fold names is asked once, and not listed", () => {
  fold = (path) => path;
  for (const name of ["b.txt", "Src", "b.txt"]) expect(spelling.spelled(`/p/${name}`)).toBe(`/p/${name}`);
  expect(asked).toEqual(["/p/B.txt"]);
  expect(spelling.folds("/p")).toBe(false);
});

test("two files whose names differ only in case keep their names", () => {
  [entries, fold] = [["/p", "/p/makefile", "/p/Makefile"], (path) => path];
  expect(["/p/makefile", "/p/Makefile"].map(spelling.spelled)).toEqual(["/p/makefile", "/p/Makefile"]);
  expect(spelling.folds("/p")).toBe(false);
});

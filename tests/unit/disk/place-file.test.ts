import { closeSync, linkSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFile } from "../../../src/disk/place-file.ts";
import { createFolder } from "../../support/folder.ts";

test.each<[what: string, plant: (target: string, at: string) => void]>([
  ["a file", (_, at) => writeFileSync(at, "planted")],
  ["another name of a file", (target, at) => linkSync(target, at)],
  ["a link to a file", (target, at) => symlinkSync(target, at)],
  ["a link to nothing", (target, at) => symlinkSync(`${target}-new`, at)],
])("where somebody has planted %s under the name of a new file, that is not written", (_, plant) => {
  const folder = createFolder({ target: "theirs" });
  plant(join(folder, "target"), join(folder, "new"));
  expect(() => createFile(join(folder, "new"), Buffer.from("its"))).toThrow("EEXIST");
  expect(readFileSync(join(folder, "target"), "utf8")).toBe("theirs");
});

test("what fails while it is written leaves no file", () => {
  const folder = createFolder();
  const fail = (): never => {
    throw new Error("no room");
  };
  expect(() => createFile(join(folder, "new"), fail)).toThrow("no room");
  closeSync(createFile(join(folder, "new"), Buffer.from("its")));
  expect(readFileSync(join(folder, "new"), "utf8")).toBe("its");
});

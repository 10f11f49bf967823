/** What the watched files may be (case 114 of docs/security-cases.md). */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { problemWithOutput, problemWithPlace } from "../../../src/state/output-file.ts";
import { createFolder } from "../../support/folder.ts";

test.skipIf(process.platform === "win32")("114: a link, a hard link, a FIFO and a folder are refused by name, as input and as output", () => {
  const outside = createFolder({ "x.md": "" });
  const root = createFolder({ "fine.md": "", "in/x.md": "" });
  symlinkSync(join(outside, "x.md"), join(root, "link.md"));
  symlinkSync("in/x.md", join(root, "inner.md"));
  symlinkSync(outside, join(root, "away"));
  linkSync(join(outside, "x.md"), join(root, "hard.md"));
  execFileSync("mkfifo", [join(root, "fifo.md")]);
  mkdirSync(join(root, "folder.md"));
  for (const name of ["link.md", "inner.md", "away/x.md", "away/new.md", "hard.md", "fifo.md", "folder.md"]) {
    expect(problemWithPlace(root, name)).toContain(`'${name}'`);
    expect(problemWithOutput(root, name, () => true)).toContain(`'${name}'`);
  }
  for (const name of ["fine.md", "in/x.md", "missing/x.md"]) expect(problemWithPlace(root, name)).toBeUndefined();
});

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import { snapshot } from "../support/sandbox.ts";
import { grow, temporaryDirectory } from "../unit/files/project.ts";

const script = `
  import { closeSync, openSync, readdirSync } from "node:fs";
  import { WritableDisk } from "../tests/support/writable-disk.ts";
  import { createGuard } from "./guard/guard.ts";
  import { ProjectFiles } from "./files/project-files.ts";
  const [root, way] = process.argv.slice(2);
  if (way === "chdir") Object.defineProperty(process, "platform", { value: "darwin" });
  const volume = new WritableDisk();
  const guard = createGuard({ volume, root, home: "/nowhere", rules: [{ read: {}, write: {} }], sealed: [], readOnly: [], platform: "linux" });
  const files = new ProjectFiles({ volume, guard, maxFileSize: 1000, finalNewline: "as-is" });
  const acts = {
    read: () => files.read("a.txt"),
    edit: () => files.edit("a.txt", () => ({ splices: [{ start: 0, end: 1, text: "b" }] })),
    write: () => files.write("new/b.txt", "x"),
    append: () => files.append("a.txt", "x"),
    remove: () => files.remove("c.txt"),
    move: () => files.move("a.txt", "other/a.txt"),
    createDirectory: () => files.createDirectory("made"),
    list: () => files.list("."),
  };
  const outcomeOf = (act) => { try { act(); return "done" } catch (thrown) { return thrown.failure?.errno ?? String(thrown) } };
  const outcomes = () => Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, outcomeOf(act)]));
  const open = () => readdirSync("/proc/self/fd").length;
  outcomeOf(acts.read);
  const before = open();
  const taken = [];
  try { for (;;) taken.push(openSync("/dev/null", "r")) } catch {}
  const scarce = outcomes();
  // The last ones are found by trying with 1, 2, … of them given back.
  const partly = [];
  for (let free = 1; free <= 3; free++) { closeSync(taken.pop()); partly.push(outcomeOf(acts.edit)); }
  for (const file of taken) closeSync(file);
  console.log(JSON.stringify({ scarce, partly, leaked: open() - before }));
`;

test.runIf(process.platform === "linux").each(["descriptor", "chdir"])("70: without descriptors left everything fails cleanly, changes nothing and keeps none (%s)", (way) => {
  const directory = temporaryDirectory();
  const root = join(directory, "project");
  grow(root, { "a.txt": "aaa", "c.txt": "c", other: null });
  const before = snapshot(root);
  buildSync({
    stdin: { contents: script, resolveDir: join(import.meta.dirname, "../../src") },
    bundle: true,
    platform: "node",
    outfile: join(directory, "script.cjs"),
  });
  const said = execFileSync("sh", ["-c", `ulimit -n 60; exec "$@"`, "sh", process.execPath, join(directory, "script.cjs"), root, way], { encoding: "utf8" });
  const { scarce, partly, leaked } = JSON.parse(said);
  const isPinnedWithout = way === "chdir";
  // Going somewhere takes no descriptor, and neither do these acts then.
  const free = { remove: "done", move: "done", createDirectory: "done" };
  expect(scarce).toEqual({ read: "EMFILE", edit: "EMFILE", write: "EMFILE", append: "EMFILE", remove: "EMFILE", move: "EMFILE", createDirectory: "EMFILE", list: "EMFILE", ...(isPinnedWithout && free) });
  expect(partly.at(-1)).toBe(isPinnedWithout ? "ENOENT" : "done");
  expect(leaked).toBe(0);
  if (!isPinnedWithout) expect(snapshot(root)).toEqual({ ...before, "a.txt": before["a.txt"]?.replace("aaa", "baa") });
});

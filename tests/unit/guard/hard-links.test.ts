import { linkSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Overlay } from "../../../src/disk/overlay.ts";
import { createProject, outcomeOf, type Project, type ProjectOptions } from "../files/project.ts";

describe.each<[string, ProjectOptions["volume"]]>([
  ["on the disk", undefined],
  ["on an overlay", (disk) => new Overlay(disk)],
])("%s", (where, volume) => {
  /** Makes `b.txt` in the project a hard link of a file outside. */
  function linked(options: ProjectOptions = {}): Project {
    const project = createProject({ "../secret.txt": "elsewhere\n", "a.txt": "a\n" }, { ...(volume && { volume }), ...options });
    linkSync(join(project.directory, "secret.txt"), project.at("b.txt"));
    return project;
  }

  const broken = "link_broken: 'b.txt' had 2 names (hard links); the others keep what was in it";

  test.each<[string, (project: Project) => unknown]>([
    ["writing", ({ files }) => files.write("b.txt", "new")],
    ["editing", ({ files }) => files.edit("b.txt", (bytes) => ({ splices: [{ start: 0, end: bytes.length, text: "new" }] }))],
    ["appending", ({ files }) => files.append("b.txt", "new")],
  ])("19: %s breaks the link with a warning: the other name keeps its bytes", (_, act) => {
    const project = linked();
    act(project);
    expect(readFileSync(join(project.directory, "secret.txt"), "utf8")).toBe("elsewhere\n");
    expect(project.files.read("b.txt")).toMatch(/new$/);
    expect(project.warnings).toEqual([broken]);
  });

  test("19: a file with one name gives no warning", () => {
    const { files, warnings } = linked();
    files.write("a.txt", "new");
    files.read("a.txt");
    expect(warnings).toEqual([]);
  });

  test("20: the path's rule allows reading, with a warning; a search gives none", () => {
    const { files, warnings } = linked();
    expect(files.peek("b.txt")).toBe("elsewhere\n");
    expect(warnings).toEqual([]);
    expect(files.read("b.txt")).toBe("elsewhere\n");
    expect(warnings).toEqual(["hard_link: 'b.txt' has 2 names (hard links); it was judged by this one"]);
  });

  test("20: with hard_links: deny, it is not read", () => {
    const { files, warnings, at } = linked({ hardLinks: "deny" });
    const refused = "fs-guard violation: Read access denied for 'b.txt' (it has 2 names, and hard_links is deny)";
    for (const act of [() => files.read("b.txt"), () => files.edit("b.txt", () => ({ splices: [] })), () => files.append("b.txt", "x")]) expect(outcomeOf(act)).toBe(refused);
    expect([files.peek("b.txt"), files.read("a.txt")]).toEqual([undefined, "a\n"]);
    files.write("b.txt", "new");
    expect(files.read("b.txt")).toBe("new");
    if (where === "on the disk") expect(readFileSync(at("b.txt"), "utf8")).toBe("new");
    expect(warnings).toEqual([broken]);
  });
});

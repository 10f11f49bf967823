/** What may be placed where: names that fold, names of a path, links, and what runs by itself. The numbers are those of docs/security-cases.md. */
import { describe, expect, test } from "vitest";
import { createProject, outcomeOf, type Tree } from "../files/project.ts";

const DENIED = /^fs-guard violation: /;

describe("113: a file system that folds case", () => {
  test.each([".ENV", ".Env.local", "Server.PEM", ".SSH/x", ".\u{17f}sh/x", ".en\u200dv"])("%s is not read", (path) => {
    const { files } = createProject({ [path]: "secret" });
    expect(outcomeOf(() => files.read(path))).toMatch(DENIED);
  });

  test.each([".VSCODE/tasks.json", ".Envrc", "Node_Modules/.BIN/x", ".GitHub/Workflows/x.yml", "JENKINSFILE"])("%s is not written", (path) => {
    const { files } = createProject();
    expect(outcomeOf(() => files.write(path, "x"))).toMatch(DENIED);
  });

  test("a deny of the user's folds, an allow does not", () => {
    const rules = [{ read: { allow: ["./src/**"], deny: ["Geheim\u00e4"] }, write: {} }];
    const { files } = createProject({ "src/geheima\u0308": "x", "SRC/a": "x", "src/a": "x" }, { rules });
    expect(outcomeOf(() => files.read("src/geheima\u0308"))).toMatch(DENIED);
    expect(outcomeOf(() => files.read("SRC/a"))).toMatch(DENIED);
    expect(files.read("src/a")).toBe("x");
  });
});

describe("119: a deny counts on each name of a path", () => {
  const tree: Tree = { "ide/a": "a", ".vscode": { link: "ide" }, "config/dev": "secret", ".env": { link: "config/dev" }, "deep/x": { link: "../.vscode" }, "free": { link: "ide" } };

  test.each([".vscode/a", ".env", "./.env", "deep/x/a"])("%s is not opened by a link on the way", (path) => {
    const { files } = createProject(tree, path.includes("env") ? {} : { rules: [{ read: { deny: [".vscode"] }, write: {} }] });
    expect(outcomeOf(() => files.read(path))).toMatch(DENIED);
  });

  test.each([".vscode/a", ".vscode/new", "deep/x/new"])("%s is not written through one", (path) => {
    const { files } = createProject(tree);
    expect(outcomeOf(() => files.write(path, "x"))).toMatch(DENIED);
  });

  test("another link opens what it leads to", () => {
    const { files } = createProject(tree);
    files.write("free/a", "b");
    expect([files.read("ide/a"), files.read("free/a")]).toEqual(["b", "b"]);
  });

  test.each([[".cargo", []], ["a/.cargo", []], [".config", []], ["conf", ["conf/git.cfg"]]])("a link is not moved to %s", (to, executed) => {
    const rules = [{ read: {}, write: { deny: executed } }];
    const { files } = createProject({ "tools/a": "a", "a/b": "b", link: { link: "tools" } }, { rules });
    expect(outcomeOf(() => files.move("link", to))).toMatch(DENIED);
    files.move("link", "other");
    expect(files.read("other/a")).toBe("a");
  });
});

describe("121: core.hooksPath of a nested repository", () => {
  const config = (line: string) => ({ "sub/.git/HEAD": "ref: refs/heads/main\n", "sub/.git/config": `[core]\n\t${line}\n`, "sub/a": "a" });

  test.each(["hooksPath = ci/hooks", "hookspath=ci/hooks", 'hooksPath = "ci/hooks"'])("%s", (line) => {
    const { files } = createProject(config(line));
    expect(outcomeOf(() => files.write("sub/ci/hooks/pre-commit", "x"))).toMatch(DENIED);
    expect(outcomeOf(() => files.move("sub/a", "sub/CI/hooks/a"))).toMatch(DENIED);
    files.write("sub/ci/other", "x");
  });

  test("configuration that it includes", () => {
    const { files } = createProject(config("x = y\n[include]\n\tpath = ../conf/git.cfg"));
    expect(outcomeOf(() => files.write("sub/conf/git.cfg", "x"))).toMatch(DENIED);
  });
});

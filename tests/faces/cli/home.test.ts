/** 99: a home folder never becomes a project by accident. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";
import { runLoaf } from "../../support/run-loaf.ts";
import { block, write } from "./answers.ts";

const START_UP = [".ssh/authorized_keys", ".gitconfig", ".config/autostart/a.desktop", ".npmrc", ".bashrc"];
const SECRETS = [".netrc", ".git-credentials", ".kube/config"];

const house = () => {
  const home = createFolder({ ".netrc": "SECRET", ".git-credentials": "SECRET", ".kube/config": "SECRET", "notes/a.md": "note\n" });
  mkdirSync(join(home, ".git"));
  return { home, env: { HOME: home, XDG_STATE_HOME: createFolder() } };
};

const attack = (home: string) => [
  ...START_UP.map((path, index) => write(`w${index}a`, join(home, path), "x\n")),
  ...SECRETS.map((path, index) => block(`r${index}a`, { action: "file_read", path: join(home, path) })),
];

test("99: an empty .git in home does not make home the project of ~/notes", async () => {
  const { home, env } = house();
  const { stdout } = await runLoaf(["run"], { cwd: join(home, "notes"), env, input: [...attack(home), write("abc", join(home, "notes/b.md"), "b\n")].join("\n") });
  expect(stdout).toContain("abc ✅ file_write");
  expect(stdout.match(/❌/g)).toHaveLength(START_UP.length + SECRETS.length);
  expect(stdout).not.toContain("SECRET");
  expect(readFileSync(join(home, "notes/b.md"), "utf8")).toBe("b\n");
});

test.each([["run"], ["undo"], ["log"], ["init"], ["trust"], ["config"]])("99: `loaf %s` in home is refused", async (command) => {
  const { home, env } = house();
  const { code, stderr } = await runLoaf([command], { cwd: home, env, input: write("abc", join(home, "b.md"), "b\n") });
  expect(code).toBe(2);
  expect(stderr).toBe(`'${home}' is your home folder or contains it, so everything in it would be the project: change to the project's folder, or name one with --root\n`);
  expect(existsSync(join(home, "b.md"))).toBe(false);
});

test.each([["run"], ["undo"], ["init"]])("99: `loaf %s --root` with home or above is refused too", async (command) => {
  const { home, env } = house();
  for (const root of [home, join(home, ".."), "/"]) {
    const { code, stderr } = await runLoaf([command, "--root", root], { env, input: write("abc", join(home, "notes/b.md"), "b\n") });
    expect([code, stderr]).toEqual([2, expect.stringContaining("is your home folder or contains it")]);
  }
  expect(existsSync(join(home, "notes/b.md"))).toBe(false);
});

test("99: the library refuses it as well", async () => {
  vi.stubEnv("HOME", createFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(Loaf.create({ repoPath: process.env["HOME"] ?? "" })).rejects.toThrow(/is your home folder or contains it/);
});

test.each([["run"], ["undo"], ["init"], ["trust"], ["allow", "make"]])("99: `loaf %s` is refused if the state folder is in the project", async (...args) => {
  const root = createFolder({ "loaf.yml": "version: 1\n", "src/a": "" });
  const state = join(root, "state");
  const { code, stderr } = await runLoaf(args, { cwd: join(root, "src"), env: { XDG_STATE_HOME: state }, input: write("abc", join(root, "b.md"), "b\n") });
  expect(code).toBe(2);
  expect(stderr).toBe(`Loaf's state folder '${state}/loaf' lies in the project '${root}': set XDG_STATE_HOME to a folder outside it, or name a smaller project with --root\n`);
  expect([existsSync(join(root, "b.md")), existsSync(join(root, "loaf-input.md"))]).toEqual([false, false]);
});

test("99: `loaf doctor` reports it", async () => {
  const root = createFolder({ "loaf.yml": "version: 1\n" });
  const { code, stdout } = await runLoaf(["doctor"], { cwd: root, env: { XDG_STATE_HOME: join(root, "state") } });
  expect(code).toBe(1);
  expect(stdout).toContain("lies in the project");
});

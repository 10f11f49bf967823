/** What git would not keep of a file that is set aside: its permissions and, where filters or line endings change them, its bytes. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { open, prepare, put, read, status } from "../git/running.ts";

beforeEach(prepare);

const back = async (repository: TestRepository) => (await open(repository)).back();
const forward = async (repository: TestRepository) => (await open(repository)).forward();
/** What Loaf keeps for a way back: in the git folder nothing. */
const kept = ({ root }: TestRepository) => [
  ...readdirSync(join(root, ".git")).filter((name) => name.startsWith("loaf")),
  ...readdirSync(process.env["XDG_STATE_HOME"] ?? "", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".index")),
];

/** Its files, by path: mode and text. */
const OWN: Readonly<Record<string, readonly [mode: number, text: string]>> = {
  "a.txt": [0o640, "changed\r\nby hand\r\n"],
  "new.txt": [0o600, "windows\r\nlines\r\n"],
  "mixed.txt": [0o644, "one\r\ntwo\n"],
  "unix.bat": [0o755, "echo\nof unix\n"],
  "notes.nb": [0o644, "code\nout 1\ncode\nout 2\n"],
  key: [0o400, "secret\n"],
  tool: [0o700, "#!/bin/sh\n"],
  "dir/\u00fc new.txt": [0o664, "\r\n"],
};

const states = ({ root }: TestRepository) => Object.fromEntries(Object.keys(OWN).map((path) => [path, existsSync(join(root, path)) ? [statSync(join(root, path)).mode & 0o777, read({ root } as TestRepository, path)] : undefined]));

function createChanged(): TestRepository {
  const repository = createRepository({ "a.txt": "one\n", "b.txt": "b\n", ".gitattributes": "*.txt text\n*.bat text eol=crlf\n*.nb filter=strip\n" });
  repository.git("config", "filter.strip.clean", "sed /^out/d");
  repository.git("config", "filter.strip.smudge", "cat");
  repository.git("commit", "-q", "--allow-empty", "-m", "two");
  for (const [path, [mode, text]] of Object.entries(OWN)) {
    put(repository, path, text);
    chmodSync(join(repository.root, path), mode);
  }
  return repository;
}

test("comes back with the files", async () => {
  const repository = createChanged();
  const before = status(repository);
  expect((await back(repository)).stashed_files.toSorted()).toEqual(Object.keys(OWN).toSorted());
  expect(read(repository, "a.txt")).toBe("one\n");
  const { restored_files, branch } = await forward(repository);
  expect([restored_files.toSorted(), branch]).toEqual([Object.keys(OWN).toSorted(), "main"]);
  expect(states(repository)).toEqual(OWN);
  expect([status(repository), kept(repository)]).toEqual([before, []]);
});

test("comes back on top of another commit, but for what is in conflict, of which it is kept", async () => {
  const repository = createChanged();
  await back(repository);
  repository.git("checkout", "-q", "main");
  put(repository, "a.txt", "three\n");
  repository.git("commit", "-qam", "three");
  repository.git("checkout", "-q", "--detach", "HEAD~2");
  await forward(repository);
  const { conflicts, branch, notices } = await forward(repository);
  expect([conflicts, branch, read(repository, "a.txt")]).toEqual([["a.txt"], "main", "three\n"]);
  const { "a.txt": _conflict, ...others } = OWN;
  expect(states(repository)).toMatchObject(others);
  expect(notices).toEqual([expect.stringMatching(/^What is in conflict is kept in \//)]);
  expect(readFileSync(join(notices[0]?.replace(/.* is kept in /, "") ?? "", "a.txt"), "utf8")).toBe(OWN["a.txt"]?.[1]);
  expect(kept(repository)).toEqual([]);
});

test("setuid does not come back: git makes the file anew, and it may belong to somebody else", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  repository.git("commit", "-q", "--allow-empty", "-m", "two");
  put(repository, "tool", "#!/bin/sh\n");
  chmodSync(join(repository.root, "tool"), 0o6755);
  await back(repository);
  await forward(repository);
  expect((statSync(join(repository.root, "tool")).mode & 0o7777).toString(8)).toBe("755");
});

/** What a command leaves in a real sandbox reaches the project, or not, as root and as an ordinary user. */
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld, users, type World } from "../support/exec-world.ts";
import { hasSandbox } from "../support/programs.ts";

describe.runIf(hasSandbox).each(users)("as $name", ({ uid }) => {
  let world: World;
  beforeAll(async () => (world = await createWorld(uid, { "project/src/a.txt": "a", "project/pkg/b.txt": "b", "project/shut/a.txt": "a", "project/shut/b.txt": "b", "project/fixed/a.txt": "a" })), 60_000);
  afterAll(() => world?.remove());

  test("86: what is planted in a directory that is made unlistable then does not land, and the rest does", () => {
    const plant = "mkdir -p src/.git; echo x > src/.git/config; echo more >> src/a.txt; mkdir new; echo n > new/n.txt; mkdir new/.git; chmod 0311 src new";
    const [result] = world.run([{ lang: "bash", code: plant }]);
    expect(result).toMatchObject({ success: true, data: { changed: [{ path: "new/n.txt", change: "created" }, { path: "src/a.txt", change: "changed" }] } });
    expect(result?.warnings?.join("\n")).toMatch(/left out of the project: .*new\/\.git, src\/\.git/);
    expect(["src/.git", "new/.git"].filter((path) => existsSync(join(world.root, path)))).toEqual([]);
  });

  test("86: a folder that is made anew and closed to its owner, and the project itself, are looked at all the same", () => {
    const [result] = world.run([{ lang: "bash", code: "rm -r shut; mkdir shut; echo n > shut/n.txt; chmod 0 shut ." }]);
    expect(result).toMatchObject({ success: true, data: { changed: [{ path: "shut/a.txt", change: "deleted" }, { path: "shut/b.txt", change: "deleted" }, { path: "shut/n.txt", change: "created" }] } });
    expect(readdirSync(join(world.root, "shut"))).toEqual(["n.txt"]);
  });

  test.skipIf(uid === 0)("104: where one change cannot be made none is, that and the output are told, and the next action sees the files as they are", () => {
    chmodSync(join(world.root, "fixed"), 0o555);
    const before = readFileSync(join(world.root, "src/a.txt"), "utf8");
    const [refused, next] = world.run([
      { lang: "bash", code: "echo early > early.txt; chmod 755 fixed; echo n > fixed/n.txt; echo late >> src/a.txt; echo told" },
      { lang: "bash", code: "test ! -e early.txt && cat src/a.txt" },
    ]);
    expect(refused).toMatchObject({ success: false, code: "file/permission", data: { stdout: "told\n" } });
    expect(refused?.data).not.toHaveProperty("changed");
    expect(next).toMatchObject({ success: true, data: { stdout: before } });
    expect([existsSync(join(world.root, "early.txt")), readdirSync(join(world.root, "fixed"))]).toEqual([false, ["a.txt"]]);
  });

  test("85: a protected name that moves with its parent does not land", () => {
    const [result] = world.run([{ lang: "bash", code: "mv pkg other; mkdir -p pkg/.vscode; echo '{}' > pkg/.vscode/tasks.json; echo 'touch x' > pkg/.envrc" }]);
    expect(result?.warnings?.join("\n")).toMatch(/pkg\/\.envrc|pkg\/\.vscode/);
    expect(["pkg/.vscode", "pkg/.envrc"].filter((path) => existsSync(join(world.root, path)))).toEqual([]);
    expect(existsSync(join(world.root, "other/b.txt"))).toBe(true);
  });
});

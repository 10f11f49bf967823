import { expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { runLoaf } from "../../support/run-loaf.ts";

const SHOP = "export class Cart {\n  add() {}\n}\n\nconst tax = 1;\n";

test("prints the addresses of a file, given relative to the current folder", async () => {
  const cwd = createFolder({ "loaf.yml": "version: 1\n", "src/shop.ts": SHOP });
  const ended = await runLoaf(["outline", "src/shop.ts"], { cwd });
  expect(ended).toEqual({ code: 0, stdout: "@@Cart  class, lines 1-3\n@@Cart@@add  method, line 2\n@@tax  variable, line 5\n", stderr: "" });
  expect((await runLoaf(["outline", "shop.ts@@Cart", "--root", cwd], { cwd: `${cwd}/src` })).stdout).toBe("@@Cart@@add  method, line 2\n");
});

test("prints JSON, with a limited number of levels", async () => {
  const cwd = createFolder({ "loaf.yml": "version: 1\n", "shop.ts": SHOP });
  const { stdout } = await runLoaf(["outline", "--json", "--levels", "1", "shop.ts"], { cwd });
  expect(JSON.parse(stdout)).toEqual([
    { address: "@@Cart", kind: "class", first_line: 1, last_line: 3 },
    { address: "@@tax", kind: "variable", first_line: 5, last_line: 5 },
  ]);
});

test.each([
  [["outline", "none.ts"], "File not found: '"],
  [["outline", "shp.ts"], "/shp.ts'; did you mean '"],
  [["outline", "notes.txt"], "has no addresses"],
  [["outline", "shop.ts@@Card"], "No '@@Card' in"],
  [["outline", "--levels", "0", "shop.ts"], "--levels must be a whole number of at least 1, not '0'"],
  [["outline", ".env.yml"], "fs-guard violation"],
])("%j is refused with exit code 2", async (args, sentence) => {
  const cwd = createFolder({ "loaf.yml": "version: 1\nfs-guard:\n  read: {deny: [\"**/.env*\"]}\n", "shop.ts": SHOP, "notes.txt": "x", ".env.yml": "a: 1" });
  const { code, stdout, stderr } = await runLoaf(args, { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain("ENOENT");
});

test("reports a file without parts on standard error", async () => {
  const cwd = createFolder({ "loaf.yml": "version: 1\n", "a.py": "print(1)\n" });
  expect(await runLoaf(["outline", "a.py"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "a.py has no parts\n" });
});

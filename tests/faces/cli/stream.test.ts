import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { program } from "../../support/run-loaf.ts";
import { write } from "./answers.ts";

function start(root: string) {
  const home = createFolder();
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
  const child = spawn(process.execPath, [program, "run", "-", "--stream"], { cwd: root, env });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return { child, printed: () => printed, ended: once(child, "close").then(([code]) => code as number | null) };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 10) {
    if (waited > 10_000) throw new Error("It did not come to that");
    await setTimeout(10);
  }
}

const project = () => createFolder({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n" });

test("loaf run - --stream runs a block before the text has ended", async () => {
  const root = project();
  const { child, printed, ended } = start(root);
  child.stdin.write(`Grüße\n${write("one", "a.txt", "ä")}`);
  await until(() => existsSync(join(root, "a.txt")));
  const rest = Buffer.from(write("two", "b.txt", "ö"));
  const middle = rest.indexOf("ö") + 1;
  child.stdin.write(rest.subarray(0, middle));
  await setTimeout(50);
  child.stdin.end(rest.subarray(middle));
  expect(await ended).toBe(0);
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("ö");
  expect(printed()).toContain("one ✅ file_write a.txt\ntwo ✅ file_write b.txt\n");
});

test("Ctrl-C ends it after the current action, and the report says so", async () => {
  const root = project();
  const { child, printed, ended } = start(root);
  child.stdin.write(write("one", "a.txt", "x"));
  await until(() => existsSync(join(root, "a.txt")));
  child.kill("SIGINT");
  expect(await ended).toBe(1);
  expect(printed()).toContain("one ✅ file_write a.txt\n❌ Stopped before the text ended: only the blocks before that were run\n");
});

test("invalid UTF-8 ends it there", async () => {
  const root = project();
  const { child, printed, ended } = start(root);
  child.stdin.write(write("one", "a.txt", "x"));
  child.stdin.end(Buffer.from([0x80, 0x0a]));
  expect(await ended).toBe(1);
  expect(printed()).toContain("The text could not be read to its end (Standard input is not UTF-8 text)");
  expect(existsSync(join(root, "a.txt"))).toBe(true);
});

test("streams a file as well", async () => {
  const root = project();
  writeFileSync(join(root, "answer.md"), write("one", "a.txt", "x"));
  const child = spawn(process.execPath, [program, "run", "answer.md", "--stream"], { cwd: root, stdio: "ignore", env: { ...process.env, XDG_STATE_HOME: createFolder() } });
  const [code] = (await once(child, "close")) as [number];
  expect([code, existsSync(join(root, "a.txt"))]).toEqual([0, true]);
});

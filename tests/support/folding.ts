/** A file system that folds case and Unicode forms, as those of macOS and Windows do: a folder, shown by a program of FUSE. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isComplete } from "./complete.ts";

export interface Folding {
  readonly path: string;
  remove(): void;
}

/** Why this machine mounts none, or undefined where it does. Throws in CI where only a program is missing, since there it is installed. */
export function whyNoFolding(): string | undefined {
  if (process.platform !== "linux" || process.geteuid?.() !== 0) return "only root can mount, on Linux";
  const tried = mountFolding();
  if ("path" in tried) tried.remove();
  return "path" in tried ? undefined : tried.reason;
}

/** @param keeps names as they were given, or in small letters */
export function mountFolding(keeps: "names" | "small letters" = "names"): Folding | { readonly reason: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loaf-folding-")));
  const [stored, path] = [join(folder, "stored"), join(folder, "mounted")];
  for (const one of [stored, path]) mkdirSync(one);
  writeFileSync(join(stored, "Name"), "");
  const server = spawn("/usr/bin/python3", [resolve("tests/support/folding.py"), stored, path, ...(keeps === "names" ? [] : [keeps])], { stdio: "ignore" });
  const remove = (): void => {
    spawnSync("umount", ["--lazy", path]);
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 50; tries++) {
    if (existsSync(join(path, "nAME"))) return { path, remove };
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    if (spawnSync("kill", ["-0", String(server.pid)]).status !== 0) break;
  }
  remove();
  const lacks = spawnSync("/usr/bin/python3", ["-c", "import fusepy"], { encoding: "utf8" });
  if (lacks.status !== 0 && isComplete) throw new Error(`python3-fusepy does not work: ${lacks.error?.message ?? lacks.stderr}`);
  return { reason: lacks.status === 0 ? "FUSE mounts nothing" : "python3-fusepy is not installed" };
}

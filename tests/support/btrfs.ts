/** A file system that can clone files: btrfs in a file, mounted as a loop device. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isComplete } from "./complete.ts";

export interface Btrfs {
  readonly path: string;
  remove(): void;
}

/** Why this machine mounts none, or undefined where it does. Throws in CI where only the program is missing, since there it is installed. */
export function whyNoBtrfs(): string | undefined {
  if (process.platform !== "linux" || process.geteuid?.() !== 0) return "only root can mount, on Linux";
  const tried = mountBtrfs();
  if ("path" in tried) tried.remove();
  return "path" in tried ? undefined : tried.reason;
}

export function mountBtrfs(): Btrfs | { readonly reason: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loaf-btrfs-")));
  const [image, path] = [join(folder, "image"), join(folder, "mounted")];
  const remove = (): void => {
    spawnSync("umount", ["--lazy", path]);
    rmSync(folder, { recursive: true, force: true });
  };
  mkdirSync(path);
  writeFileSync(image, "");
  truncateSync(image, 256 * 2 ** 20);
  const made = spawnSync("mkfs.btrfs", ["-q", image], { encoding: "utf8" });
  const mounted = made.status === 0 ? spawnSync("mount", ["-o", "loop", image, path], { encoding: "utf8" }) : made;
  if (mounted.status === 0) return { path, remove };
  remove();
  if (made.status !== 0 && isComplete) throw new Error(`mkfs.btrfs does not work: ${made.error?.message ?? made.stderr}`);
  return { reason: mounted.error?.message ?? mounted.stderr.trim() };
}

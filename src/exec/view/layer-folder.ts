import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";

/**
 * Removes a layer, whatever permissions a command gave to what is in it; the kernel's own work folder has none at all. What cannot be removed stays: the next
 * run tries again.
 *
 * @param path below which nobody changes anything
 */
export function removeLayer(path: string | Buffer): void {
  try {
    if (!lstatSync(path).isDirectory()) return unlinkSync(path);
    chmodSync(path, 0o700);
    for (const name of readdirSync(path, { encoding: "buffer" })) removeLayer(Buffer.concat([Buffer.from(path), Buffer.from("/"), name]));
    rmdirSync(path);
  } catch {
    // It is gone already, or another one's.
  }
}

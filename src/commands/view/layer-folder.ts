import { chmodSync, existsSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { tryOr } from "../../core/try-or.ts";

/**
 * Removes a layer, whatever permissions a command has set in it. The kernel's own work folder has none at all. Leaves
 * what cannot be removed to the next run.
 *
 * @param path below which nobody else changes anything
 */
export function removeLayer(path: string): void {
  // Moves each directory up before emptying it: a command can nest them deeper than the maximum path length.
  const waiting = [Buffer.from(path)];
  let number = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const name of openAndList(directory)) {
      const entry = Buffer.concat([directory, Buffer.from("/"), name]);
      ignoringErrors(() => {
        if (!lstatSync(entry).isDirectory()) return unlinkSync(entry);
        chmodSync(entry, 0o700);
        do number += 1;
        while (existsSync(`${path}/${number}`));
        const moved = Buffer.from(`${path}/${number}`);
        renameSync(entry, moved);
        waiting.push(moved);
      });
    }
    if (directory.toString() !== path) ignoringErrors(() => rmdirSync(directory));
  }
  ignoringErrors(() => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)));
}

function openAndList(directory: Buffer): Buffer[] {
  try {
    if (!lstatSync(directory).isDirectory()) return [];
    chmodSync(directory, 0o700);
    return readdirSync(directory, { encoding: "buffer" });
  } catch {
    return [];
  }
}

/** Ignores errors, such as missing files or files of other users: the next run tries again. */
function ignoringErrors(act: () => void): void {
  tryOr(act, undefined);
}

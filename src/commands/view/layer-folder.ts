import { chmodSync, existsSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";

/**
 * Removes a layer, whatever permissions a command gave to what is in it; the kernel's own work folder has none at all. What cannot be removed stays: the next
 * run tries again.
 *
 * @param path below which nobody changes anything
 */
export function removeLayer(path: string): void {
  // Each directory is moved up before it is emptied: a command can nest them deeper than any path may be long.
  const waiting = [Buffer.from(path)];
  let number = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const name of openedAndListed(directory)) {
      const entry = Buffer.concat([directory, Buffer.from("/"), name]);
      whereAllowed(() => {
        if (!lstatSync(entry).isDirectory()) return unlinkSync(entry);
        chmodSync(entry, 0o700);
        do number += 1;
        while (existsSync(`${path}/${number}`));
        const moved = Buffer.from(`${path}/${number}`);
        renameSync(entry, moved);
        waiting.push(moved);
      });
    }
    if (directory.toString() !== path) whereAllowed(() => rmdirSync(directory));
  }
  whereAllowed(() => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)));
}

function openedAndListed(directory: Buffer): Buffer[] {
  try {
    if (!lstatSync(directory).isDirectory()) return [];
    chmodSync(directory, 0o700);
    return readdirSync(directory, { encoding: "buffer" });
  } catch {
    return [];
  }
}

/** What is gone already, or another one's, is passed over. */
function whereAllowed(act: () => void): void {
  try {
    act();
  } catch {
    // The next run tries again.
  }
}

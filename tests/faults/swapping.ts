import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** What stands in the place outside and must never be read. */
export const SECRET = "secret of the place outside";

/** What is swapped for a link: the directory of the attacked path, or the file that is the path itself. */
export type Swap = "directory" | "leaf";

export interface Swapping {
  /** The path that is attacked, in the project's root. */
  readonly path: string;
  /** All that can be seen of the place outside, so also whether anything came there for a moment. */
  outside(): unknown;
  /** Ends it, and says how often it swapped. */
  stop(): Promise<number>;
}

/**
 * Another process begins to swap something in a project's root for a link to a place outside, as fast as it can.
 *
 * @param directory holds the root, and gets the place outside
 * @param pause the longest now and then, in milliseconds: without any, nothing that takes longer would ever succeed
 */
export async function startSwapping(swap: Swap, root: string, directory: string, pause = 0): Promise<Swapping> {
  const outside = join(directory, "outside");
  for (const [place, text] of [[outside, SECRET], [join(root, "spot"), "inside"]] as const) {
    mkdirSync(place);
    writeFileSync(join(place, "f.txt"), text);
  }
  const path = join(root, "spot/f.txt");
  const targets = swap === "directory" ? [join(root, "spot"), outside] : [path, join(outside, "f.txt")];
  const swapper = spawn(process.execPath, [join(import.meta.dirname, "swapper.mjs"), swap, ...targets, String(pause)], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void swapper.kill("SIGKILL"));
  let said = "";
  swapper.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(swapper.stdout, "data");
  return {
    path,
    outside: () => lookAt(outside),
    stop: async () => {
      swapper.kill("SIGTERM");
      await once(swapper, "close");
      return Number(said.trim().split("\n").at(-1));
    },
  };
}

function lookAt(directory: string): unknown {
  const { mtimeNs, ctimeNs } = lstatSync(directory, { bigint: true });
  const files = readdirSync(directory).map((name) => {
    const path = join(directory, name);
    const { ino, mode, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    return { name, ino, mode, mtimeNs, ctimeNs, text: readFileSync(path, "utf8") };
  });
  return { mtimeNs, ctimeNs, files };
}

/** The texts of all files in a directory and below, without following links. */
export function textsIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? textsIn(path) : entry.isFile() ? [readFileSync(path, "utf8")] : [];
  });
}

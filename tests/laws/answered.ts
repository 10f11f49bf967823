import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";

/** Runs a plain answer on a project of one file, with a yes to every question. Returns the file's text afterwards. */
export async function answered(path: string, text: string, answer: string): Promise<string> {
  const root = createFolder({ [path]: text });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  await loaf.execute(answer);
  return readFileSync(join(root, path), "utf8");
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";

/** Runs a plain answer on a project of one file, with a yes to every question. Returns the file's text afterwards. */
export async function answered(path: string, text: string, answer: string): Promise<string> {
  return (await answeredIn({ [path]: text }, answer, [path]))[path] ?? "";
}

/** The same on a project of several files. Returns the texts of `paths` afterwards, without those that are not there. */
export async function answeredIn(
  files: Readonly<Record<string, string>>,
  answer: string,
  paths: readonly string[] = Object.keys(files),
): Promise<Readonly<Record<string, string>>> {
  const root = createFolder(files);
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  await loaf.execute(answer);
  return Object.fromEntries(
    paths.flatMap((path) => (existsSync(join(root, path)) ? [[path, readFileSync(join(root, path), "utf8")]] : [])),
  );
}

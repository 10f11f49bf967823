import { readConfigFiles } from "../host/config-files.ts";
import { trust } from "../host/trust.ts";
import { visibleOnOneLine } from "../report/visible.ts";
import { widenings } from "../run/widening.ts";
import { print } from "./output.ts";
import { rootOf } from "./project.ts";
import { UsageError } from "./usage-error.ts";

/** `loaf trust`: says what becomes possible, and remembers the file as it is. */
export async function trustProject(options: { readonly root?: string }): Promise<void> {
  const root = rootOf(options.root);
  const files = await readConfigFiles(root);
  const { project } = files;
  if (project === undefined) throw new UsageError(`There is no loaf.yml in ${root}: nothing to trust`);
  const opened = widenings(root, files).map((rule) => `\n  ${visibleOnOneLine(rule)}`);
  print(`${visibleOnOneLine(project.path)} ${opened.length === 0 ? "opens nothing that the defaults do not." : `may open more than the defaults do:${opened.join("")}`}`);
  trust(root, project.text);
  print("It is trusted as it is now.");
}

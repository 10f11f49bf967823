import { readConfigFiles } from "../host/config-files.ts";
import { trust } from "../host/trust.ts";
import { wideningRules } from "../run/widening.ts";
import { print } from "./output.ts";
import { rootOf } from "./project.ts";
import { UsageError } from "./usage-error.ts";

/** `loaf trust`: says what becomes possible, and remembers the file as it is. */
export async function trustProject(options: { readonly root?: string }): Promise<void> {
  const root = rootOf(options.root);
  const files = await readConfigFiles(root);
  const { project } = files;
  if (project === undefined) throw new UsageError(`There is no loaf.yml in ${root}: nothing to trust`);
  trust(root, project.text);
  const rules = wideningRules(root, files);
  const opened = rules.length === 0 ? "It opens nothing that the defaults do not." : `It may open more than the defaults do:\n${rules.map((rule) => `  ${rule}`).join("\n")}`;
  print(`Trusted ${project.path} as it is now. ${opened}`);
}

import { listSettings, type Setting } from "../config/listing.ts";
import { readConfigFiles, type ConfigFile } from "../host/config-files.ts";
import { visibleOnOneLine } from "../report/visible.ts";
import { paint, print } from "./output.ts";
import { rootOf } from "./project.ts";

/** `loaf config`: what holds here, and which file said so. */
export async function showConfig(options: { readonly root?: string; readonly json?: boolean }): Promise<void> {
  const root = rootOf(options.root);
  const { user, project } = await readConfigFiles(root);
  const files = [user, project].filter((file): file is ConfigFile => file !== undefined);
  const settings = listSettings(files.map(({ path, config }) => ({ source: path, config })));
  if (options.json) print(JSON.stringify({ root, settings }, undefined, 2));
  else print([`root: ${visibleOnOneLine(root)}`, "", ...table(settings)].join("\n"));
}

function table(settings: readonly Setting[]): string[] {
  const rows = settings.map(({ key, value, from }) => ({
    key,
    value: value === undefined ? "-" : visibleOnOneLine(JSON.stringify(value), 60),
    from: from.length === 0 ? "default" : visibleOnOneLine(from.join(", ")),
  }));
  const width = (column: "key" | "value") => Math.max(...rows.map((row) => row[column].length));
  const widths = { key: width("key"), value: width("value") };
  return rows.map(({ key, value, from }) => `${key.padEnd(widths.key)}  ${value.padEnd(widths.value)}  ${paint("dim", from)}`);
}

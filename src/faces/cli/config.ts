import { initSettings } from "../../config/defaults.ts";
import { listSettings, type Setting, valueAt } from "../../config/listing.ts";
import { mergeConfigs } from "../../config/merge.ts";
import { largest } from "../../core/lists.ts";
import { withoutTrust } from "../../trust/without-trust.ts";
import { readConfigFiles, type ConfigFile, type ConfigFiles } from "../../state/config-files.ts";
import { isTrusted } from "../../trust/trust.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { widenings } from "../../run/read-settings.ts";
import type { CommandOptions } from "./options.ts";
import { paint, print, printJson } from "./output.ts";
import { rootOf } from "./project.ts";

interface Shown extends Setting {
  /** The value that an untrusted loaf.yml asks for and does not get. */
  readonly untrusted?: unknown;
}

/** `loaf config` */
export async function showConfig(options: CommandOptions): Promise<void> {
  const root = rootOf(options.root);
  const settings = effectiveSettings(root, await readConfigFiles(root));
  if (options.json) printJson({ root, settings });
  else print([`root: ${visibleOnOneLine(root)}`, "", ...table(settings)].join("\n"));
}

function effectiveSettings(root: string, files: ConfigFiles): Shown[] {
  const { user, project } = files;
  const list = (...all: ReadonlyArray<ConfigFile | undefined>) =>
    listSettings([
      { source: "as loaf init would write it", config: initSettings },
      ...all.flatMap((file) => (file === undefined ? [] : [{ source: file.path, config: file.config }])),
    ]);
  const asked = list(user, project);
  if (project === undefined) return asked;
  const opened = widenings(root, files);
  if (opened.length === 0 || isTrusted(root, project.text)) return asked;
  const withoutProject = mergeConfigs(initSettings, user?.config ?? {});
  const all = mergeConfigs(initSettings, user?.config ?? {}, project.config);
  const { settings } = withoutTrust(all, withoutProject);
  const fromUser = list(user);
  return asked.map((setting, index) => {
    const value = valueAt(settings, setting.key);
    if (isSame(value, setting.value))
      return isHalfOpen(setting, opened) ? { ...setting, untrusted: setting.value } : setting;
    return {
      ...setting,
      value,
      from: isSame(value, fromUser[index]?.value) ? (fromUser[index]?.from ?? []) : setting.from,
      untrusted: setting.value,
    };
  });
}

/** Permissions of an untrusted file count only if the user's own rules grant them too. */
function isHalfOpen({ key, from }: Setting, opened: readonly string[]): boolean {
  const [, access] = /^fs-guard\.(read|write)\.allow$/.exec(key) ?? [];
  return access !== undefined && from.length > 0 && opened.some((widening) => widening.startsWith(`${access} `));
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function table(settings: readonly Shown[]): string[] {
  const rows = settings.map((setting) => ({
    key: setting.key,
    value: setting.value === undefined ? "-" : shortened(setting.value),
    from: (setting.from.length === 0 ? "default" : visibleOnOneLine(setting.from.join(", "))) + noteOn(setting),
  }));
  const width = (column: "key" | "value") => largest(rows.map((row) => row[column].length));
  const widths = { key: width("key"), value: width("value") };
  return rows.map(
    ({ key, value, from }) => `${key.padEnd(widths.key)}  ${value.padEnd(widths.value)}  ${paint("dim", from)}`,
  );
}

function noteOn({ untrusted, value }: Shown): string {
  if (untrusted === undefined) return "";
  if (isSame(untrusted, value)) return "; applies only where your own rules allow it too, until loaf.yml is trusted";
  return `; loaf.yml asks for ${shortened(untrusted)}, which applies once it is trusted`;
}

function shortened(value: unknown): string {
  return visibleOnOneLine(JSON.stringify(value), 60);
}

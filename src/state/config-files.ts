/** Reads the configuration files of the user and the project. */
import { join } from "node:path";
import { MAX_CONFIG_LENGTH, parseConfig } from "../config/parse.ts";
import { ConfigError } from "../config/problem.ts";
import type { Config } from "../config/schema.ts";
import { InputError, readTextFile } from "./input.ts";
import { userConfigPath } from "./places.ts";

export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly config: Config;
  /** A setting that this file may not change: `exec.sandbox: off`. */
  readonly ignored?: string;
}

export interface ConfigFiles {
  readonly user?: ConfigFile;
  readonly project?: ConfigFile;
}

/** Reads those that exist. Throws `ConfigError`. */
export async function readConfigFiles(root: string): Promise<ConfigFiles> {
  const user = await readConfigFile(userConfigPath());
  const project = await readConfigFile(projectConfigPath(root), "loaf.yml");
  return { ...(user && { user }), ...(project && { project: withoutSandboxChoice(project) }) };
}

/** Ignores a project's choice to run commands without a sandbox, even if trusted. Only the user may choose that. */
function withoutSandboxChoice(file: ConfigFile): ConfigFile {
  const { sandbox, ...exec } = file.config.exec ?? {};
  if (sandbox === undefined || sandbox === "required") return file;
  return { ...file, config: { ...file.config, exec }, ignored: `exec.sandbox: ${sandbox}` };
}

export function projectConfigPath(root: string): string {
  return join(root, "loaf.yml");
}

async function readConfigFile(path: string, source = path): Promise<ConfigFile | undefined> {
  const text = await readConfigText(path, source);
  return text === undefined ? undefined : { path, text, config: await parseConfig(text, source) };
}

async function readConfigText(path: string, source: string): Promise<string | undefined> {
  try {
    return await readTextFile(path, MAX_CONFIG_LENGTH);
  } catch (thrown) {
    if (thrown instanceof InputError) throw new ConfigError([{ source, message: `The file ${thrown.reason}` }]);
    throw thrown;
  }
}

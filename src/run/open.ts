import { homedir } from "node:os";
import { dirname } from "node:path";
import type { ActionContext } from "../actions/define.ts";
import { neededPaths } from "../actions/validate.ts";
import { mergeConfigs } from "../config/merge.ts";
import type { GuardRules } from "../config/guard-rules.ts";
import type { Config, Settings } from "../config/schema.ts";
import { withoutTrust } from "../config/without-trust.ts";
import { starterConfig } from "../config/starter.ts";
import type { Change } from "../core/change.ts";
import { Failed } from "../core/failure.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { type ConfigFiles, projectConfigPath, readConfigFiles } from "../host/config-files.ts";
import { writeNewFile } from "../host/new-file.ts";
import { stateFolders, userConfigPath } from "../host/places.ts";
import { canonicalDirectory, findRoot } from "../host/root.ts";
import { createSearch } from "../search/search.ts";
import type { Project } from "../search/walk.ts";
import type { Format } from "../syntax/format.ts";
import { Disk } from "../workspace/disk.ts";
import { createGuard, type Guard } from "../workspace/guard.ts";
import { narrow } from "../workspace/narrow.ts";
import { Overlay } from "../workspace/overlay.ts";
import { ProjectFiles } from "../workspace/project-files.ts";
import type { Volume } from "../workspace/volume.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { TailFinder } from "./find-by-tail.ts";
import type { ContextFor } from "./perform.ts";
import type { Action } from "./resolve.ts";
import { createReadBudget } from "./read-budget.ts";
import { type Listener, run } from "./run.ts";

export interface LoafOptions {
  /** The project's root; without it the nearest folder upwards from the current one with a loaf.yml or .git, else the current one. */
  readonly repoPath?: string;
  /** Settings in the shape of loaf.yml. They count as the user's own and go before those in files. */
  readonly config?: Config;
  /** Write a commented loaf.yml where the root has none. */
  readonly createConfigIfMissing?: boolean;
  /** Change nothing; `changes()` tells what would have changed. */
  readonly dryRun?: boolean;
  /** Whether the project's loaf.yml may open more than the defaults do, or what decides that once it was read. True unless said otherwise. */
  readonly trustProject?: boolean | ((root: string, files: ConfigFiles) => boolean | Promise<boolean>);
  /** Called with each result as it happens, and waited for before the next block. When it fails it is not called again. */
  readonly onEvent?: Listener;
}

export interface ExecuteOptions {
  /** The syntax to read; without it the text tells. */
  readonly format?: Format;
}

/**
 * A project, opened to run answers in it.
 *
 * @example
 * const loaf = await Loaf.create({ repoPath: "/path/to/project" });
 * const { success, results } = await loaf.execute(answer);
 */
export class Loaf {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
  readonly #options: LoafOptions;
  readonly #rules: readonly GuardRules[];
  readonly #overlay: Overlay | undefined;
  readonly #files: Files;
  #configCreated: string | undefined;

  private constructor(root: string, settings: Settings, rules: readonly GuardRules[], options: LoafOptions) {
    this.root = root;
    this.settings = settings;
    this.#options = options;
    this.#rules = rules;
    this.#overlay = options.dryRun === true ? new Overlay(new Disk()) : undefined;
    this.#files = this.#filesOn(this.#overlay ?? new Disk());
  }

  /** Reads the configuration and opens the project. Throws `ConfigError` where the configuration is wrong, and an `Error` where the root is no directory or cannot be read. */
  static async create(options: LoafOptions = {}): Promise<Loaf> {
    const root = options.repoPath === undefined ? findRoot() : canonicalDirectory(options.repoPath);
    if (root === undefined) throw new Error(`repoPath '${options.repoPath}' is not a directory`);
    const configCreated = options.createConfigIfMissing === true && options.dryRun !== true && writeNewFile(projectConfigPath(root), starterConfig);
    const files = await readConfigFiles(root);
    const [user, project] = [files.user?.config ?? {}, files.project?.config ?? {}];
    const given = options.config === undefined ? {} : (await import("../config/check.ts")).configFromObject(options.config);
    const [asked, own] = [mergeConfigs(user, project, given), mergeConfigs(user, given)];
    const { trustProject = true } = options;
    const isTrusted = typeof trustProject === "function" ? await trustProject(root, files) : trustProject;
    const settings = isTrusted ? asked : withoutTrust(asked, own).settings;
    // Without trust a path has to be open by the user's own rules as well.
    const rules = isTrusted ? [asked["fs-guard"]] : [asked["fs-guard"], own["fs-guard"]];
    const loaf = new Loaf(root, settings, rules, options);
    if (configCreated) loaf.#configCreated = projectConfigPath(root);
    return loaf;
  }

  /** Runs every block of a text in its order. Never throws: what fails is data in the result. */
  async execute(text: string, { format }: ExecuteOptions = {}): Promise<ExecutionResult> {
    const budgeted = createReadBudget();
    const contextOn = (files: Files): ContextFor => (action) => this.#contextFor(action, files, budgeted);
    const tails = new TailFinder(this.#files, this.#projectOf(this.#files));
    const result = await run(text, {
      settings: this.settings,
      format,
      onEvent: this.#options.onEvent,
      contextFor: contextOn(this.#files),
      rehearsal: () => contextOn(this.#filesOn(new Overlay(this.#files.volume))),
      place: (action) => tails.place(action),
    });
    return {
      ...result,
      ...(this.#overlay !== undefined && { dryRun: true }),
      ...(this.#configCreated !== undefined && { configCreated: this.#configCreated }),
    };
  }

  /** A file's text as it is now (in a dry run: as it would be) and its path with links resolved, or undefined where it cannot or may not be read. */
  peek(path: string): { readonly path: string; readonly text: string } | undefined {
    const { workspace, guard } = this.#files;
    const text = workspace.peek(path);
    if (text === undefined) return undefined;
    return { text, path: guard.admit({ path, access: ["read"], of: "target", names: "file", syscall: "open" }).path };
  }

  /** What a dry run has changed so far, by path, without the bytes of what may not be read; nothing where this is no dry run. */
  changes(): Change[] {
    return this.#overlay?.changes((path) => this.#files.guard.refusal(path, "read") === undefined) ?? [];
  }

  #contextFor({ definition, params }: Action, files: Files, budgeted: (workspace: Workspace) => Workspace): ActionContext {
    const allowed = this.settings["allowed-actions"];
    if (allowed !== undefined && !allowed.includes(definition.name)) throw new Failed({ code: "action/not-allowed", action: definition.name, allowed });
    const workspace = budgeted(narrow(files.workspace, neededPaths(definition, params)));
    return { workspace, search: createSearch(workspace, this.#projectOf(files)) };
  }

  #projectOf({ guard, workspace }: Files): Project {
    const locate = (directory: string) => guard.admit({ path: directory, access: ["read"], of: "target", names: "directory", syscall: "scandir" }).path;
    return { root: this.root, locate, readIgnoreFile: (path) => workspace.peek(path) };
  }

  #filesOn(volume: Volume): Files {
    const [root, { limits, edits }] = [this.root, this.settings];
    const guard = createGuard({ volume, root, home: homedir(), rules: this.#rules, platform: process.platform, sealed: stateFolders(), readOnly: [dirname(userConfigPath()), userConfigPath()] });
    return { volume, guard, workspace: new ProjectFiles({ volume, guard, maxFileSize: limits.max_file_size, finalNewline: edits.final_newline }) };
  }
}

/** The project's files on a volume. */
interface Files {
  readonly volume: Volume;
  readonly guard: Guard;
  readonly workspace: Workspace;
}

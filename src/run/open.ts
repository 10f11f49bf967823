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
import { Disk } from "../workspace/disk.ts";
import { createGuard, type Guard } from "../workspace/guard.ts";
import { LineMoves } from "../workspace/line-moves.ts";
import { narrow } from "../workspace/narrow.ts";
import { Overlay } from "../workspace/overlay.ts";
import { ProjectFiles } from "../workspace/project-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
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
  readonly #overlay: Overlay | undefined;
  readonly #guard: Guard;
  readonly #workspace: Workspace;
  #configCreated: string | undefined;

  private constructor(root: string, settings: Settings, rules: readonly GuardRules[], options: LoafOptions) {
    this.root = root;
    this.settings = settings;
    this.#options = options;
    const disk = new Disk();
    this.#overlay = options.dryRun === true ? new Overlay(disk) : undefined;
    const volume = this.#overlay ?? disk;
    this.#guard = createGuard({ volume, root, home: homedir(), rules, platform: process.platform, sealed: stateFolders(), readOnly: [dirname(userConfigPath()), userConfigPath()] });
    this.#workspace = new ProjectFiles({ volume, guard: this.#guard, maxFileSize: settings.limits.max_file_size, finalNewline: settings.edits.final_newline });
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
  async execute(text: string): Promise<ExecutionResult> {
    const budgeted = createReadBudget();
    const moves = new LineMoves();
    const contextFor = (action: Action) => this.#contextFor(action, (workspace) => moves.watch(budgeted(workspace)), moves);
    const result = await run(text, { settings: this.settings, onEvent: this.#options.onEvent, contextFor });
    return {
      ...result,
      ...(this.#overlay !== undefined && { dryRun: true }),
      ...(this.#configCreated !== undefined && { configCreated: this.#configCreated }),
    };
  }

  /** A file's text as it is now (in a dry run: as it would be) and its path with links resolved, or undefined where it cannot or may not be read. */
  peek(path: string): { readonly path: string; readonly text: string } | undefined {
    const text = this.#workspace.peek(path);
    if (text === undefined) return undefined;
    return { text, path: this.#guard.admit({ path, access: ["read"], of: "target", names: "file", syscall: "open" }).path };
  }

  /** What a dry run has changed so far, by path, without the bytes of what may not be read; nothing where this is no dry run. */
  changes(): Change[] {
    return this.#overlay?.changes((path) => this.#guard.refusal(path, "read") === undefined) ?? [];
  }

  #contextFor({ definition, params }: Action, watched: (workspace: Workspace) => Workspace, moves: LineMoves): ActionContext {
    const allowed = this.settings["allowed-actions"];
    if (allowed !== undefined && !allowed.includes(definition.name)) throw new Failed({ code: "action/not-allowed", action: definition.name, allowed });
    const workspace = watched(narrow(this.#workspace, neededPaths(definition, params)));
    const locate = (directory: string) => this.#guard.admit({ path: directory, access: ["read"], of: "target", names: "directory", syscall: "scandir" }).path;
    const project = { root: this.root, locate, readIgnoreFile: (path: string) => this.#workspace.peek(path) };
    return {
      workspace,
      search: createSearch(workspace, project),
      match: this.settings.edits.match,
      linesMovedBefore: (path, offset) => moves.before(path, offset),
    };
  }
}

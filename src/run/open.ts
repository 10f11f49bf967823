import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { ActionContext } from "../actions/define.ts";
import { neededPaths } from "../actions/validate.ts";
import { mergeConfigs } from "../config/merge.ts";
import type { GuardRules } from "../config/guard-rules.ts";
import type { Config, Settings } from "../config/schema.ts";
import { withoutTrust } from "../config/without-trust.ts";
import { starterConfig } from "../config/starter.ts";
import { ContextSet, type ContextView } from "../context/context-set.ts";
import type { Change } from "../core/change.ts";
import { explain } from "../core/explain.ts";
import { Failed } from "../core/failure.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { type ConfigFiles, projectConfigPath, readConfigFiles } from "../host/config-files.ts";
import { writeNewFile } from "../host/new-file.ts";
import { findRipgrep } from "../host/find-ripgrep.ts";
import { stateFolders, userConfigPath } from "../host/places.ts";
import { canonicalDirectory, findRoot } from "../host/root.ts";
import { createSearch, type Search } from "../search/search.ts";
import { AddressedFiles } from "../workspace/addressed-files.ts";
import { Disk } from "../workspace/disk.ts";
import { createGuard, type Guard } from "../workspace/guard.ts";
import { checkOf, narrow } from "../workspace/narrow.ts";
import { Overlay } from "../workspace/overlay.ts";
import { ProjectFiles } from "../workspace/project-files.ts";
import { createTree, type Tree } from "../workspace/tree.ts";
import type { OutlineEntry, Workspace } from "../workspace/workspace.ts";
import { createContextView, filesBelow } from "./context-view.ts";
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
  readonly #workspace: AddressedFiles;
  readonly #tree: Tree;
  #context: ContextSet | undefined;
  #configCreated: string | undefined;

  private constructor(root: string, settings: Settings, rules: readonly GuardRules[], options: LoafOptions) {
    this.root = root;
    this.settings = settings;
    this.#options = options;
    const disk = new Disk();
    this.#overlay = options.dryRun === true ? new Overlay(disk) : undefined;
    const volume = this.#overlay ?? disk;
    this.#guard = createGuard({ volume, root, home: homedir(), rules, platform: process.platform, sealed: stateFolders(), readOnly: [dirname(userConfigPath()), userConfigPath()] });
    const files = new ProjectFiles({ volume, guard: this.#guard, maxFileSize: settings.limits.max_file_size, finalNewline: settings.edits.final_newline });
    this.#workspace = new AddressedFiles(files, this.#guard);
    this.#tree = createTree(volume, this.#guard, () => this.#overlay?.touched() ?? []);
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
    const contextFor = (action: Action) => this.#contextFor(action, budgeted);
    const result = await run(text, { settings: this.settings, onEvent: this.#options.onEvent, contextFor });
    return {
      ...result,
      ...(this.#overlay !== undefined && { dryRun: true }),
      ...(this.#configCreated !== undefined && { configCreated: this.#configCreated }),
    };
  }

  /** A file's text, or that of a part with an address, as it is now (in a dry run: as it would be) and its path with links resolved, or undefined where it cannot or may not be read. */
  peek(path: string): { readonly path: string; readonly text: string } | undefined {
    const text = this.#workspace.peek(path);
    if (text === undefined) return undefined;
    const { file, address } = this.#workspace.split(path);
    return { text, path: this.#guard.admit({ path: file, access: ["read"], of: "target", names: "file", syscall: "open" }).path + address };
  }

  /** What has an address in a file, or in a part of it, down to so many levels. Throws an `Error` with a sentence where that cannot be told. */
  async outline(path: string, levels = Infinity): Promise<OutlineEntry[]> {
    try {
      return await this.#workspace.outline(path, levels);
    } catch (thrown) {
      throw thrown instanceof Failed ? new Error(explain(thrown.failure), { cause: thrown }) : thrown;
    }
  }

  /** What a dry run has changed so far, by path, without the bytes of what may not be read; nothing where this is no dry run. */
  changes(): Change[] {
    return this.#overlay?.changes((path) => this.#guard.refusal(path, "read") === undefined) ?? [];
  }

  /** What is kept in view for this project. */
  get context(): ContextSet {
    const view = (): ContextView => createContextView({ root: this.root, tree: this.#tree, workspace: this.#workspace });
    this.#context ??= new ContextSet(this.root, view(), this.#overlay === undefined);
    return this.#context;
  }

  /** The project's files for reading, as far as they may be read and no ignore file hides them, by their paths from the root on. */
  get view(): { readonly files: readonly string[]; read(file: string): string | undefined } {
    return { files: filesBelow(this.#tree, this.root, this.root), read: (file) => this.#workspace.peek(join(this.root, file)) };
  }

  #search(checkGranted: (path: string) => void): Search {
    return createSearch({ tree: this.#tree, root: this.root, ripgrep: findRipgrep, checkGranted });
  }

  async #contextFor({ definition, params }: Action, budgeted: (workspace: Workspace) => Workspace): Promise<ActionContext> {
    const allowed = this.settings["allowed-actions"];
    if (allowed !== undefined && !allowed.includes(definition.name)) throw new Failed({ code: "action/not-allowed", action: definition.name, allowed });
    const grants = neededPaths(definition, params);
    for (const { path, access, takesAddress } of grants) if (!takesAddress) this.#workspace.refuseAddress(path, access);
    await this.#workspace.prepare(grants.map(({ path }) => path));
    this.context.noteNamed(grants.map(({ path }) => path));
    const check = checkOf(grants);
    const search = this.#search((path) => check(path, "read"));
    const outline = (path: string, levels: number) => (check(path, "read"), this.#workspace.outline(path, levels));
    return { workspace: budgeted(narrow(this.#workspace, grants)), search, outline, context: this.context };
  }
}

/** Runs in repositories, for tests. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, vi } from "vitest";
import type { ExecutionResult } from "../../../src/core/outcome.ts";
import { type Config, Loaf, type LoafOptions } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { gitEnvironment, type TestRepository } from "../../support/repository.ts";

/** Before each test: a state folder of its own, and none of the developer's settings. */
export function prepare(): void {
  vi.stubEnv("XDG_STATE_HOME", createFolder());
  for (const [name, value] of Object.entries(gitEnvironment)) vi.stubEnv(name, value);
}

const block = (action: string, properties: Readonly<Record<string, string>>) => printBlock("abc", { action, ...properties });
export const write = (path: string, content: string) => block("file_write", { path, content });
export const replace = (path: string, from: string, to: string) => block("file_replace_text", { path, old_text: from, new_text: to });
export const move = (from: string, to: string) => block("file_move", { old_path: from, new_path: to });
export const remove = (path: string) => block("file_delete", { path });

type In = Pick<TestRepository, "root">;

/** Roots of repositories whose hooks run. */
const hooked = new Set<string>();

export function open({ root }: In, config: Config = {}, options: LoafOptions = {}): Promise<Loaf> {
  const git = { hooks: hooked.has(root), ...config.git };
  return Loaf.create({ repoPath: root, config: { relative_paths: true, ...config, git }, ...options });
}

/** Every block has to succeed. */
export async function run(repository: In, ...blocks: string[]): Promise<ExecutionResult> {
  return runWith(repository, {}, ...blocks);
}

export async function runWith(repository: In, { config, ...options }: LoafOptions, ...blocks: string[]): Promise<ExecutionResult> {
  const loaf = await open(repository, config, options);
  const result = await loaf.execute(blocks.join("\n"));
  expect([result.fatalError, ...result.results.map(({ error }) => error), ...result.parseErrors.map(({ message }) => message)].filter((error) => error !== undefined)).toEqual([]);
  return result;
}

/** Subjects, the newest first. */
export const subjects = ({ git }: TestRepository) => git("log", "--format=%s").split("\n");

/** What a commit changed: `M a.txt`, sorted. */
export const changedIn = ({ git }: TestRepository, commit = "HEAD") =>
  git("show", "--format=", "--name-status", "--no-renames", "-z", commit).split("\0").slice(0, -1).reduce<string[]>((all, word, index, words) => (index % 2 === 0 ? [...all, `${word} ${words[index + 1]}`] : all), []).toSorted();

export const status = ({ git }: TestRepository) => git("status", "--porcelain").split("\n").filter((line) => line !== "");

export function put({ root }: In, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

export const read = ({ root }: In, path: string) => readFileSync(join(root, path), "utf8");

/** Writes a hook and switches hooks on. */
export function hook(repository: In, name: string, ...lines: string[]): void {
  hooked.add(repository.root);
  hookFile(repository, name, ...lines);
}

/** @param lines of a shell script */
export function hookFile(repository: In, name: string, ...lines: string[]): void {
  put(repository, `.git/hooks/${name}`, ["#!/bin/sh", ...lines, ""].join("\n"));
  chmodSync(join(repository.root, `.git/hooks/${name}`), 0o755);
}

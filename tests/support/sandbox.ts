/**
 * A fresh directory for one case. What a case calls `/project` is the project's root in it, and paths below `/tmp/t_…` and
 * `/tmp/001-…` are moved into it too; results are translated back, so that a case's text never depends on where it ran.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

export interface Sandbox {
  /** The directory's own path: everything of the case is in it. */
  readonly directory: string;
  /** The project's root in it. */
  readonly root: string;
  /** A case's text, with its paths moved into the sandbox. */
  inward(text: string): string;
  /** Any value out of a run, with all paths as the case writes them. */
  outward<Value>(value: Value): Value;
  /** Where a path of the case lies: relative ones are relative to the root. */
  locate(path: string): string;
  remove(): void;
}

export function createSandbox(): Sandbox {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loaf-case-")));
  const root = join(directory, "project");
  mkdirSync(root);
  mkdirSync(join(directory, "tmp"));
  const inward = (text: string): string =>
    text.replaceAll(/(?<![\w./-])\/tmp\/(?=t_|\d{3}-)/g, `${directory}/tmp/`).replaceAll(/(?<![\w./-])\/project(?![\w.-])/g, root);
  return {
    directory,
    root,
    inward,
    outward: (value) => mapStrings(value, (text) => text.replaceAll(`${directory}/tmp/`, "/tmp/").replaceAll(root, "/project")),
    locate: (path) => resolve(root, inward(path)),
    remove: () => {
      makeRemovable(directory);
      rmSync(directory, { recursive: true });
    },
  };
}

/** Every file, link and directory below a directory, as one comparable value. Follows no links: of long chains of them the kernel gives up at different lengths. */
export function snapshot(directory: string): Readonly<Record<string, string>> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => relative(directory, join(entry.parentPath, entry.name))).toSorted();
  return Object.fromEntries(entries.map((name) => [name, describeEntry(join(directory, name))]));
}

function describeEntry(path: string): string {
  const stats = lstatSync(path);
  const mode = (stats.mode & 0o777).toString(8);
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  return stats.isFile() ? `${mode} ${readFileSync(path).toString("latin1")}` : `${mode} directory`;
}

function mapStrings<Value>(value: Value, change: (text: string) => string): Value;
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}

/** A case may have taken away the right to list or empty a directory. */
function makeRemovable(directory: string): void {
  if (!existsSync(directory)) return;
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) makeRemovable(join(directory, entry.name));
  }
}

/** `loaf mcp --install HOST`: shows the host's configuration with the server in it, and with `--write` changes it. */
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import type { Content } from "../../core/change.ts";
import { unifiedDiff } from "../../report/diff.ts";
import { HOSTS } from "../mcp/hosts.ts";
import { complain, print } from "./output.ts";
import { ownRootOf } from "./project.ts";
import { paintDiff } from "./reports.ts";
import { UsageError } from "./usage-error.ts";

interface InstallOptions {
  readonly root?: string;
  readonly install: string;
  readonly write?: boolean;
  /** Options of the server, as words. */
  readonly serverOptions: readonly string[];
}

export function installInHost({ install, write = false, serverOptions, ...options }: InstallOptions): void {
  const host = HOSTS[install];
  if (host === undefined) return;
  const root = ownRootOf(options.root);
  const folder = host.below === "home" ? homedir() : root;
  const path = join(folder, host.file);
  // The project's file may be shared with others, whose projects are elsewhere: their hosts start the server in it.
  const place = host.below === "home" || options.root !== undefined ? ["--root", root] : [];
  const server = { command: "loaf", args: ["mcp", ...place, ...serverOptions] };
  const alone = host.withServer(undefined, server);
  if (!write) return showFor(path, alone);
  const before = textAt(path);
  let after: string;
  try {
    after = host.withServer(before, server);
  } catch (thrown) {
    print(alone);
    throw new UsageError(`${path} was not changed: ${messageOf(thrown)}. Add this to it`);
  }
  if (after === before) return complain(`${path} has the server already`);
  print(
    paintDiff(
      unifiedDiff([{ path, before: before === undefined ? undefined : fileOf(before), after: fileOf(after) }], folder),
    ),
  );
  replace(path, after);
  complain(`${before === undefined ? "Wrote" : "Changed"} ${path}: the host starts the server from now on`);
}

function showFor(path: string, text: string): void {
  print(text);
  complain(`Merge this into ${path}, or let --write do it`);
}

/** Undefined if there is no file. Throws `UsageError` if it cannot be read, or is no file of its own. */
function textAt(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // A link may lead to a file that is not to be changed.
  if (!stats.isFile()) throw new UsageError(`${path} is not a regular file`);
  return readFileSync(path, "utf8");
}

function replace(path: string, text: string): void {
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
  const unfinished = `${path}.${process.pid}.tmp`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(unfinished, text, { flag: "wx", mode: mode & 0o777 });
    renameSync(unfinished, path);
  } catch (thrown) {
    rmSync(unfinished, { force: true });
    throw thrown;
  }
}

function fileOf(text: string): Content {
  return { kind: "file", mode: 0o644, size: Buffer.byteLength(text), bytes: Buffer.from(text) };
}

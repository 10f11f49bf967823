/** A terminal that tmux draws: what a person sees of the built command. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { createFolder } from "./folder.ts";
import { program } from "./run-loaf.ts";
import { isComplete } from "./complete.ts";

export const hasTmux = existsSync("/usr/bin/tmux");
if (!hasTmux && isComplete) throw new Error("tmux is missing: the setup installs it");

export interface Terminal {
  readonly root: string;
  readonly tmux: (...args: readonly string[]) => string;
  /** What is on it now. */
  readonly screen: () => string;
  /** The same, but lines that the terminal broke are whole again. */
  readonly unbroken: () => string;
  readonly keys: (...keys: readonly string[]) => void;
  readonly shows: (pattern: RegExp) => Promise<void>;
}

interface TerminalOptions {
  /** Those of the project: path to content. */
  readonly files?: Readonly<Record<string, string>>;
  /** Options of Node. */
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** Its kind, which programs see as TERM. */
  readonly term?: string;
  /** Where the folder is made that holds the project, as `project`. */
  readonly parent?: string;
}

export function openTerminal({ files = {}, node = "", env: more = {}, columns = 160, term = "screen", parent }: TerminalOptions = {}): Terminal {
  const folder = createFolder(Object.fromEntries(Object.entries(files).map(([path, content]) => [`project/${path}`, content])), parent);
  const root = join(folder, "project");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(folder, "loaf"), `#!/bin/sh\nexec '${process.execPath}' ${node} '${program}' "$@"\n`);
  chmodSync(join(folder, "loaf"), 0o755);
  // As root, some shells ignore that of the environment.
  writeFileSync(join(folder, "profile"), "PS1='$ '\n");
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state"), ENV: join(folder, "profile"), LANG: "C.UTF-8", NO_COLOR: "1", DISPLAY: ":4711", ...more, PATH: `${folder}:${more["PATH"] ?? process.env["PATH"]}` };
  const socket = join(folder, "tmux");
  const tmux = (...args: readonly string[]): string => execFileSync("/usr/bin/tmux", ["-S", socket, "-f", "/dev/null", ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  tmux("-u", "start-server", ";", "set-option", "-g", "default-terminal", term, ";", "new-session", "-d", "-x", String(columns), "-y", "50", "-c", root, "sh");
  const shell = tmux("display-message", "-p", "#{pane_pid}").trim();
  onTestFinished(async () => {
    tmux("kill-server");
    // What that ends may still write into its folder, which goes next.
    while (spawnSync("ps", ["-o", "pid=", "-s", shell]).stdout.length > 0) await setTimeout(20);
  });
  const screen = (...options: readonly string[]): string => tmux("capture-pane", "-p", ...options).replaceAll(/[ \t]+$/gm, "");
  return {
    root,
    tmux,
    screen: () => screen(),
    unbroken: () => screen("-J"),
    keys: (...keys) => void tmux("send-keys", ...keys),
    shows: (pattern) => until(() => pattern.test(screen()), screen),
  };
}

/** Waits until something is so, else throws with what is on the screen. */
export async function until(isSo: () => boolean, screen: () => string, most = 10_000): Promise<void> {
  for (let waited = 0; !isSo(); waited += 50) {
    if (waited > most) throw new Error(`It did not come to that. The screen:\n${screen()}`);
    await setTimeout(50);
  }
}

/** Programs of the system that commands and tests use. Tests that need a missing one are skipped, but not in CI. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const PROGRAMS = [
  { program: "bwrap", name: "bubblewrap", without: "Loaf refuses to run commands" },
  { program: "strace", name: "strace" },
  { program: "python3", name: "python3" },
  { program: "ruby", name: "ruby" },
  { program: "tmux", name: "tmux" },
  { program: "zsh", name: "zsh" },
  { program: "fish", name: "fish" },
  { program: "groff", name: "groff" },
  { program: "Xvfb", name: "xvfb" },
  { program: "xclip", name: "xclip" },
  { program: "ctags", name: "universal-ctags" },
  { program: "mkfs.btrfs", name: "btrfs-progs" },
  { program: "chromium", name: "chromium" },
  { program: "/usr/lib/python3/dist-packages/fusepy.py", name: "python3-fusepy" },
];

/** Names of Debian packages. None on other systems than Linux. */
export function missingPackages() {
  return missing().map(({ name }) => name);
}

/** One line, or undefined where nothing is missing. */
export function sayMissing() {
  const lacking = missing();
  if (lacking.length === 0) return undefined;
  const names = lacking.map(({ name }) => name);
  const effects = [...lacking.flatMap(({ name, without }) => (without === undefined ? [] : [`without ${name} ${without}`])), "tests that need them are skipped"];
  return `Not on this system: ${names.join(", ")} (${effects.join("; ")}). Get them: sudo apt-get install ${names.join(" ")}`;
}

function missing() {
  if (process.platform !== "linux") return [];
  const folders = (process.env.PATH ?? "").split(":");
  return PROGRAMS.filter(({ program }) => !folders.some((folder) => existsSync(resolve(folder, program))));
}

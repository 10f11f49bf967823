import type { Confinement, Sandbox } from "./sandbox.ts";

/** macOS: a profile for `sandbox-exec`. What has no limits there is ended by the time limit. */
export function seatbelt(path: string): Sandbox {
  return {
    name: "sandbox-exec",
    wrap: ({ program, args, cwd, env }, confinement) => ({ program: path, args: ["-p", profileOf(confinement), program, ...args], cwd, env }),
    settle: () => Promise.resolve(true),
    leavesPlaces: false,
  };
}

/** Of several rules that match, the last one counts. */
export function profileOf({ root, readOnly, absent, writable, pinned, hidden, visible, home, network }: Confinement): string {
  const subpaths = (paths: readonly string[]) => paths.map((path) => `(subpath ${quote(path)})`).join(" ");
  const rule = (verdict: "allow" | "deny", what: string, paths: readonly string[]) => (paths.length === 0 ? [] : [`(${verdict} ${what} ${subpaths(paths)})`]);
  const hiddenPaths = hidden.map((one) => one.path);
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read mach-lookup ipc-posix-shm)",
    "(allow file-read-metadata)",
    ...rule("allow", "file-read*", ["/usr", "/bin", "/sbin", "/opt", "/System", "/Library", "/private/etc", "/private/var/db", "/private/var/select", "/dev", "/nix/store"]),
    `(allow file-read* (literal "/"))`,
    `(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))`,
    ...rule("deny", "file-read*", [home]),
    ...rule("allow", "file-read*", visible),
    ...rule("allow", "file-read* file-write*", [root]),
    ...rule("deny", "file-write*", [...readOnly, ...absent.map((one) => one.path)]),
    ...rule("allow", "file-write*", writable),
    ...rule("deny", "file-read* file-write*", hiddenPaths),
    ...(pinned.length === 0 ? [] : [`(deny file-write-unlink ${pinned.map((path) => `(literal ${quote(path)})`).join(" ")})`]),
    network ? "(allow network*)" : "(deny network*)",
  ].join("\n");
}

/** As a string of the profile's language. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

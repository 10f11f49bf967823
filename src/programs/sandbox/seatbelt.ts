import type { Confinement, Sandbox } from "./sandbox.ts";

/** macOS sandbox: a profile for `sandbox-exec`. It cannot limit memory or processes, so only the timeout applies. */
export function seatbelt(path: string): Sandbox {
  return {
    name: "sandbox-exec",
    wrap: ({ program, args, cwd, env }, confinement) => ({
      program: path, args: ["-p", profileOf(confinement), program, ...args], cwd: inView(cwd, confinement), env
    }),
    settle: () => Promise.resolve(true),
  };
}

/** Nothing can be mounted there, so the view has its own path. */
function inView(cwd: string, { root, folder }: Confinement): string {
  return cwd === root || cwd.startsWith(`${root}/`) ? folder + cwd.slice(root.length) : cwd;
}

/** Of several matching rules, the last one counts. */
export function profileOf({ root, folder, readOnly, hidden, visible, home, network }: Confinement): string {
  const subpaths = (paths: readonly string[]) => paths.map((path) => `(subpath ${quote(path)})`).join(" ");
  const rule = (verdict: "allow" | "deny", what: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`(${verdict} ${what} ${subpaths(paths)})`];
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read mach-lookup ipc-posix-shm)",
    "(allow file-read-metadata)",
    ...rule("allow", "file-read*", [
      "/usr", "/bin", "/sbin", "/opt", "/System", "/Library", "/private/etc", "/private/var/db", "/private/var/select",
      "/dev", "/nix/store",
    ]),
    `(allow file-read* (literal "/"))`,
    `(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))`,
    ...rule("deny", "file-read*", [home]),
    ...rule("allow", "file-read*", visible),
    // The view lacks what the guard hides, so with a view the project itself must not be readable.
    ...rule(folder === root ? "allow" : "deny", "file-read* file-write*", [root]),
    ...rule("allow", "file-read* file-write*", [folder]),
    ...rule("deny", "file-write*", readOnly),
    ...rule("deny", "file-read* file-write*", hidden),
    network ? "(allow network*)" : "(deny network*)",
  ].join("\n");
}

/** Quotes a string in the profile's language. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

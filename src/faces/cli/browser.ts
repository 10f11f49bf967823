/** Opens a page in the user's browser. */
import { isAbsolute } from "node:path";
import { findProgram, trustedPath } from "../../process/find-program.ts";
import { runProgram } from "../../process/run-program.ts";

const TIMEOUT_MS = 10_000;

/** Starts a browser that outlives Loaf. Exits with its code if it ends within a second: then it only passed on the address. */
const START = '"$0" "$@" >/dev/null 2>&1 & sleep 1; kill -0 $! 2>/dev/null || wait $!';

/** Returns false if no program can, as over SSH. */
export async function openInBrowser(address: string): Promise<boolean> {
  const [name, ...args] = opener();
  const program = name === undefined ? undefined : isAbsolute(name) ? name : findProgram(name);
  if (program === undefined) return false;
  const command =
    process.platform === "win32"
      ? { program, args: [...args, address] }
      : { program: "/bin/sh", args: ["-c", START, program, ...args, address] };
  // It looks for the browser on PATH, where a project could plant one.
  const env = { ...process.env, PATH: trustedPath() } as Record<string, string>;
  const ended = await runProgram({ ...command, env, timeout: TIMEOUT_MS, reach: "leave" }).catch(() => undefined);
  return ended?.exitCode === 0;
}

function opener(): readonly [string?, ...string[]] {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  if (BROWSER) return [BROWSER];
  if (process.platform === "darwin") return ["open"];
  return DISPLAY || WAYLAND_DISPLAY ? ["xdg-open"] : [];
}

/** A project among things that commands must not reach, and a way to run commands in it as root and as an ordinary user. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, lchownSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ActionResult } from "../../src/core/outcome.ts";
import type { Job } from "../faults/sandbox-worker.ts";
import { bundle } from "./bundle.ts";

/** Nobody, who is on every Linux. */
export const ORDINARY = 65_534;

export const users = process.getuid?.() === 0 ? [{ name: "root", uid: 0 }, { name: "an ordinary user", uid: ORDINARY }] : [{ name: "an ordinary user", uid: process.getuid?.() ?? 0 }];

export interface World {
  readonly directory: string;
  /** Holds the socket of a service, `service.sock`, and in `port.txt` where another one listens on this machine. */
  readonly root: string;
  /** Runs one `exec` block for each, in one run; with this file open at descriptors 3 to 1,000, where one is named, as whoever starts Loaf may leave it. */
  run(commands: Job["commands"], open?: string): ActionResult[];
  remove(): void;
}

/** @param files path below the world's directory to content; the project is in `project` */
export async function createWorld(uid: number, files: Readonly<Record<string, string>>): Promise<World> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loaf-world-")));
  const root = join(directory, "project");
  for (const [path, content] of Object.entries({ ...files, "worker.mjs": await bundle('import "./tests/faults/sandbox-worker.ts";') })) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content, { mode: path.includes("/bin/") ? 0o755 : 0o644 });
  }
  const service = await listen((server, done) => server.listen(join(root, "service.sock"), done));
  const local = await listen((server, done) => server.listen(0, "127.0.0.1", done));
  writeFileSync(join(root, "port.txt"), String((local.address() as AddressInfo).port));
  for (const name of ["", ...readdirSync(directory, { recursive: true, encoding: "utf8" })]) lchownSync(join(directory, name), uid, uid);
  chmodSync(directory, 0o755);
  return {
    directory,
    root,
    run(commands, open) {
      writeFileSync(join(directory, "job.json"), JSON.stringify({ root, commands } satisfies Job));
      chownSync(join(directory, "job.json"), uid, uid);
      const env = { PATH: `${join(directory, "home/tools/bin")}:/usr/local/bin:/usr/bin:/bin`, HOME: join(directory, "home"), XDG_STATE_HOME: join(directory, "state"), SECRET: "LEAK" };
      // Whoever starts Loaf may want core files.
      execFileSync("/bin/sh", ["-c", 'ulimit -c "$(ulimit -H -c)"; exec "$@"', "sh", process.execPath, join(directory, "worker.mjs"), join(directory, "job.json"), join(directory, "out.json")], { cwd: root, env, uid, gid: uid, stdio: ["ignore", "inherit", "inherit", ...descriptors(open)] });
      const results: unknown = JSON.parse(readFileSync(join(directory, "out.json"), "utf8"));
      if (!Array.isArray(results)) throw new Error(String(results));
      return results as ActionResult[];
    },
    remove() {
      service.close();
      local.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Node closes the first ones for its own programs, up to a gap. */
function descriptors(path: string | undefined): (number | "ignore")[] {
  if (path === undefined) return [];
  const file = openSync(path, "r");
  return Array.from({ length: 998 }, (_, index) => (index + 3 >= 18 && index + 3 < 20 ? "ignore" : file));
}

/** The system takes connections for it, also while this process waits for another one. */
async function listen(begin: (server: Server, done: () => void) => void): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => begin(server, resolve));
  return server;
}

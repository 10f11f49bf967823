import { bubblewrap } from "../../exec/bubblewrap.ts";
import { runProgram } from "../../exec/run-program.ts";
import { seatbelt } from "../../exec/seatbelt.ts";
import { findSandbox, type FoundSandbox, unavailable } from "../../host/find-sandbox.ts";

/** The sandbox of this system once it has been tried out in a folder, or why there is none. */
export async function trySandbox(root: string): Promise<FoundSandbox> {
  const found = findSandbox();
  if ("reason" in found) return found;
  const sandbox = found.kind === "bubblewrap" ? bubblewrap(found.path) : seatbelt(found.path);
  const nothing = { root, readOnly: [], absent: [], writable: [], pinned: [], hidden: [], visible: [], home: "/", network: false, memory: 2 ** 30, processes: 100 };
  const ended = await runProgram({ ...sandbox.wrap({ program: "true", args: [], cwd: root, env: { PATH: "/usr/bin:/bin" } }, nothing), timeout: 10_000, hasThird: true });
  if ((await sandbox.settle(ended.third)) && ended.exitCode === 0) return found;
  return unavailable(sandbox, ended);
}

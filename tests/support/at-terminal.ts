/** Runs the built command as somebody at a terminal would, through a pseudo-terminal that Python holds. */
import { spawn, spawnSync } from "node:child_process";
import { createFolder } from "./folder.ts";
import { program } from "./run-loaf.ts";
import { isComplete } from "./complete.ts";

/** Whether there can be one. In CI there has to be. */
export const hasPseudoTerminal = process.platform !== "win32" && (isComplete || spawnSync("python3", ["-c", "import pty"]).status === 0);

/** A dumb terminal shows no status line, whose times differ. Types an answer whenever one more question is on the screen; nothing is typed ahead. Standard output and error go to the screen, and so does what is typed. */
const DRIVER = `
import os, pty, select, sys, time
question, answers, last, command = sys.argv[1].encode(), sys.argv[2].split("|"), sys.argv[3], sys.argv[4:]
pid, screen = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
shown, asked, end = b"", 0, time.monotonic() + 60
while time.monotonic() < end:
    if select.select([screen], [], [], 0.1)[0]:
        try: piece = os.read(screen, 65536)
        except OSError: break
        if not piece: break
        shown += piece
    if asked < len(answers) and shown.count(question) > asked:
        os.write(screen, answers[asked].encode().decode("unicode_escape").encode())
        asked += 1
    if last and b"(Enter: no)" in shown:
        os.write(screen, last.encode().decode("unicode_escape").encode())
        last = ""
sys.stdout.buffer.write(shown.replace(b"\\r\\n", b"\\n"))
sys.stdout.flush()
os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 255)
`;

export interface Shown {
  readonly code: number | null;
  /** All that was on the screen, in its order. */
  readonly screen: string;
}

/**
 * @param answers what is typed at each question, with its line end: `["yes\\n", "\\n"]`; `\\x03` is Ctrl-C, `\\x04` Ctrl-D
 * @param options.question what a question ends with
 * @param options.last what is typed at the first question that ends as most do, where `question` is another one
 * @param options.shell a command line in which `$LOAF` is the command; without it, the arguments are
 */
export function atTerminal(args: readonly string[], { answers, question = "(Enter: no)", last = "", cwd, env = {}, shell }: { readonly answers: readonly string[]; readonly question?: string; readonly last?: string; readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly shell?: string }): Promise<Shown> {
  const home = createFolder();
  const loaf = `${process.execPath} ${program}`;
  const command = shell === undefined ? [process.execPath, program, ...args] : ["/bin/sh", "-c", shell.replaceAll("$LOAF", loaf)];
  const environment = { ...process.env, HOME: home, XDG_CONFIG_HOME: `${home}/config`, XDG_STATE_HOME: `${home}/state`, NO_COLOR: "1", FORCE_COLOR: "", TERM: "dumb", ...env };
  return new Promise((resolve, reject) => {
    const child = spawn("python3", ["-c", DRIVER, question, answers.map(escaped).join("|"), escaped(last), ...command], { cwd, env: environment, stdio: ["ignore", "pipe", "inherit"] });
    let screen = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => (screen += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, screen }));
  });
}

function escaped(answer: string): string {
  return JSON.stringify(answer).slice(1, -1);
}

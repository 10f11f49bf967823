/** Starting the command, against starting Node and doing nothing. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { longer, medians, mediansOf } from "./measure.mjs";

const command = resolve(import.meta.dirname, "../dist/loaf.cjs");

/** Both slow down Node itself, by more than all that is measured. */
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...environment } = process.env;

/** Warm is every use but the first, which compiles and leaves a code cache in the state folder; see `src/faces/cli/start.ts`. */
export async function commandRows() {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const project = join(folder, "project");
  mkdirSync(project);
  const envFor = (state) => ({ ...environment, HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, state) });
  const node = (state, ...args) => void execFileSync(process.execPath, args, { cwd: project, env: envFor(state), stdio: ["ignore", "pipe", "inherit"] });
  let uses = 0;
  const againstBare = (state, ...args) => medians({ loaf: () => node(state(), command, ...args), peer: () => node("none", "-e", "0") }, 31);
  const warm = () => "warm";
  const cold = () => `cold-${uses++}`;
  try {
    writeFileSync(join(project, "answer.md"), `#!nesl [@three-char-SHA-256: one]\naction = "file_write"\npath = ${JSON.stringify(join(project, "a.txt"))}\ncontent = "x"\n#!end_one\n`);
    const rows = [
      longer("loaf --help, warm, against bare node", await againstBare(warm, "--help"), 1.9),
      longer("loaf --help, cold, against bare node", await againstBare(cold, "--help")),
      longer("loaf run, one block, warm, against bare node", await againstBare(warm, "run", "--again", "answer.md"), 2.5),
      longer("loaf run, one block, cold, against bare node", await againstBare(cold, "run", "--again", "answer.md")),
    ];
    writeFileSync(join(project, "loaf.yml"), "version: 1\nrelative_paths: true\nedits:\n  final_newline: ensure\n");
    rows.push(...(await firstLineRows(project, envFor("warm"))));
    rows.push(longer("the same with a loaf.yml, warm, against bare node", await againstBare(warm, "run", "--again", "answer.md"), 2.5));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** From the start to the first line of output, which a person waits for. At a terminal, that is the first action. */
async function firstLineRows(cwd, env) {
  const loaf = [command, "run", "--again", "answer.md"];
  const hello = ["-e", "console.log(0)"];
  const piped = (args) => firstOutput(process.execPath, args, { cwd, env });
  const shown = (args) => firstOutput("script", ["-qec", [process.execPath, ...args].map((word) => `'${word}'`).join(" "), "/dev/null"], { cwd, env: { ...env, TERM: "xterm" } });
  const row = async (what, time) => longer(what, await mediansOf({ loaf: () => time(loaf), peer: () => time(hello) }, 31), 2.5);
  return [
    await row("loaf run, one block, start to first line in a pipe, against bare node's", piped),
    ...(existsSync("/usr/bin/script") ? [await row("loaf run, one block, start to first line at a terminal, against bare node's", shown)] : []),
  ];
}

/** @returns milliseconds until a program's first output */
async function firstOutput(program, args, options) {
  const start = performance.now();
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise((done) => child.once("close", done));
  const time = await new Promise((done, fail) => child.once("error", fail).stdout.once("data", () => done(performance.now() - start)));
  child.stdout.resume();
  await closed;
  return time;
}

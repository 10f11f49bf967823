/** Starting the command, against starting Node and doing nothing. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { longer, medians } from "./measure.mjs";

const command = resolve(import.meta.dirname, "../dist/loaf.cjs");

/** Both slow down Node itself, by more than all that is measured. */
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...environment } = process.env;

export async function commandRows() {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const node = (...args) => execFileSync(process.execPath, args, { cwd: folder, env: { ...environment, HOME: folder }, stdio: ["ignore", "pipe", "inherit"] });
  try {
    writeFileSync(join(folder, "answer.md"), `#!nesl [@three-char-SHA-256: one]\naction = "file_write"\npath = ${JSON.stringify(join(folder, "a.txt"))}\ncontent = "x"\n#!end_one\n`);
    const bare = () => node("-e", "0");
    const run = () => node(command, "run", "answer.md");
    const rows = [
      longer("loaf --help, against bare node", await medians({ loaf: () => node(command, "--help"), peer: bare }, 31), 1.9),
      longer("loaf run, one block, against bare node", await medians({ loaf: run, peer: bare }, 31), 2.5),
    ];
    writeFileSync(join(folder, "loaf.yml"), "version: 1\nrelative_paths: true\nedits:\n  final_newline: ensure\n");
    rows.push(longer("the same, with a loaf.yml", await medians({ loaf: run, peer: bare }, 31), 2.5));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

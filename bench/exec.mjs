/** Commands in the sandbox, against the same command started by Node. What a run costs besides, `execute` measures. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { mergeConfigs } from "../dist/lib/config/merge.js";
import { Consent } from "../dist/lib/run/consent.js";
import { agreedSandbox, runConfined } from "../dist/lib/run/commands/run-confined.js";
import { Disk } from "../dist/lib/workspace/volume/disk.js";
import { createGuard } from "../dist/lib/workspace/guard/guard.js";
import { refusedBelow } from "../dist/lib/workspace/guard/refused-below.js";
import { longer, medians, within } from "./measure.mjs";

export async function execRows() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loaf-bench-")));
  try {
    const site = siteOf(root);
    for (const path of [".git", ".loaf"]) mkdirSync(join(root, path));
    writeFileSync(join(root, "loaf.yml"), "version: 1\n");
    const request = { program: "bash", args: ["-c", "true"], cwd: root, timeout: 10_000 };
    const sandbox = await agreedSandbox(site, new Consent(undefined));
    const small = await medians({ loaf: () => succeeds(runConfined(site, sandbox, request)), peer: () => raw(root) }, 41);
    plant(root, 10_000);
    const walk = await medians({ loaf: () => Promise.resolve(refusedBelow(root, site.policy, site.rules)) }, 15);
    const large = await medians({ loaf: () => succeeds(runConfined(site, sandbox, request)), peer: () => raw(root) }, 15);
    return [
      longer("sandboxed bash -c true, against starting it", small, 2.5),
      longer("the same in a project of 10,000 files", large),
      within("finding what the rules refuse in 10,000 files", walk.loaf, 40),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function siteOf(root) {
  const volume = new Disk();
  const settings = mergeConfigs({});
  const rules = [settings["fs-guard"]];
  const own = { sealed: [], readOnly: [] };
  const policy = createGuard({ volume, root, home: homedir(), rules, platform: process.platform, ...own }).refusal;
  return { root, home: homedir(), settings, rules, policy, volume, ...own };
}

async function succeeds(promise) {
  const ran = await promise;
  if (ran.exitCode !== 0 || ran.warnings.length > 0) throw new Error(`bash did not run in a sandbox: ${JSON.stringify(ran)}`);
}

function raw(cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", "true"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    child.on("error", reject);
    child.on("close", resolve);
  });
}

function plant(root, files) {
  for (let directory = 0; directory < files / 20; directory++) {
    const path = join(root, `pkg${directory % 20}`, `mod${directory}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 20; file++) writeFileSync(join(path, `file-${file}.ts`), "export {};\n");
  }
}

/** Commands in the sandbox on a view, against the same sandbox alone. What a run costs besides, `execute` measures. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { mergeConfigs } from "../dist/modules/config/merge.js";
import { Consent } from "../dist/modules/run/consent.js";
import { onView } from "../dist/modules/programs/view/command-views.js";
import { agreedSandbox, runConfined } from "../dist/modules/programs/sandbox/run-confined.js";
import { Disk } from "../dist/modules/disk/disk.js";
import { createGuard } from "../dist/modules/guard/guard.js";
import { Overlay } from "../dist/modules/disk/overlay.js";
import { AttemptRollback } from "../dist/modules/core/attempt-rollback.js";
import { longer, medians, within } from "./measure.mjs";

export async function execRows() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loaf-bench-")));
  const state = realpathSync(mkdtempSync(join(tmpdir(), "loaf-bench-state-")));
  const usual = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = state;
  try {
    const request = { program: "bash", args: ["-c", "true"], cwd: root, timeout: 10_000 };
    const sandbox = await agreedSandbox(siteOf(root), new Consent(undefined));
    const on = (maker) => async () => {
      const site = siteOf(root, maker);
      const { value, close } = await onView(site, { overlay: new Overlay(new Disk()), undo: new AttemptRollback(), mostHeld: 0, isDry: false }, (project) => runConfined(site, sandbox, project, request));
      await close();
      succeed(value);
    };
    const bare = { view: { folder: root, masks: [], enter: (command) => command }, closed: { files: [], directories: [], repositories: [] } };
    const alone = async () => succeed(await runConfined(siteOf(root), sandbox, bare, request));
    await plant(root, 0, 1_000);
    const small = await medians({ loaf: on("overlay"), peer: alone }, 41);
    const copied = await medians({ loaf: on("copy"), peer: alone }, 15);
    await plant(root, 1_000, 10_000);
    const medium = await medians({ loaf: on("overlay"), peer: alone }, 21);
    await plant(root, 10_000, 100_000);
    const large = await medians({ loaf: on("overlay"), peer: alone }, 11);
    return [
      longer("bash -c true on an overlay, against the sandbox alone", small, 3.2),
      longer("the same on a copy of 1,000 files", copied),
      longer("on an overlay in a project of 10,000 files", medium),
      longer("in a project of 100,000 files, against 10,000", { loaf: large.loaf, peer: medium.loaf }, 1.2),
      within("the same, in all", large.loaf, 1_000),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
    if (usual === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = usual;
    rmSync(state, { recursive: true, force: true });
  }
}

function siteOf(root, view = "overlay") {
  const volume = new Disk();
  const settings = mergeConfigs({ exec: { view } });
  const rules = [settings["fs-guard"]];
  const own = { sealed: [], readOnly: [] };
  const policy = createGuard({ volume, root, home: homedir(), rules, platform: process.platform, ...own }).refusal;
  return { root, home: homedir(), settings, rules, policy, volume, ...own };
}

function succeed(ran) {
  if (ran.exitCode !== 0 || ran.warnings.length > 0) throw new Error(`bash did not run in a sandbox: ${JSON.stringify(ran)}`);
}

/** Makes files up to a number, of which some are there, and leaves the folders alone for so long that what is in them can be remembered. */
async function plant(root, from, to) {
  for (let file = from; file < to; file++) {
    const directory = join(root, `pkg${Math.floor(file / 20) % 20}`, `mod${Math.floor(file / 20)}`);
    if (file % 20 === 0) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `file${file}.ts`), "export {};\n");
  }
  await setTimeout(2_100);
}

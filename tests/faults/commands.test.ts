/** Commands that do not want to end, write too much, or take too much: none of it outlives its block. */
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CommandData } from "../../src/core/command.ts";
import type { ActionResult } from "../../src/core/outcome.ts";
import type { Config } from "../../src/index.ts";
import { type ExecuteOptions, Loaf } from "../../src/index.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
import { createWorld, ORDINARY, users, type World } from "../support/exec-world.ts";
import { hasSandbox } from "../support/programs.ts";
import { createFolder } from "../support/folder.ts";
import { processesWith } from "../support/processes.ts";
import { runLoaf } from "../support/run-loaf.ts";

const isLong = process.env["LOAF_LONG"] !== undefined;

async function exec(code: string, options: { readonly config?: Config; readonly root?: string; readonly lang?: string; readonly timeout?: number } = {}): Promise<ActionResult> {
  const { config = {}, root = createFolder(), lang = "bash", timeout } = options;
  const loaf = await Loaf.create({ repoPath: root, config });
  const { results } = await loaf.execute(printBlock("cmd", { action: "exec", lang, code, ...(timeout !== undefined && { timeout: String(timeout) }) }));
  if (results[0] === undefined) throw new Error("nothing was run");
  return results[0];
}

const free = { exec: { sandbox: "off" } } as const;

/** A long sleep that can be told from every other. */
let marks = 0;
const mark = (): string => `9${process.pid}.${++marks}`;

/** Each outlives a process group in its own way. */
const ESCAPES: ReadonlyArray<(sleep: string) => string> = [
  (sleep) => `sleep ${sleep} & sleep ${sleep}`,
  (sleep) => `setsid sleep ${sleep} & exit 0`,
  (sleep) => `(setsid sleep ${sleep} > /dev/null 2>&1 < /dev/null &) ; exit 0`,
  (sleep) => `(setsid env -i /usr/bin/setsid /bin/sh -c 'sleep ${sleep} & exec sleep ${sleep}' &) ; exit 0`,
  (sleep) => `trap "" TERM INT HUP; (trap "" TERM; setsid sleep ${sleep} &); sleep ${sleep}`,
];

describe.runIf(hasSandbox)("a command in the sandbox", () => {
  test("56: is ended at its limit, with all it has started", async () => {
    const sleep = mark();
    const start = performance.now();
    const { error, code, data } = await exec(`echo before; sleep ${sleep} & setsid sleep ${sleep} & sleep ${sleep}`, { timeout: 1_000 });
    const duration = performance.now() - start;
    expect({ error, code, data }).toMatchObject({ error: "exec: Process timeout after 1s (TIMEOUT)", code: "exec/timeout", data: { stdout: "before\n", exit_code: null } });
    expect(processesWith(sleep)).toEqual([]);
    expect(duration).toBeLessThan(6_000);
  });

  test("whose sandbox is killed from outside has been ended by a signal, and what it had done is told", async () => {
    const sleep = mark();
    const root = createFolder({ "a.txt": "a" });
    const running = exec(`echo more >> a.txt; sleep ${sleep}`, { root });
    const isAsleep = () => processesWith(sleep).some((pid) => readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n");
    while (!isAsleep()) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const pid of processesWith(sleep)) if (existsSync(`/proc/${pid}/comm`) && readFileSync(`/proc/${pid}/comm`, "utf8") === "bwrap\n") process.kill(Number(pid), "SIGKILL");
    expect(await running).toMatchObject({ success: false, error: "Process killed by signal SIGKILL", data: { changed: [{ path: "a.txt", change: "changed" }] } });
    expect(processesWith(sleep)).toEqual([]);
  });

  test("57: returns when it has ended, though a child holds its output", async () => {
    const sleep = mark();
    const { success, data } = await exec(`sleep ${sleep} & echo done`);
    expect({ success, data }).toMatchObject({ success: true, data: { stdout: "done\n" } });
    expect(processesWith(sleep)).toEqual([]);
  });

  test(`58: nothing survives it, ${isLong ? 500 : 50} times`, async () => {
    const root = createFolder();
    const loaf = await Loaf.create({ repoPath: root });
    const sleeps: string[] = [];
    const late: number[] = [];
    for (let round = 0; round < (isLong ? 500 : 50); round++) {
      const sleep = mark();
      sleeps.push(sleep);
      const start = performance.now();
      await loaf.execute(printBlock("cmd", { action: "exec", lang: "bash", code: ESCAPES[round % ESCAPES.length]?.(sleep) ?? "", timeout: "300" }));
      late.push(performance.now() - start - 300);
    }
    expect(sleeps.flatMap(processesWith)).toEqual([]);
    late.sort((a, b) => a - b);
    expect(late.at(late.length / 2), `after the limit, in ms: most ${late.at(-1)?.toFixed(0)}`).toBeLessThan(2_000);
  }, 400_000);

  test("59: of much output the ends are kept, and of too much it is ended", async () => {
    const many = await exec("seq 1 1000000");
    const { stdout } = many.data as CommandData;
    expect(many.success).toBe(true);
    expect(stdout.startsWith("1\n2\n3\n")).toBe(true);
    expect(stdout.endsWith("999999\n1000000\n")).toBe(true);
    expect(stdout).toMatch(/\n… \d+ bytes are left out here …\n/);
    expect(Buffer.byteLength(stdout)).toBeLessThan(2 ** 20 + 100);
    const { code, error } = await exec("yes");
    expect({ code, error }).toEqual({ code: "exec/output", error: "Process ended: it wrote more than 67108864 bytes" });
  });

  test("61: memory is limited, and the limit is told", async () => {
    // Less than the machine has, more than the half that it gives; not touched, so that the test takes none.
    const code = `import mmap\nmmap.mmap(-1, ${Math.floor(totalmem() / 2) + 2 ** 29}, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)`;
    const { success, data } = await exec(code, { lang: "python" });
    expect(success).toBe(false);
    expect((data as CommandData).stderr).toContain("Cannot allocate memory");
  });

  test("runs code of any length", async () => {
    for (const lang of ["bash", "python", "ruby"]) {
      const code = `# ${"x".repeat(300_000)}\n${lang === "ruby" ? "puts 2" : lang === "bash" ? "echo 2" : "print(2)"}`;
      expect((await exec(code, { lang })).data).toMatchObject({ stdout: "2\n" });
    }
    expect((await exec(`// ${"x".repeat(300_000)}\nconsole.log(2)`, { lang: "javascript", config: free })).data).toMatchObject({ stdout: "2\n" });
  });

  test("66: what it leaves behind is judged like anything else", async () => {
    const root = createFolder();
    const loaf = await Loaf.create({ repoPath: root });
    const blocks = [printBlock("cmd", { action: "exec", lang: "bash", code: "ln -s /etc out" }), printBlock("wri", { action: "file_write", path: join(root, "out/loaf-test"), content: "x" })];
    const { results } = await loaf.execute(blocks.join("\n"));
    expect(results[0]).toMatchObject({ success: true, warnings: [expect.stringContaining("left out of the project: out")] });
    expect([results[1]?.success, lstatSync(join(root, "out")).isDirectory()]).toEqual([true, true]);
  });

  test("66: a program that it leaves on PATH is not started by Loaf itself, nor by what that starts", async () => {
    const [root, trap] = [createFolder({ "a.txt": "a" }), join(createFolder(), "sprung")];
    const git = (line: string): Buffer => execFileSync("sh", ["-c", line], { cwd: root });
    git("git init -q; git config user.name A; git config user.email a@b; git config commit.gpgSign true; mkdir -p node_modules/.bin");
    vi.stubEnv("PATH", `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`);
    try {
      const plant = `for name in git bwrap rg gpg python3; do printf '#!/bin/sh\\necho $0 >> ${trap}\\n' > node_modules/.bin/$name; chmod +x node_modules/.bin/$name; done`;
      expect(await exec(plant, { root })).toMatchObject({ success: true });
      const loaf = await Loaf.create({ repoPath: root });
      const blocks = [printBlock("cmd", { action: "exec", lang: "bash", code: "true" }), printBlock("ver", { action: "exec", lang: "python", version: "1.2", code: "" })];
      await loaf.execute([...blocks, printBlock("wri", { action: "file_write", path: join(root, "b.txt"), content: "b" })].join("\n"));
      expect(existsSync(trap)).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("sees what actions before it have written, and actions after it see what it wrote", async () => {
    const root = createFolder();
    const loaf = await Loaf.create({ repoPath: root });
    const path = join(root, "a.txt");
    const { results, success } = await loaf.execute(
      [
        printBlock("one", { action: "file_write", path, content: "one\n" }),
        printBlock("two", { action: "exec", lang: "bash", code: "cat a.txt; echo two >> a.txt" }),
        printBlock("tre", { action: "file_read", path }),
      ].join("\n"),
    );
    expect(success).toBe(true);
    expect(results[1]?.data).toMatchObject({ stdout: "one\n" });
    expect(results[2]?.data).toMatchObject({ content: "one\ntwo\n" });
  });

  test("64: where .git is a link, it is neither removed nor replaced, and what it leads to is not written", async () => {
    const root = createFolder({ "kept/config": "" });
    symlinkSync("kept", join(root, ".git"));
    await exec("rm .git; mkdir .git; echo x > .git/config", { root });
    await exec("echo x > .git/config; echo x > kept/HEAD", { root });
    expect([readdirSync(root), readdirSync(join(root, "kept")), readFileSync(join(root, "kept/config"), "utf8")]).toEqual([[".git", "kept"], ["config"], ""]);
  });

  test("64: a git directory in the project is not written, nor moved away", async () => {
    const root = createFolder({ ".git": "gitdir: own/bare\n", "own/bare/config": "" });
    await exec("echo x >> own/bare/config; mv own other; mkdir -p own/bare; echo x > own/bare/config", { root });
    expect([readFileSync(join(root, "own/bare/config"), "utf8"), readFileSync(join(root, ".git"), "utf8")]).toEqual(["", "gitdir: own/bare\n"]);
  });

  test("what .git names elsewhere is shown only where it belongs to this work tree", async () => {
    const outside = createFolder({ "keys/secret": "LEAK", "repository/file": "", "repository/.git/worktrees/tree/HEAD": "ref: refs/heads/side\n", "repository/.git/worktrees/tree/commondir": "../..\n", "repository/.git/token": "SHOWN" });
    const shown = async (root: string, file: string) => ((await exec(`cat ${join(outside, file)}`, { root })).data as CommandData).stdout;
    expect(await shown(createFolder({ ".git": `gitdir: ${join(outside, "keys")}\n` }), "keys/secret")).toBe("");
    expect(await shown(createFolder({ ".git": "gitdir: own\n", "own/commondir": `${join(outside, "keys")}\n` }), "keys/secret")).toBe("");
    const root = createFolder({ ".git": `gitdir: ${join(outside, "repository/.git/worktrees/tree")}\n` });
    expect(await shown(root, "repository/.git/token")).toBe("");
    writeFileSync(join(outside, "repository/.git/worktrees/tree/gitdir"), `${join(root, ".git")}\n`);
    expect(await shown(root, "repository/.git/token")).toBe("SHOWN");
  });

  test("37: a command leaves no loaf.yml, .git or .loaf that was not there", async () => {
    const root = createFolder();
    const { warnings } = await exec("echo x > loaf.yml; mkdir -p .git/x .loaf", { root });
    expect(warnings).toHaveLength(3);
    expect(readdirSync(root)).toEqual([]);
  });
});

describe.runIf(hasSandbox).each(users.filter(({ uid }) => uid === ORDINARY || users.length === 1))("limits that do not hold root: $name", ({ uid }) => {
  let world: World;
  beforeAll(async () => (world = await createWorld(uid, { "project/a.txt": "a" })), 60_000);
  afterAll(() => world?.remove());

  test("60: a fork bomb ends, and nothing of it is left", () => {
    const sleep = mark();
    const [result] = world.run([{ lang: "bash", code: `bomb() { sleep ${sleep} & bomb | bomb & }; bomb; sleep ${sleep}`, timeout: "3000" }]);
    expect(result?.code).toBe("exec/timeout");
    expect(processesWith(sleep)).toEqual([]);
    expect(execFileSync("true").length).toBe(0);
  }, 60_000);

  test("60: more processes than the limit are not to be had, long before the time is over", () => {
    const code = ["import os, time", "made = 0", "try:", "  while made < 3000:", "    if os.fork() == 0:", "      time.sleep(60)", "      os._exit(0)", "    made += 1", "except BlockingIOError:", "  print('limited', 1000 < made < 2100)"].join("\n");
    const [result] = world.run([{ lang: "python", code, timeout: "40000" }]);
    expect(result).toMatchObject({ success: true, data: { stdout: "limited True\n" } });
  }, 60_000);
});

/** A folder for PATH that has all but one: git is needed for what a command changes. */
function withoutSandbox(): string {
  const folder = createFolder();
  for (const name of ["bash", "git"]) writeFileSync(join(folder, name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`, { mode: 0o755 });
  return folder;
}

describe("without a sandbox", () => {
  test("65: a command is refused, and the remedy is told", async () => {
    vi.stubEnv("PATH", createFolder());
    try {
      const root = createFolder();
      const { code, error } = await exec("touch made", { root, config: { exec: { sandbox: "required" } } });
      // Without a PATH not even bash is found.
      expect({ code, error }).toMatchObject({ code: "exec/not-found", error: "exec: bash not found in PATH (ENOENT)" });
    } finally {
      vi.unstubAllEnvs();
    }
    vi.stubEnv("PATH", withoutSandbox());
    try {
      const root = createFolder();
      const refused = await exec("touch made", { root });
      expect(refused).toMatchObject({ success: false, code: "exec/no-sandbox" });
      expect(refused.error).toMatch(/^Not run: commands need a sandbox, and bubblewrap is not installed\. Install it/);
      expect(existsSync(join(root, "made"))).toBe(false);
      const allowed = await exec("echo made > made", { root, config: { exec: { sandbox: "auto" } } });
      expect(allowed).toMatchObject({ success: true, warnings: [expect.stringMatching(/^ran without a sandbox, on the files themselves: .* undo does not cover/) as string] });
      expect(existsSync(join(root, "made"))).toBe(true);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("65: one that cannot be made here counts as missing", async () => {
    const folder = createFolder();
    writeFileSync(join(folder, "bwrap"), "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", { mode: 0o755 });
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
    try {
      const { error } = await exec("true");
      expect(error).toContain("bubblewrap cannot make one here (bwrap: No permissions to create new namespace)");
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("65: who is asked may say yes, once and for all", async () => {
    vi.stubEnv("PATH", withoutSandbox());
    vi.stubEnv("XDG_STATE_HOME", createFolder());
    try {
      const root = createFolder();
      const asked: unknown[] = [];
      const text = printBlock("cmd", { action: "exec", lang: "bash", code: "true" });
      const run = async (answer: "yes" | "no") => (await (await Loaf.create({ repoPath: root, approve: (request) => (asked.push(request), answer) })).execute(text)).success;
      expect([await run("no"), await run("yes"), await run("no")]).toEqual([false, true, true]);
      expect(asked).toEqual([{ kind: "no-sandbox", reason: "bubblewrap is not installed" }, { kind: "no-sandbox", reason: "bubblewrap is not installed" }]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("an answer for all holds for the run alone", async () => {
    vi.stubEnv("PATH", withoutSandbox());
    vi.stubEnv("XDG_STATE_HOME", createFolder());
    try {
      const root = createFolder();
      const texts = [printBlock("cmd", { action: "exec", lang: "bash", code: "true" }), "<---RUN--->\nbash -c true\n<---END--->\n"];
      for (const [index, text] of texts.entries()) {
        const run = async (answer: "once" | "no") => (await (await Loaf.create({ repoPath: root, approve: () => answer })).execute(text)).results.map(({ code }) => code);
        expect([await run("once"), await run("no")]).toEqual([[undefined], [index === 0 ? "exec/no-sandbox" : "skip/command"]]);
      }
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("65: where one cannot be made here, who is asked may say yes, and the command runs once", async () => {
    const folder = withoutSandbox();
    writeFileSync(join(folder, "bwrap"), "#!/bin/bash\nexit 1\n", { mode: 0o755 });
    vi.stubEnv("PATH", folder);
    vi.stubEnv("XDG_STATE_HOME", createFolder());
    try {
      const root = createFolder();
      const loaf = await Loaf.create({ repoPath: root, approve: () => "yes" });
      const { results } = await loaf.execute(printBlock("cmd", { action: "exec", lang: "bash", code: "echo made >> made" }));
      expect(results).toMatchObject([{ success: true }]);
      expect(readFileSync(join(root, "made"), "utf8")).toBe("made\n");
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.runIf(hasSandbox)("94: one that works here and fails for one command never counts as missing, whatever the settings", async () => {
    const folder = createFolder();
    // It works on an empty folder, as a probe finds, and not where a command names what a sandbox must not be made of.
    writeFileSync(join(folder, "bwrap"), `#!/bin/sh\ncase "$*" in *BREAK*) echo 'bwrap: broken' >&2; exit 1;; esac\nexec /usr/bin/bwrap "$@"\n`, { mode: 0o755 });
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
    try {
      const root = createFolder();
      for (const code of ["echo BREAK > made", `echo BREAK > made # ${"x".repeat(5_000)}`]) {
        expect(await exec(code, { root, config: { exec: { sandbox: "auto" } } })).toMatchObject({ success: false, code: "exec/sandbox-failed", error: "Not run: the sandbox could not be set up for this command: bwrap: broken" });
      }
      expect(readdirSync(root)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.runIf(hasSandbox).each([
    ["is gone", 'rm -- "$0"; exec /usr/bin/bwrap "$@"'],
    ["makes none any more", 'if [ -e "$0.used" ]; then echo "bwrap: broken" >&2; exit 1; fi; touch "$0.used"; exec /usr/bin/bwrap "$@"'],
    ["makes none for the first command, works on an empty folder, and then makes none any more", 'case "$*" in *BREAK*) exit 1;; esac; if [ -e "$0.used" ]; then exit 1; fi; touch "$0.used"; exec /usr/bin/bwrap "$@"'],
  ])("94: no command of an answer does without where one before it did not: the sandbox's program %s", async (_, line) => {
    const folder = withoutSandbox();
    writeFileSync(join(folder, "bwrap"), `#!/bin/sh\nPATH=/usr/bin:/bin\n${line}\n`, { mode: 0o755 });
    vi.stubEnv("PATH", folder);
    try {
      const root = createFolder();
      const loaf = await Loaf.create({ repoPath: root, config: { exec: { sandbox: "auto" } } });
      const codes = ["true # BREAK", "touch made", "touch made"];
      const { results } = await loaf.execute(codes.map((code) => printBlock("cmd", { action: "exec", lang: "bash", code })).join("\n"));
      expect(results.slice(1)).toMatchObject([{ code: "exec/sandbox-failed" }, { code: "exec/sandbox-failed" }]);
      expect(existsSync(join(root, "made"))).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("58: what may have survived is told", async () => {
    const sleep = mark();
    const { warnings = [] } = await exec(`(setsid env -i /bin/sleep ${sleep} > /dev/null 2>&1 < /dev/null &); sleep 0.3`, { config: free });
    const [pid] = processesWith(sleep);
    expect(warnings.join("\n")).toContain(`may have left processes running: `);
    expect(warnings.join("\n")).toContain(`${pid} (sleep)`);
    process.kill(Number(pid));
  });

  test("62: Loaf's environment is not handed on", async () => {
    vi.stubEnv("SECRET", "LEAK");
    try {
      expect((await exec("env", { config: free })).data).toMatchObject({ stdout: expect.not.stringContaining("LEAK") as string });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("no project decides it", async () => {
    const root = createFolder({ "loaf.yml": "exec:\n  sandbox: off\n" });
    mkdirSync(join(root, "x"));
    expect((await Loaf.create({ repoPath: root, trustProject: true })).settings.exec.sandbox).toBe("required");
  });
});

describe.each(["required", "off"] as const)("a run that is stopped, sandbox %s", (sandbox) => {
  const config = { exec: { sandbox } } as const;

  /** Does something once the first command is going on. */
  async function during(act: () => void, answer: string, signals: Pick<ExecuteOptions, "stop" | "signal">, sleep: string) {
    const root = createFolder();
    const loaf = await Loaf.create({ repoPath: root, config, approve: () => "once" });
    const watch = setInterval(() => processesWith(`sleep\0${sleep}`).length > 0 && (clearInterval(watch), act()), 10);
    const { results } = await loaf.execute(answer, signals);
    clearInterval(watch);
    return results;
  }
  const two = (code: string) => [code, "true"].map((one) => printBlock("cmd", { action: "exec", lang: "bash", code: one })).join("\n");
  const sleeping = (sleep: string) => `echo before; touch begun; sleep ${sleep}`;

  test.runIf(hasSandbox || sandbox === "off")("by its signal: the command ends at once, and nothing of it is left", async () => {
    for (const isExec of [true, false]) {
      const [stop, sleep] = [new AbortController(), mark()];
      const answer = isExec ? two(sleeping(sleep)) : `<---RUN--->\nbash -c '${sleeping(sleep)}'\nbash -c 'touch second'\n<---END--->\n<---RUN--->\ntrue\n<---END--->\n`;
      const results = await during(() => stop.abort(), answer, { signal: stop.signal }, sleep);
      expect(results).toMatchObject([{ success: false, code: "exec/stopped", data: { stdout: "before\n", ...(sandbox === "required" && { changed: [{ path: "begun" }] }) } }, { code: "skip/stopped" }]);
      expect(processesWith(sleep)).toEqual([]);
    }
  });

  test.runIf(hasSandbox || sandbox === "off")("by stop: the command goes on to its end", async () => {
    const stop = new AbortController();
    const results = await during(() => stop.abort(), two(`${sleeping("0.321")}; echo after`), { stop: stop.signal }, "0.321");
    expect(results).toMatchObject([{ success: true, data: { stdout: "before\nafter\n" } }, { code: "skip/stopped" }]);
  });
});

test.runIf(hasSandbox)(`59: ${isLong ? "2.5 GB" : "300 MB"} of output take no memory`, async () => {
  const { runProgram } = await import("../../src/process/run-program.ts");
  const bytes = isLong ? 2_500_000_000 : 300_000_000;
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 5);
  const { stdout } = await runProgram({ program: "head", args: ["-c", String(bytes), "/dev/zero"], timeout: 120_000 });
  clearInterval(watch);
  expect(stdout).toContain(`\n… ${bytes - 2 ** 20} bytes are left out here …\n`);
  expect(stdout.length).toBeLessThan(2 ** 20 + 100);
  expect((highest - before) / 2 ** 20).toBeLessThan(100);
}, 130_000);

test.runIf(hasSandbox && process.getuid?.() === 0)("a command changes a file of a team's group, which an overlay of the user's cannot", async () => {
  const root = createFolder({ "a.txt": "one\n", "loaf.yml": "relative_paths: true\ngit: {commit: false}\n" });
  for (const name of [".", "a.txt", "loaf.yml"]) chownSync(join(root, name), 65_534, 1_234);
  const { stdout } = await runLoaf(["run"], { cwd: root, input: printBlock("abc", { action: "exec", lang: "bash", code: "echo two >> a.txt" }), asNobody: true });
  expect([stdout, readFileSync(join(root, "a.txt"), "utf8")]).toEqual([expect.stringContaining("[abc] exec bash:\nchanged: a.txt"), "one\ntwo\n"]);
});

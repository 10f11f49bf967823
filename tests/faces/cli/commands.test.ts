import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { allCommands } from "../../../src/faces/cli/command-spec.ts";
import { loaf } from "../../../src/faces/cli/command-table.ts";
import { createRepository } from "../../support/repository.ts";
import { createFolder } from "../../support/folder.ts";
import { program, runLoaf } from "../../support/run-loaf.ts";
import { snapshot } from "../../support/sandbox.ts";
import { write } from "./answers.ts";
import { estimateTokens } from "../../../src/edit/tokens.ts";

const commands = ["run", "parse", "context", "xd5", "init", "undo", "redo", "log", "diff", "recover", "instructions", "config", "trust", "doctor", "completion", "demo"];

describe("help", () => {
  test("loaf --help shows every command", async () => {
    const { code, stdout } = await runLoaf(["--help"]);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"));
  });

  test("a command's help has its example", async () => {
    const { code, stdout, stderr } = await runLoaf(["xd5", "graph", "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Example:\n  $ loaf xd5 graph\n");
  });

  test("every command and subcommand has an example", () => {
    const lacksExample = allCommands(loaf).filter(({ path, examples }) => !examples.some((line) => line.includes(path.join(" "))));
    expect(lacksExample).toEqual([]);
  });

  test("loaf help shows the same", async () => {
    expect(await runLoaf(["help", "run"])).toEqual(await runLoaf(["run", "--help"]));
    expect(await runLoaf(["help"])).toEqual(await runLoaf(["--help"]));
  });

  test("--version and -v print the version of the package", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    for (const flag of ["--version", "-v"]) expect(await runLoaf([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});

describe("parse", () => {
  const broken = '#!nesl [@three-char-SHA-256: abc]\naction = "file_read"\npath := "x"\n#!end_abc\n';

  test("shows blocks and errors with their lines, for people", async () => {
    const { code, stdout } = await runLoaf(["parse"], { input: `Hello\n${broken}` });
    expect(code).toBe(1);
    expect(stdout).toBe(
      'abc (lines 2 to 5)\n  action = "file_read"\n\n4:6: INVALID_ASSIGNMENT_OPERATOR: Invalid assignment operator \':=\' - only \'=\' is allowed\n  path := "x"\n\n1 block, 1 error\n',
    );
  });

  test("--json prints the library's result", async () => {
    const { stdout } = await runLoaf(["parse", "--json"], { input: write("abc", "a.txt", "x") });
    expect(JSON.parse(stdout)).toEqual({
      blocks: [{ id: "abc", properties: { action: "file_write", path: "a.txt", content: "x" }, startLine: 1, endLine: 5 }],
      errors: [],
    });
  });

  test("the content of an answer cannot control the terminal", async () => {
    const { stdout } = await runLoaf(["parse"], { input: write("abc", "\u001B[2J\u202E.txt", "\u009B31m") });
    expect(stdout).not.toMatch(/[\u001B\u009B\u202E]/);
  });

  test("works without a project, and with an invalid one", async () => {
    const root = createFolder({ "loaf.yml": "broken: [" });
    expect((await runLoaf(["parse"], { cwd: root, input: write("abc", "a", "b") })).code).toBe(0);
  });
});

describe("instructions", () => {
  test("contain the project's root and its allowed actions", async () => {
    const root = createFolder({ "loaf.yml": "allowed-actions: [file_read, ls]\n" });
    const { stdout } = await runLoaf(["instructions"], { cwd: root });
    expect(stdout).toContain(root);
    expect(stdout).toContain("- file_read (");
    expect(stdout).not.toContain("file_write");
  });
});

describe("instructions, with options", () => {
  test("--tree adds the project's files, except ignored ones", async () => {
    const root = createFolder({ ".gitignore": "dist\n", "src/a.ts": "", "src/b.ts": "", "dist/a.js": "" });
    const { stdout } = await runLoaf(["instructions", "--short", "--tree"], { cwd: root });
    expect(stdout).toMatch(/\nFiles of the project\n~~~\n\.gitignore\nsrc\/\n {2}a\.ts\n {2}b\.ts\n~~~\n$/);
    expect(stdout).toContain("Actions (parameters, [optional])\n");
  });

  test("--plain prints at most 60 tokens, which name nothing of Loaf's", async () => {
    const { code, stdout } = await runLoaf(["instructions", "--plain"], { cwd: createFolder() });
    expect([code, stdout.split("\n").length]).toEqual([0, 4]);
    expect(estimateTokens(stdout)).toBeLessThanOrEqual(60);
    expect(stdout).not.toMatch(/NESL|Loaf|file_\w/);
    expect(await runLoaf(["instructions", "--plain", "--short"])).toMatchObject({ code: 2, stderr: "--plain and --short are two kinds of instructions\n" });
  });

  test("--short is refused for syntaxes without a shorter text", async () => {
    expect(await runLoaf(["instructions", "--short", "--syntax", "csl"])).toMatchObject({ code: 2, stderr: "--short is for NESL; those for csl are short\n" });
  });
});

describe("config", () => {
  const home = () => createFolder({ "loaf/config.yml": "report: {max_tokens: 500}\nfs-guard: {read: {deny: [a]}}\n" });

  test("shows each setting and the file that sets it", async () => {
    const root = createFolder({ "loaf.yml": "relative_paths: true\nfs-guard: {denied: [b]}\n" });
    const user = home();
    const { stdout } = await runLoaf(["config"], { cwd: root, env: { XDG_CONFIG_HOME: user } });
    expect(stdout).toContain(`root: ${root}\n`);
    expect(stdout).toMatch(new RegExp(`^relative_paths +true +${root}/loaf.yml$`, "m"));
    expect(stdout).toMatch(new RegExp(`^report.max_tokens +500 +${user}/loaf/config.yml$`, "m"));
    expect(stdout).toMatch(new RegExp(`^fs-guard.read.deny +\\["a","b"\\] +${user}/loaf/config.yml, ${root}/loaf.yml$`, "m"));
    expect(stdout).toMatch(/^limits.max_blocks +10000 +default$/m);
    expect(stdout).toMatch(/^allowed-actions +- +default$/m);
  });

  test("a loaf.yml with hooks alone leaves the other settings as they are without one", async () => {
    const root = createFolder({ "loaf.yml": "hooks: {after: [{run: ls}]}\n" });
    const { stdout } = await runLoaf(["config"], { cwd: root });
    expect(stdout).toMatch(/^relative_paths +true +as loaf init would write it$/m);
    expect(stdout).toMatch(/^edits.match +"tolerant" +as loaf init would write it$/m);
  });

  test("--json prints the same for programs", async () => {
    const root = createFolder({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n" });
    const { root: shown, settings } = JSON.parse((await runLoaf(["config", "--json"], { cwd: root })).stdout) as { root: string; settings: unknown[] };
    expect(shown).toBe(root);
    expect(settings).toContainEqual({ key: "relative_paths", value: true, from: [join(root, "loaf.yml")] });
  });

  test("FORCE_COLOR and NO_COLOR are honoured", async () => {
    const cwd = createFolder();
    expect((await runLoaf(["config"], { cwd, env: { FORCE_COLOR: "1" } })).stdout).toContain("\u001B[");
    expect((await runLoaf(["config"], { cwd, env: { FORCE_COLOR: "0" } })).stdout).not.toContain("\u001B[");
    expect((await runLoaf(["config"], { cwd, env: { NO_COLOR: "1", FORCE_COLOR: "" } })).stdout).not.toContain("\u001B[");
  });
});

describe("doctor", () => {
  test("has a line for each check, and finds no problem in a healthy project", async () => {
    const root = createFolder();
    const { code, stdout } = await runLoaf(["doctor"], { cwd: root });
    expect(code).toBe(0);
    expect(stdout).toContain(`✓ node       ${process.version}\n✓ project    ${root}\n✓ loaf.yml   none: commands use the settings that loaf init would write\n`);
    for (const name of ["clipboard", "git", "ripgrep", "sandbox", "view"]) expect(stdout).toMatch(new RegExp(`^. ${name} `, "m"));
  });

  test("says that runs are not committed where git does not know the user", async () => {
    const { root, git } = createRepository({ "a.txt": "one\n" });
    git("config", "--unset", "user.email");
    const { stdout } = await runLoaf(["doctor"], { cwd: root });
    expect(stdout).toMatch(/^! git {8}runs are not committed: git does not know who you are: set user\.name and user\.email with git config --global$/m);
  });

  test("an invalid loaf.yml gives exit code 1, with the reason", async () => {
    const { code, stdout } = await runLoaf(["doctor"], { cwd: createFolder({ "loaf.yml": "version: 2\n" }) });
    expect(code).toBe(1);
    expect(stdout).toContain("✗ loaf.yml   loaf.yml:1:10: 'version' must be 1\n");
  });

  test("names an untrusted loaf.yml, with the remedy", async () => {
    const { code, stdout } = await runLoaf(["doctor"], { cwd: createFolder({ "loaf.yml": "fs-guard: {allowed: [~/notes/**]}\n" }) });
    expect(code).toBe(0);
    expect(stdout).toContain("! trust      loaf.yml is not trusted, so these settings are ignored: read ~/notes/**, write ~/notes/**; loaf trust accepts them\n");
  });

  test("does not report a clipboard program as working without a display", async () => {
    const path = createFolder({ xclip: "#!/bin/sh\n" });
    chmodSync(join(path, "xclip"), 0o755);
    const lineWith = async (display: string) => /^. clipboard .*$/m.exec((await runLoaf(["doctor"], { cwd: createFolder(), env: { PATH: path, DISPLAY: display, WAYLAND_DISPLAY: "", TERM: "dumb" } })).stdout)?.[0];
    expect(await lineWith("")).toBe(`! clipboard  ${join(path, "xclip")} finds no display, so --copy and loaf paste cannot work here: neither DISPLAY nor WAYLAND_DISPLAY is set`);
    expect(await lineWith(":0")).toBe(`✓ clipboard  ${join(path, "xclip")}`);
  });

  test("names what to install if there is no clipboard program", async () => {
    const { stdout } = await runLoaf(["doctor"], { cwd: createFolder(), env: { PATH: createFolder(), TERM: "dumb" } });
    expect(stdout).toContain("! clipboard  --copy and loaf paste cannot work: install wl-clipboard (Wayland), or xclip or xsel (X11)\n");
  });
});

describe("demo", () => {
  /** Runs the demo with a temporary folder of its own. */
  const demo = async (at: string = program) => {
    const temp = createFolder();
    const stdout = execFileSync(process.execPath, [at, "demo"], { cwd: createFolder(), env: { ...process.env, TMPDIR: temp }, encoding: "utf8" });
    return { stdout, temp };
  };

  test("shows the answer, the diff and the report, twice in a row", async () => {
    const examples = snapshot("examples");
    for (const run of [1, 2]) {
      const { stdout, temp } = await demo();
      const [folder = ""] = readdirSync(temp);
      expect(stdout, `run ${run}`).toContain("Then update the `receipt` function in `src/order.js`");
      expect(stdout).toContain("#!nesl [@three-char-SHA-256: k3p]");
      expect(stdout).toContain("+++ b/src/money.js\n");
      expect(stdout).toContain("k3p ✅ file_write src/money.js\n");
      expect(stdout).toContain("b6h ❌ file_replace_text src/main.js - old_text appears 2 times, must appear exactly once\n");
      expect(stdout).toContain(`cd ${join(temp, folder)}\n`);
      expect(stdout.split("\n").length, "lines, of two screens").toBeLessThan(85);
    }
    expect(snapshot("examples")).toEqual(examples);
  });

  test("the report tells the model how to continue: all blocks but one succeeded", async () => {
    const { stdout } = await demo();
    const marks = stdout.slice(stdout.lastIndexOf("=== LOAF RESULTS ===")).match(/^\w{3} (✅|❌)/gm);
    expect(marks).toEqual(["k3p ✅", "r8d ✅", "w2m ✅", "f5x ✅", "n9q ✅", "g4t ✅", "b6h ❌", "t7c ✅"]);
  });

  test("the remaining project works, and runs further answers", async () => {
    const { temp } = await demo();
    const root = join(temp, readdirSync(temp)[0] ?? "");
    expect(execFileSync(process.execPath, ["src/main.js"], { cwd: root, encoding: "utf8" })).toContain("Total: 16.70 EUR");
    expect((await runLoaf(["run"], { cwd: root, input: write("abc", "x.txt", "y") })).code).toBe(0);
  });

  test("reports a package installed without its examples", async () => {
    const elsewhere = createFolder();
    cpSync(dirname(program), join(elsewhere, "dist"), { recursive: true });
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    writeFileSync(join(elsewhere, "package.json"), "{}");
    await expect(demo(join(elsewhere, "dist", "loaf.cjs"))).rejects.toThrow("does not exist: this installation has no examples");
  });
});

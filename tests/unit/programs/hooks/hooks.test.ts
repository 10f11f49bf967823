import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHooks } from "../../../../src/programs/hooks/hooks.ts";
import type { Hook } from "../../../../src/config/schema.ts";
import { createFolder } from "../../../support/folder.ts";

async function run(hooks: readonly Hook[], { root = createFolder(), context = {}, vars = {} }: Partial<Parameters<typeof runHooks>[1]> = {}) {
  const failed = await runHooks(hooks, { root, context, vars });
  const read = (name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined);
  return { failed, read };
}

test("hooks run one after the other in the root, with the user's environment", async () => {
  const { failed, read } = await run([{ run: "pwd > a" }, { run: 'cat a > b; printf %s "$PATH" > c' }]);
  expect(failed).toEqual([]);
  expect(read("b")).toBe(read("a"));
  expect(read("c")).toBe(process.env["PATH"]);
});

test("the first that fails is the last, unless it says otherwise; both count as failed", async () => {
  const { failed, read } = await run([{ run: "exit 3", continueOnError: true }, { run: "touch a" }, { run: "false" }, { run: "touch b" }]);
  expect(failed.map(({ command, error }) => `${command}: ${error}`)).toEqual(["exit 3: Command failed with exit code 3", "false: Command failed with exit code 1"]);
  expect([read("a"), read("b")]).toEqual(["", undefined]);
});

test("what a failing one wrote is kept, of much the beginning and the end", async () => {
  const { failed } = await run([{ run: "echo out; echo err >&2; false" }]);
  expect(failed).toMatchObject([{ stdout: "out\n", stderr: "err\n" }]);
  const much = await run([{ run: "echo begin; head -c 1000000 /dev/zero | tr '\\0' x; echo end; false" }]);
  const [{ stdout = "" } = {}] = much.failed;
  expect(stdout.length).toBeLessThan(40_000);
  expect(stdout).toMatch(/^begin\n[^]*bytes are left out here[^]*end\n$/);
});

test("what a run knows comes before vars of the same name", async () => {
  const { read } = await run([{ run: 'printf %s "${success} ${MINE}" > a' }], { context: { success: "true" }, vars: { success: "maybe", MINE: "x" } });
  expect(read("a")).toBe("true x");
});

test("an unknown name fails before anything of the command runs", async () => {
  const { failed, read } = await run([{ run: "touch a; echo ${NOPE}" }]);
  expect(failed).toEqual([{ command: "touch a; echo ${NOPE}", error: "Variable not found: NOPE", stdout: "", stderr: "" }]);
  expect(read("a")).toBeUndefined();
});

test("cwd is relative to the root; one that is not there is named", async () => {
  const root = createFolder({ "sub/x": "" });
  const { failed, read } = await run([{ run: "touch here", cwd: "sub" }, { run: "touch there", cwd: "nowhere" }], { root });
  expect(read("sub/here")).toBe("");
  expect(failed).toMatchObject([{ error: "Working directory does not exist 'nowhere' (ENOENT)" }]);
});

test("the time limit ends all that it has started", async () => {
  const { failed, read } = await run([{ run: "(sleep 1; touch late) & sleep 20", timeout: 100 }]);
  expect(failed).toMatchObject([{ error: "Command timed out after 0.1s" }]);
  await new Promise((done) => setTimeout(done, 1_300));
  expect(read("late")).toBeUndefined();
});

test("a signal is told by its name", async () => {
  const { failed } = await run([{ run: "kill -TERM $$" }]);
  expect(failed).toMatchObject([{ error: "Command was killed by signal SIGTERM" }]);
});

test("nothing waits for input", async () => {
  const { failed } = await run([{ run: "cat" }]);
  expect(failed).toEqual([]);
});

test("a hook that is running ends when the run is stopped", async () => {
  const over = new AbortController();
  setTimeout(() => over.abort(), 100);
  const start = performance.now();
  const failed = await runHooks([{ run: "sleep 20" }, { run: "sleep 20" }], { root: createFolder(), context: {}, vars: {}, signal: over.signal });
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(failed).toMatchObject([{ command: "sleep 20", error: expect.stringContaining("killed by signal") as string }]);
});

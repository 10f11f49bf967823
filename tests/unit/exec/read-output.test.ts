import { describe, expect, it } from "vitest";
import { readOutput } from "../../../src/exec/read-output.ts";

const node = (code: string, timeout = 10_000, onOutput: (piece: Buffer) => boolean = () => true) => readOutput(process.execPath, ["-e", code], { cwd: "/", timeout }, onOutput);

describe("the output of a program", () => {
  it("comes piece by piece, all of it, before the end", async () => {
    let bytes = 0;
    const ended = await node('process.stdout.write("x".repeat(1_000_000)); console.error("oh"); process.exitCode = 3', 10_000, (piece) => (bytes += piece.length) > 0);
    expect({ ...ended, bytes }).toEqual({ exitCode: 3, complaint: "oh\n", bytes: 1_000_000 });
  });

  it("ends where nobody wants more of it, or the time is over", async () => {
    expect((await node('setInterval(() => console.log("x"), 5)', 10_000, () => false)).exitCode).toBe(null);
    expect((await node("setInterval(() => {}, 5)", 200)).exitCode).toBe(null);
  });

  it.runIf(process.platform === "linux")("ends where it does nothing any more, and not while it does", async () => {
    const watched = (code: string) => readOutput(process.execPath, ["-e", code], { cwd: "/", timeout: 20_000, stall: 300 }, () => true);
    expect((await watched("setTimeout(() => {}, 15_000)")).exitCode).toBe(null);
    expect((await watched("const end = Date.now() + 1_000; while (Date.now() < end) process.hrtime()")).exitCode).toBe(0);
  });

  it("of one that is not there is an error", async () => {
    await expect(readOutput("/nowhere/rg", [], { cwd: "/", timeout: 1_000 }, () => true)).rejects.toThrow("ENOENT");
  });
});

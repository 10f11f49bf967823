import { describe, expect, test } from "vitest";
import { seccompFilter } from "../../../../src/programs/sandbox/bubblewrap.ts";

const X86_64 = 0xc000003e;
const I386 = 0x40000003;
const AARCH64 = 0xc00000b7;
const ARM = 0x40000028;

/** What the kernel would do with a call, by the rules of classic BPF. */
function verdict(filter: Buffer, audit: number, number: number, ...args: readonly number[]): string {
  const call = new Map([[0, number], [4, audit], ...args.map((value, index) => [16 + 8 * index, value] as const)]);
  let accumulator = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, yes, no, value] = [filter.readUInt16LE(at), filter.readUInt8(at + 2), filter.readUInt8(at + 3), filter.readUInt32LE(at + 4)];
    if (code === 0x06) return value === 0x7fff0000 ? "allow" : value === 0x80000000 ? "kill" : `errno ${value & 0xffff}`;
    if (code === 0x20) accumulator = call.get(value) ?? 0;
    else at += 8 * ((code === 0x15 ? accumulator === value : code === 0x35 ? accumulator >= value : (accumulator & value) !== 0) ? yes : no);
  }
  return "ran off its end";
}

describe.each([
  { arch: "x64", audit: X86_64, other: I386, numbers: { read: 0, execve: 59, ptrace: 101, keyctl: 250, bpf: 321, mount: 165, unshare: 272, clone: 56, ioctl: 16, socket: 41 } },
  { arch: "arm64", audit: AARCH64, other: ARM, numbers: { read: 63, execve: 221, ptrace: 117, keyctl: 219, bpf: 280, mount: 40, unshare: 97, clone: 220, ioctl: 29, socket: 198 } },
])("93: the filter of $arch", ({ arch, audit, other, numbers }) => {
  const filter = seccompFilter(arch) as Buffer;
  const of = (name: keyof typeof numbers, ...args: readonly number[]) => verdict(filter, audit, numbers[name], ...args);

  test("lets ordinary calls pass, and debuggers", () => {
    expect([of("read"), of("execve"), of("ptrace"), of("ioctl", 0, 0x5413), of("socket", 2), of("clone", 0x3d0f00), of("unshare", 0x400)]).toEqual(Array(7).fill("allow"));
  });

  test("refuses what nobody needs, whatever the other arguments", () => {
    expect([of("keyctl"), of("bpf", 5, 5), of("mount"), of("unshare", 0x10020000), of("clone", 0x10000011), of("ioctl", 2, 0x5412), of("ioctl", 2, 0x541c), of("socket", 40)]).toEqual(Array(8).fill("errno 1"));
    expect([425, 426, 427, 435].map((number) => verdict(filter, audit, number))).toEqual(Array(4).fill("errno 38"));
  });

  test("ends programs of another word size, and knows no x32", () => {
    expect(verdict(filter, other, numbers.read)).toBe("kill");
    expect(verdict(filter, audit, 0x40000000 + numbers.read)).toBe(arch === "x64" ? "errno 38" : "allow");
  });
});

test("there is none where the numbers of calls are not known", () => {
  expect(seccompFilter("riscv64")).toBeUndefined();
});

/** What a command in the sandbox can and cannot do, as root and as an ordinary user. What must not come out is marked LEAK. */
import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CommandData } from "../../src/core/command.ts";
import type { ActionResult } from "../../src/core/outcome.ts";
import { Loaf } from "../../src/index.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
import { createWorld, users, type World } from "../support/exec-world.ts";
import { hasSandbox } from "../support/programs.ts";
import { createFolder } from "../support/folder.ts";
import { processesWith } from "../support/processes.ts";

const files = {
  "outside.txt": "LEAK outside",
  "sibling/package.json": "LEAK sibling",
  "home/secret.txt": "LEAK home",
  "home/.ssh/config": "LEAK ssh",
  "home/.config/loaf/config.yml": "version: 1\n",
  "home/tools/bin/hello": "#!/bin/sh\necho hello from a toolchain\n",
  "state/loaf/other": "LEAK state",
  "project/src/a.txt": "a\n",
  "project/.env": "LEAK env",
  "project/.env.example": "template\n",
  "project/config/server.key": "LEAK key",
  "project/config/server.pem": "LEAK pem",
  "project/.npmrc": "LEAK npmrc",
  "project/.ssh/id": "LEAK project ssh",
  "project/private/deep/file.txt": "LEAK private",
  "project/docs/guide.md": "guide\n",
  "project/area/part/closed/file.txt": "LEAK closed",
  "project/area/part/open.txt": "open\n",
  "project/manual/en/guide.md": "guide\n",
  "project/locked/.env": "LEAK locked",
  "project/private/.vscode/settings.json": "{}\n",
  "project/node_modules/tool/test.pem": "LEAK module",
  "project/.git/config": "[core]\n",
  "project/.git/HEAD": "ref: refs/heads/main\n",
  "project/nested/.git/config": "[core]\n",
  "project/worktree/.git": "gitdir: /nowhere\n",
  "project/.vscode/settings.json": "{}\n",
  "project/loaf.yml": "fs-guard:\n  read: {deny: ['private/**', 'area/part/closed/**']}\n  write: {deny: ['docs/**', 'manual/en/**']}\n",
};

const no = (code: string): string => `( ${code} ) 2> /dev/null && echo LEAK || echo refused`;
const REFUSED = "refused\n";

/** Of this process. */
const namespaces = ["ipc", "uts", "mnt", "pid", "net", "user"].map((name) => readlinkSync(`/proc/self/ns/${name}`)).join("\n");

/** Code that makes system calls and writes how they fail, each way once. */
function callsOf(names: string): string {
  return `python3 - ${names} << 'END' | sort -u
import ctypes, errno, platform, sys
x64 = {"add_key": 248, "request_key": 249, "keyctl": 250, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "mount": 165, "umount2": 166, "unshare": 272, "clone": 56, "ioctl": 16, "socket": 41}
arm64 = {"add_key": 217, "request_key": 218, "keyctl": 219, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "mount": 40, "umount2": 39, "unshare": 97, "clone": 220, "ioctl": 29, "socket": 198}
both = {"io_uring_setup": 425, "io_uring_enter": 426, "clone3": 435, "open_tree": 428, "fsopen": 430}
numbers = {**(x64 if platform.machine() == "x86_64" else arm64), **both}
arguments = {"TIOCSTI": ("ioctl", 0, 0x5412), "vsock": ("socket", 40, 1), "unshare": ("unshare", 0x10000000), "clone": ("clone", 0x10000011)}
call = ctypes.CDLL(None, use_errno=True).syscall
for name in sys.argv[1:]:
    name, *rest = arguments.get(name, (name,))
    print(errno.errorcode[ctypes.get_errno()] if call(numbers[name], *rest, *[0] * (5 - len(rest))) == -1 else "LEAK " + name)
END`;
}

/** x32 by its bit; the 32-bit entry by its instruction, in a program of its own. */
const x86Only = `python3 -c 'import ctypes, errno; print(errno.errorcode[ctypes.get_errno()] if (call := ctypes.CDLL(None, use_errno=True).syscall)(0x40000000 | 39) == -1 else "LEAK")'
printf 'int main(void) { int pid; __asm__ volatile("int $0x80" : "=a"(pid) : "a"(20)); return 0; }' > /tmp/i.c && gcc /tmp/i.c -o /tmp/i && { /tmp/i && echo LEAK || echo ended; } 2> /dev/null`;

/** Name, code of bash, what it writes. */
const cases: ReadonlyArray<readonly [name: string, code: string, stdout: string | RegExp]> = [
  // Reads.
  ["a file of the project is read", "cat src/a.txt", "a\n"],
  ["a template of secrets is read", "cat .env.example", "template\n"],
  [".git is read", "cat .git/HEAD", "ref: refs/heads/main\n"],
  ["loaf.yml is read", "head -c 8 loaf.yml", "fs-guard"],
  ["docs that may not be written are read", "cat docs/guide.md", "guide\n"],
  ["the root is listed", "ls -d src", "src\n"],
  [".env is not read", no("cat .env"), REFUSED],
  [".env is not read by its whole path", no('cat "$PWD/.env"'), REFUSED],
  [".env is not read through a link", no("ln -s .env env.txt && cat env.txt"), REFUSED],
  [".env is not read through a hard link", no("ln .env linked.txt && grep LEAK linked.txt"), REFUSED],
  [".env is not read through /proc", no("cat /proc/self/cwd/.env"), REFUSED],
  [".env is not read through another root", no('cat "/proc/1/root$PWD/.env"'), REFUSED],
  [".env is not moved away", no("mv .env env.txt"), REFUSED],
  [".env is not copied", no("cp .env env.txt"), REFUSED],
  ["a key is not read", no("cat config/server.key"), REFUSED],
  ["a key is not read when its directory is moved", no("mv config c && cat c/server.key; r=$?; mv c config; exit $r"), REFUSED],
  ["a certificate is not read", no("cat config/server.pem"), REFUSED],
  [".npmrc is not read", no("cat .npmrc"), REFUSED],
  ["a denied directory is not entered", no("cat .ssh/id"), REFUSED],
  ["a directory that the project denies is not entered", no("cat private/deep/file.txt"), REFUSED],
  ["nor taken along under another name, for the next one to read", no("mv area other || mv area/part part && echo moved"), REFUSED],
  ["what lies beside it is written and moved", "mv area/part/open.txt area/o && echo more >> area/o && cat area/o && mv area/o area/part/open.txt && echo open > area/part/open.txt", "open\nmore\n"],
  ["a directory is locked", "chmod 0 locked", ""],
  ["a locked directory is not opened", no("chmod 700 locked; cat locked/.env"), REFUSED],
  ["nor listed", no("ls private | grep ."), REFUSED],
  ["secrets deep in modules are not read", no("cat node_modules/tool/test.pem"), REFUSED],
  ["what lies beside the project is not there", no("cat ../outside.txt"), REFUSED],
  ["nor another project", no("cat ../sibling/package.json"), REFUSED],
  ["the home folder is empty but for toolchains", "ls -A ~", "tools\n"],
  ["the home folder's secrets are not there", no("cat ~/secret.txt ~/.ssh/config"), REFUSED],
  ["Loaf's state is not there", no("find / -path '*state/loaf*' -not -path '/proc/*' -not -path '/usr/*' | grep ."), REFUSED],
  ["Loaf's own settings are not there", no("cat ~/.config/loaf/config.yml"), REFUSED],
  ["passwords of the system are not read", no("cat /etc/shadow"), REFUSED],
  ["other people's temporary files are not there", no("ls /tmp | grep -v loaf-world | grep ."), REFUSED],
  ["all secrets of this world stay secret", "grep -rl LEAK / --include='*.txt' --include='.env' --include='*.key' --include='*.pem' --include=id --include=other --exclude-dir=proc --exclude-dir=usr --exclude-dir=etc 2> /dev/null; true", ""],
  // Writes.
  ["the project is written", "echo new > src/new.txt && cat src/new.txt", "new\n"],
  ["/tmp is written, and forgotten", "echo x > /tmp/x && cat /tmp/x", "x\n"],
  ["the home folder is written, and forgotten", "echo x > ~/x && cat ~/x", "x\n"],
  ["64: .git is not written", no("echo x >> .git/config"), REFUSED],
  ["64: nothing is made in .git", no("mkdir .git/hooks || echo x > .git/hooks/pre-commit"), REFUSED],
  ["64: .git is not moved away", no("mv .git git"), REFUSED],
  ["64: .git is not removed", no("rm -rf .git; test ! -e .git/config"), REFUSED],
  ["64: a nested repository's is not written", no("echo x >> nested/.git/config"), REFUSED],
  ["64: a work tree's is not written", no("echo x >> worktree/.git"), REFUSED],
  ["37: what may not be written is written on the view alone", "echo x >> loaf.yml; mkdir .loaf; echo x > .loaf/output.md; echo x >> docs/guide.md; echo x > docs/new.md; echo {} > .vscode/settings.json; rm -r manual", ""],
  ["64: the folder above is not written", "echo x > ../x; echo x > ../sibling/package.json", ""],
  ["64: the system is not written", no("echo x > /etc/x || echo x > /usr/x || echo x > /x || mkdir /srv/x"), REFUSED],
  ["a toolchain is not written", no("echo x >> ~/tools/bin/hello"), REFUSED],
  ["mounts are not changed", no('mount -o remount,rw "$PWD/.git" || umount "$PWD/.env" || mount -t tmpfs x src'), REFUSED],
  ["nor in a namespace of its own", no('unshare -Urm sh -c "umount $PWD/.env && cat $PWD/.env"'), REFUSED],
  ["nor entered is another one", no("nsenter -t 1 -m cat ../outside.txt"), REFUSED],
  ["roots are not changed", no("chroot / cat ../outside.txt | grep LEAK"), REFUSED],
  // Devices.
  ["devices are not made", no("mknod disk b 8 0 || mknod mem c 1 1"), REFUSED],
  ["disks and memory are not there", no("ls /dev/sd* /dev/vd* /dev/nvme* /dev/mem /dev/kmsg /dev/fuse | grep ."), REFUSED],
  ["/dev/null and the random ones work", "echo x > /dev/null && head -c 4 /dev/urandom | wc -c", "4\n"],
  // Network.
  ["63: the network is not reached", no("exec 3<> /dev/tcp/1.1.1.1/80"), REFUSED],
  ["63: nor what listens on this machine", no('exec 3<> "/dev/tcp/127.0.0.1/$(cat port.txt)"'), REFUSED],
  // Without a connection, and so without an answer: where there is a network, it is sent.
  ["63: nor is a name server asked", no("echo x > /dev/udp/1.1.1.1/53"), REFUSED],
  ["63: names are not resolved", no("getent hosts example.com"), REFUSED],
  ["63: there is no interface but the loop", "tail -n +3 /proc/net/dev | grep -v '^ *lo:' | wc -l", "0\n"],
  ["a socket in the project is not reached", no(`python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("service.sock")'`), REFUSED],
  // Processes.
  ["processes of others are not seen", "ls /proc | grep -c '^[0-9]' | xargs test 8 -gt && echo few", "few\n"],
  ["Loaf is not killed", no(`kill -9 ${process.pid}`), REFUSED],
  ["67: there is no terminal", no("echo x > /dev/tty || stty -F /dev/tty"), REFUSED],
  ["67: nor can it be written to", `python3 -c 'import fcntl, termios
for fd in (0, 1, 2):
  try: fcntl.ioctl(fd, termios.TIOCSTI, b"x"); print("LEAK")
  except OSError: print("refused")'`, "refused\nrefused\nrefused\n"],
  ["standard input is empty", "wc -c", "0\n"],
  // Environment.
  ["62: Loaf's environment is not there", no("env | grep SECRET"), REFUSED],
  ["62: nor in the first process's", no("tr '\\0' '\\n' < /proc/1/environ | grep SECRET"), REFUSED],
  ["62: only what is named is there", "env | cut -d= -f1 | grep -v '^_$\\|^PWD$\\|^SHLVL$' | sort | xargs", "HOME LANG PATH\n"],
  ["a toolchain on PATH works", "hello", "hello from a toolchain\n"],
  ["node, python and git work", "node -p 1+1 && python3 -c 'print(2)' && git --version | head -c 3", "2\n2\ngit"],
  // The kernel, beside the view.
  ["93: settings of the whole machine are not written", "for one in kernel/core_pattern vm/overcommit_memory kernel/hostname; do cat /proc/sys/$one > /tmp/v && ( cat /tmp/v > /proc/sys/$one ) 2> /dev/null && echo LEAK; done; echo refused", REFUSED],
  ["93: calls that nobody needs are refused", callsOf("add_key request_key keyctl bpf perf_event_open userfaultfd mount umount2 open_tree fsopen TIOCSTI vsock unshare clone"), "EPERM\n"],
  ["93: as are some as if the kernel did not have them, which programs know", callsOf("io_uring_setup io_uring_enter clone3"), "ENOSYS\n"],
  ...(process.arch === "x64" ? [["93: and those by the numbers of another word size", x86Only, "ENOSYS\nended\n"] as const] : []),
  ["93: threads, compilers, debuggers and repositories work all the same", `cd /tmp && git init -q r && git -C r status --short && echo 'int main(void) { return 7; }' > m.c && gcc m.c -o m && { ./m; echo $?; }
node -e 'new (require("node:worker_threads").Worker)("console.log(8)", { eval: true })' && python3 -c 'import threading; threading.Thread(target=print, args=(9,)).start()'`, "7\n8\n9\n"],
  ["93: messages and names are its own", `for one in ipc uts mnt pid net user; do readlink /proc/self/ns/$one; done | grep -cxF '${namespaces}'`, "0\n"],
  ["93: what only root may read of the system is not read, whatever its name", "find /etc \\( -type f -o -type d \\) ! -perm -o=r -readable 2> /dev/null | while read -r one; do [ -d \"$one\" ] || [ ! -s \"$one\" ] || echo \"LEAK $one\"; done; ls -A /etc/ssl/private 2> /dev/null | sed s/^/LEAK/; cat /etc/shadow /etc/ssh/ssh_host_*_key 2> /dev/null", ""],
  ["61: what is kept in memory has a limit", "df --output=size -B1 /tmp /dev/shm ~ | tail -n +2 | sort -u | xargs", `${2 ** 30}\n`],
  ["61: nor is there another place to fill it from", no("for one in / /dev /run /var /proc /sys; do ( echo x > $one/x ) 2> /dev/null && echo $one; done | grep ."), REFUSED],
  // Privileges.
  ["no capability is left", "grep CapEff /proc/self/status", /^CapEff:\s+0+\n$/],
  ["nothing gains any", "grep NoNewPrivs /proc/self/status", /^NoNewPrivs:\s+1\n$/],
  // Limits.
  ["61: memory is limited", "ulimit -d | grep -q unlimited && echo LEAK || echo limited", "limited\n"],
  ["61: core files are not written", "ulimit -c", "0\n"],
];

/** What a command makes where nothing stood, and the name of what must not be there afterwards; undefined where all may stay. */
const made: ReadonlyArray<readonly [name: string, code: string, refused: string | undefined]> = [
  ["what a shell obeys", "echo x > .envrc", ".envrc"],
  ["the same in a directory", "echo x > src/.envrc", "src/.envrc"],
  ["what an editor obeys", "mkdir .idea && echo x > .idea/workspace.xml", ".idea"],
  ["a link to it", "mkdir x && ln -s x .husky", ".husky"],
  ["a link that leads nowhere", "ln -s nowhere .gitmodules", ".gitmodules"],
  ["one that was made under another name", "mkdir src/c && echo x > src/c/settings.json && mv src/c .claude", ".claude"],
  ["one that nobody may move", "mkdir src/.claude && echo x > src/.claude/x && chmod 555 src/.claude", "src/.claude"],
  ["one in a directory that nobody may write", "mkdir -p shut/in && echo x > shut/in/.bashrc && chmod 555 shut/in", "shut/in/.bashrc"],
  ["a repository", "git init -q inner && git -C inner config core.fsmonitor 'touch sprung'", "inner/.git"],
  ["a work tree's file", "mkdir tree && echo 'gitdir: ../x' > tree/.git", "tree/.git"],
  ["one of another spelling", "mkdir src/.GIT", "src/.GIT"],
  ["what the project refuses", "mkdir -p later/deep && echo x > later/deep/file", "later"],
  ["what it refuses by its name", "echo x > src/setup.lock", "src/setup.lock"],
  ["in a directory whose secrets are not read", "mkdir -p open/.ssh && git init -q open/.ssh/r", "open/.ssh/r/.git"],
  ["what is ignored", "echo .mcp.json > .gitignore; echo x > .mcp.json", ".mcp.json"],
  ["the watched file", "echo x > loaf-input.md", "loaf-input.md"],
  ["secrets, which may be written", "echo x > src/.env && echo x > src/made.pem", undefined],
  ["templates", "echo x > .env.sample", undefined],
  ["what is gone by the end", "git init -q away && echo x > .zshrc && rm -rf away .zshrc", undefined],
];

describe.runIf(hasSandbox).each(users)("what may not be written and was not there: as $name", ({ uid }) => {
  let world: World;
  let results: ActionResult[] = [];

  beforeAll(async () => {
    world = await createWorld(uid, { "home/x": "", "project/src/a.txt": "a\n", "project/.vscode/settings.json": "{}\n", "project/loaf.yml": "fs-guard:\n  write: {deny: ['later/**', '**/*.lock']}\n" });
    symlinkSync("src", join(world.root, ".zshenv"));
    results = world.run([...made.map(([, code]) => code), "echo x > .envrc; exit 3", "mkdir -p node_modules/p/.vscode; echo x > node_modules/p/.vscode/x"].map((code) => ({ lang: "bash", code })));
  }, 120_000);
  afterAll(() => world?.remove());

  for (const [index, [name, , refused]] of made.entries()) {
    test(`${name}: ${refused === undefined ? "lands" : "never lands, and is named"}`, () => {
      const { success, error, warnings = [], data } = results[index] as ActionResult;
      expect([success, error]).toEqual([true, undefined]);
      if (refused === undefined) expect(warnings).toEqual([]);
      else {
        expect(warnings.join("\n")).toContain(`left out of the project: ${refused} (deny `);
        expect((data as CommandData).refused).toContainEqual({ path: refused, reason: expect.stringContaining("deny ") as string });
        expect(lstatSync(join(world.root, refused), { throwIfNoEntry: false })).toBeUndefined();
      }
    });
  }

  test("where the command fails by itself, that is told besides", () => {
    expect(results.at(-2)).toMatchObject({ code: "exec/exit", warnings: ["left out of the project: .envrc (deny **/.envrc*)"] });
  });

  test("packages work without them", () => {
    expect(results.at(-1)).toMatchObject({ success: true, warnings: [expect.stringContaining("node_modules/p/.vscode") as string] });
    expect(existsSync(join(world.root, "node_modules/p/.vscode"))).toBe(false);
  });

  test("what stood there stands", () => {
    expect(readFileSync(join(world.root, ".vscode/settings.json"), "utf8")).toBe("{}\n");
    expect(readlinkSync(join(world.root, ".zshenv"))).toBe("src");
  });
});

describe.runIf(hasSandbox).each(users)("37, 62, 63, 64, 67, in the sandbox: as $name", ({ uid }) => {
  let world: World;
  const outputs = new Map<string, string>();

  beforeAll(async () => {
    world = await createWorld(uid, files);
    const results = world.run(cases.map(([, code]) => ({ lang: "bash", code, timeout: "20000" })));
    results.forEach(({ data, error }, index) => outputs.set(cases[index]?.[0] ?? "", (data as CommandData | undefined)?.stdout ?? `${error}`));
  }, 120_000);
  afterAll(() => world?.remove());

  for (const [name, , stdout] of cases) {
    test(name, () => {
      if (typeof stdout === "string") expect(outputs.get(name)).toBe(stdout);
      else expect(outputs.get(name)).toMatch(stdout);
    });
  }

  test("93: descriptors that Loaf was started with do not reach it", () => {
    const code = "for one in /proc/self/fd/*; do [ \"${one##*/}\" -le 2 ] || readlink \"$one\"; done | grep -v '^/dev/null$\\|^/proc/'; for one in 3 9 20 500 1000; do cat <&$one; done";
    const [result] = world.run([{ lang: "bash", code, timeout: "20000" }], join(world.directory, "outside.txt"));
    expect(result).toMatchObject({ data: { stdout: "" } });
  });

  test("all of it left the project as it was, but for what it may write", () => {
    for (const [path, content] of Object.entries(files)) expect(readFileSync(join(world.directory, path), "utf8")).toBe(content);
    expect(readFileSync(join(world.root, "src/new.txt"), "utf8")).toBe("new\n");
    for (const place of [".loaf", "../x", "docs/new.md"]) expect(existsSync(join(world.root, place))).toBe(false);
  });
});

describe.runIf(hasSandbox).each(users)("93: a folder outside of the project, as $name", ({ uid }) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(uid, {
      "elsewhere/a.txt": "a\n",
      "elsewhere/.env": "LEAK env",
      "elsewhere/deep/server.key": "LEAK key",
      "elsewhere/deep/b.txt": "b\n",
      "elsewhere/shut/file.txt": "LEAK shut",
      "unnamed/file.txt": "LEAK unnamed",
      "project/src/a.txt": "in\n",
      "project/.env": "LEAK project",
      "project/shut/nested/.git/config": "LEAK nested",
      "project/.git/config": "[core]\n",
      "state/loaf/other": "LEAK state",
    });
    const read = { allow: ["./**", `${world.directory}/*`, `${world.directory}/elsewhere/**`, world.directory, "/etc/**"], deny: [`${world.directory}/unnamed`, `${world.directory}/elsewhere/shut/**`, "shut/**"] };
    mkdirSync(join(world.directory, "home/.config/loaf"), { recursive: true });
    writeFileSync(join(world.directory, "home/.config/loaf/config.yml"), JSON.stringify({ "fs-guard": { read } }));
  }, 60_000);
  afterAll(() => world?.remove());

  const stdoutIn = (cwd: string, code: string) => {
    const [result] = world.run([{ lang: "bash", cwd: resolve(world.root, cwd), code, timeout: "20000" }]);
    return (result?.data as CommandData | undefined)?.stdout || result?.error;
  };

  test("shows what the rules open of it, and nothing else", () => {
    expect(stdoutIn("../elsewhere", "cat a.txt deep/b.txt; cat .env deep/server.key shut/file.txt ../unnamed/file.txt ../elsewhere/.env 2> /dev/null; echo x 2> /dev/null > a.txt || echo read-only")).toBe("a\nb\nread-only\n");
  });

  test("shows the project in it as ever, and nothing of Loaf's", () => {
    expect(stdoutIn("..", "cat project/src/a.txt; ls project/.git; cat project/.env project/shut/nested/.git/config state/loaf/other unnamed/file.txt elsewhere/.env 2> /dev/null; echo x > project/src/new.txt; echo x > project/.git/config || echo read-only")).toBe("in\nconfig\nread-only\n");
    expect(readFileSync(join(world.root, "src/new.txt"), "utf8")).toBe("x\n");
  });

  test("shows what the system keeps from other users no more than elsewhere", () => {
    expect(stdoutIn("/etc", "cat passwd | grep -c '^root:'; cat shadow 2> /dev/null | head -1")).toBe("1\n");
  });

  test("is refused where the rules do not open it", () => {
    expect(stdoutIn("../unnamed", "cat file.txt")).toContain("Read access denied");
  });
});

describe.runIf(hasSandbox).each(users)("95: a program's version, as $name", ({ uid }) => {
  test("is asked for in the sandbox, in the folder where it is to run", async () => {
    const shim = `#!/bin/sh
echo "asked in $PWD" >> "$PWD/asked.txt"
{ cat "\${0%/*}/../../../outside.txt"; env | grep SECRET; } >> "$PWD/asked.txt" 2> /dev/null
touch "\${0%/*}/../../../escaped"
echo ruby 9.9.9
`;
    const world = await createWorld(uid, { "outside.txt": "LEAK outside", "home/tools/bin/ruby": shim, "project/src/a.txt": "" });
    try {
      const results = world.run(["9.9", "8"].map((version) => ({ lang: "ruby", version, code: "1", cwd: join(world.root, "src") })));
      expect(results).toMatchObject([{ success: true, data: { stdout: "ruby 9.9.9\n" } }, { code: "exec/not-found", error: "exec: ruby8 not found in PATH (ENOENT)", data: { changed: [{ path: "src/asked.txt" }] } }]);
      expect(readFileSync(join(world.root, "src/asked.txt"), "utf8")).toBe(`asked in ${world.root}/src\n`.repeat(3));
      expect(existsSync(join(world.directory, "escaped"))).toBe(false);
    } finally {
      world.remove();
    }
  });
});

describe.runIf(hasSandbox).each(users)("58: when Loaf is killed, as $name", ({ uid }) => {
  test("nothing that it started in the sandbox outlives it", async () => {
    const world = await createWorld(uid, { "project/a.txt": "" });
    try {
      const sleep = `8${process.pid}.${uid}`;
      writeFileSync(join(world.directory, "job.json"), JSON.stringify({ root: world.root, commands: [{ lang: "bash", code: `sleep ${sleep} & setsid sleep ${sleep}` }] }), { mode: 0o644 });
      const env = { PATH: "/usr/bin:/bin", HOME: join(world.directory, "home"), XDG_STATE_HOME: join(world.directory, "state") };
      const loaf = spawn(process.execPath, [join(world.directory, "worker.mjs"), join(world.directory, "job.json"), "/dev/null"], { cwd: world.root, env, uid, gid: uid, stdio: "ignore" });
      await expect.poll(() => processesWith(`sleep\0${sleep}`).length, { timeout: 20_000 }).toBe(2);
      loaf.kill("SIGKILL");
      await expect.poll(() => processesWith(sleep), { timeout: 10_000 }).toEqual([]);
    } finally {
      world.remove();
    }
  }, 60_000);
});

test.runIf(hasSandbox)("93: the account's own home folder stays hidden where HOME names another one", async () => {
  const { homedir } = userInfo();
  vi.stubEnv("HOME", createFolder());
  vi.stubEnv("PATH", `${homedir}:/usr/bin:/bin`);
  try {
    const loaf = await Loaf.create({ repoPath: createFolder() });
    const { results } = await loaf.execute(printBlock("cmd", { action: "exec", lang: "bash", code: `ls -A '${homedir}' 2> /dev/null; echo ended` }));
    expect(results).toMatchObject([{ data: { stdout: "ended\n" } }]);
  } finally {
    vi.unstubAllEnvs();
  }
});

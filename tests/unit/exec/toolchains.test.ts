import { expect, test } from "vitest";
import { toolchainsOf } from "../../../src/exec/toolchains.ts";

const home = "/home/me";
const root = "/home/me/work/project";
const foldersOf = (path: string, links: Readonly<Record<string, string>> = {}) => toolchainsOf(path, [home, root, "/home/me/.local/state/loaf"], (folder) => links[folder] ?? folder).folders;

test("the system's own folders need not be shown, a toolchain is shown whole", () => {
  expect(foldersOf("/usr/local/bin:/usr/bin:/bin:/opt/go/bin")).toEqual([]);
  expect(foldersOf("/home/me/.nvm/versions/node/v20/bin:/home/me/.pyenv/shims")).toEqual(["/home/me/.nvm/versions/node/v20", "/home/me/.pyenv"]);
});

test("never the home folder, what holds credentials, the project or what lies above it", () => {
  expect(foldersOf("/home/me/bin")).toEqual(["/home/me/bin"]);
  expect(foldersOf("/home/me/.cargo/bin")).toEqual(["/home/me/.cargo/bin", "/home/me/.rustup"]);
  expect(foldersOf("/home/me/.local/bin")).toEqual(["/home/me/.local/bin", "/home/me/.local/lib"]);
  expect(foldersOf("/home/me/work/bin")).toEqual(["/home/me/work/bin"]);
  expect(foldersOf("/home/me:/home/me/work:/:/home")).toEqual([]);
  expect(foldersOf("/srv/bin")).toEqual(["/srv/bin"]);
});

test("nor another one's home folder, as where HOME names a folder for this run only", () => {
  expect(foldersOf("/home/you/bin:/Users/you/bin")).toEqual(["/home/you/bin", "/Users/you/bin"]);
  expect(foldersOf("/root/.cargo/bin:/root/.local/bin:/home/you/.pyenv/shims")).toEqual(["/root/.cargo/bin", "/root/.rustup", "/root/.local/bin", "/root/.local/lib", "/home/you/.pyenv"]);
});

test("nor the home folder by its other name, where a link leads to it", () => {
  const links = { "/home/me": "/var/home/me", "/home/me/bin": "/var/home/me/bin", "/home/me/.pyenv/shims": "/var/home/me/.pyenv/shims" };
  expect(foldersOf("/home/me/bin", links)).toEqual(["/var/home/me/bin", "/home/me/bin"]);
  expect(foldersOf("/var/home/me:/home/me", links)).toEqual([]);
  expect(foldersOf("/home/me/.pyenv/shims", links)).toEqual(["/var/home/me/.pyenv", "/home/me/.pyenv/shims"]);
});

test("links on PATH lead where they lead, a folder in another one is shown with it, Windows' own and relative ones are not", () => {
  expect(foldersOf("/home/me/current/bin", { "/home/me/current/bin": "/home/me/.tools/v2/bin" })).toEqual(["/home/me/.tools/v2", "/home/me/current/bin"]);
  expect(foldersOf("/data/tool/bin:/data/tool/plugins/bin")).toEqual(["/data/tool"]);
  expect(toolchainsOf(".:bin:/mnt/c/Windows:/usr/bin", [], (folder) => folder)).toEqual({ path: "/usr/bin", folders: [] });
});

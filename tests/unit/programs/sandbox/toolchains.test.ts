import { expect, test } from "vitest";
import { toolchainsOf } from "../../../../src/programs/sandbox/toolchains.ts";

const home = "/home/me";
const root = "/home/me/work/project";

/** Where these paths lie below folders that exist, and nothing else does but what is on PATH. */
function foldersOf(path: string, { links = {}, beside = [] }: { readonly links?: Readonly<Record<string, string>>; readonly beside?: readonly string[] } = {}) {
  const existing = new Set([...path.split(":"), ...beside, home, root]);
  const resolve = (folder: string) => links[folder] ?? (existing.has(folder) || Object.values(links).includes(folder) ? folder : undefined);
  return toolchainsOf(path, [home, root, "/home/me/.local/state/loaf"], resolve).folders;
}

test("the system's own folders need not be shown, one that holds a version alone is shown whole", () => {
  expect(foldersOf("/usr/local/bin:/usr/bin:/bin:/opt/go/bin")).toEqual([]);
  const whole = ["/home/me/.nvm/versions/node/v20", "/home/me/.local/share/fnm/node-versions/v20/installation", "/home/me/.pyenv/versions/3.12.1", "/home/me/.asdf/installs/node/20", "/home/me/.sdkman/candidates/java/21", "/root/.opam/default", "/srv/node_modules"];
  expect(foldersOf(whole.map((folder) => `${folder}/${folder.endsWith("node_modules") ? ".bin" : "bin"}`).join(":"), { beside: whole })).toEqual(whole);
});

test("93: what lies beside a folder on PATH is not shown for that", () => {
  const beside = ["/home/me/.docker", "/home/me/.docker/config.json", "/home/me/.docker/run/docker.sock", "/home/me/.docker/lib", "/home/me/.fly/config.yml", "/home/me/.pulumi/credentials.json", "/home/me/.dotnet/corefx", "/data/tool/lib"];
  const bins = ["/home/me/.docker/bin", "/home/me/.fly/bin", "/home/me/.pulumi/bin", "/data/tool/bin", "/home/you/bin", "/Users/you/bin", "/srv/bin"];
  expect(foldersOf(bins.join(":"), { beside })).toEqual(bins);
  expect(foldersOf("/home/me/.dotnet", { beside: [...beside, "/home/me/.dotnet/sdk"] })).toEqual(["/home/me/.dotnet/sdk"]);
});

test("93: of a known toolchain only what it needs is shown", () => {
  const beside = (folder: string, ...names: string[]) => ({ beside: names.map((name) => `${folder}/${name}`) });
  expect(foldersOf("/home/me/.pyenv/shims", beside("/home/me/.pyenv", "libexec", "versions", "version", "secret", "shims"))).toEqual(["libexec", "shims", "version", "versions"].map((name) => `/home/me/.pyenv/${name}`));
  expect(foldersOf("/root/.cargo/bin", beside("/root", ".cargo/credentials.toml", ".cargo/bin", ".rustup", ".rustup/toolchains"))).toEqual(["/root/.cargo/bin", "/root/.rustup/toolchains"]);
  expect(foldersOf("/home/me/.local/bin", beside("/home/me/.local", "bin", "lib", "share", "share/keyrings"))).toEqual(["/home/me/.local/bin", "/home/me/.local/lib"]);
  expect(foldersOf("/home/me/tree/venv/bin", beside("/home/me/tree/venv", "bin", "lib", "pyvenv.cfg", "data"))).toEqual(["bin", "lib", "pyvenv.cfg"].map((name) => `/home/me/tree/venv/${name}`));
  expect(foldersOf("/home/me/go/bin", beside("/home/me/go", "bin", "src", "pkg/mod"))).toEqual(["/home/me/go/bin", "/home/me/go/pkg/mod"]);
  expect(foldersOf("/home/me/sdk/go1.22/bin", beside("/home/me/sdk/go1.22", "bin", "src", "pkg", "pkg/tool"))).toEqual(["bin", "pkg", "src"].map((name) => `/home/me/sdk/go1.22/${name}`));
});

test.each([
  ["/home/me/.bun/bin", "/home/me/.bun", ["bin", "install/global"]],
  ["/home/me/.elan/bin", "/home/me/.elan", ["bin", "settings.toml", "toolchains"]],
  ["/srv/jdk/bin", "/srv/jdk", ["bin", "conf", "include", "jmods", "legal", "lib", "release"]],
])("of %s, its parts", (path, folder, parts) => {
  const beside = [...parts, "credentials", ...(parts.includes("jmods") ? ["lib/modules"] : [])].map((name) => `${folder}/${name}`);
  expect(foldersOf(path, { beside })).toEqual(parts.map((part) => `${folder}/${part}`));
});

test("never the home folder, the project or what lies above them", () => {
  expect(foldersOf("/home/me/bin")).toEqual(["/home/me/bin"]);
  expect(foldersOf("/home/me:/home/me/work:/:/home")).toEqual([]);
  expect(foldersOf("/home/me/work/project/node_modules/.bin", { beside: ["/home/me/work/project/node_modules"] })).toEqual(["/home/me/work/project/node_modules"]);
});

test("never the home folder by its other name, where a link leads to it", () => {
  const links = { "/home/me": "/var/home/me", "/home/me/bin": "/var/home/me/bin" };
  expect(foldersOf("/home/me/bin", { links })).toEqual(["/var/home/me/bin", "/home/me/bin"]);
  expect(foldersOf("/var/home/me:/home/me", { links })).toEqual([]);
});

test("links on PATH lead where they lead, a folder in another one is shown with it, Windows' own and relative ones are not", () => {
  const links = { "/home/me/current": "/home/me/.nvm/versions/node/v20/bin" };
  expect(foldersOf("/home/me/current", { links, beside: ["/home/me/.nvm/versions/node/v20"] })).toEqual(["/home/me/.nvm/versions/node/v20", "/home/me/current"]);
  expect(foldersOf("/data/tool:/data/tool/plugins")).toEqual(["/data/tool"]);
  expect(toolchainsOf(".:bin:/mnt/c/Windows:/usr/bin", [], (folder) => folder)).toEqual({ path: "/usr/bin", folders: [] });
});

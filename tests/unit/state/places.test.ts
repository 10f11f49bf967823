import { expect, test } from "vitest";
import { stateFolder, stateFolders, userConfigPath, type Machine } from "../../../src/state/places.ts";

const linux: Machine = { platform: "linux", home: "/home/ann", variables: {} };
const mac: Machine = { platform: "darwin", home: "/Users/ann", variables: {} };
const windows: Machine = { platform: "win32", home: "C:\\Users\\ann", variables: { LOCALAPPDATA: "C:\\Users\\ann\\AppData\\Local" } };

test.each([
  ["Linux", linux, "/home/ann/.local/state/loaf"],
  ["Linux with XDG_STATE_HOME", { ...linux, variables: { XDG_STATE_HOME: "/var/ann" } }, "/var/ann/loaf"],
  ["Linux with a relative one, which would lie in the project", { ...linux, variables: { XDG_STATE_HOME: "state" } }, "/home/ann/.local/state/loaf"],
  ["macOS", mac, "/Users/ann/Library/Application Support/loaf"],
  ["Windows", windows, "C:\\Users\\ann\\AppData\\Local\\loaf"],
] as const)("%s keeps its state outside of all projects", (_, machine, folder) => {
  expect(stateFolder(machine)).toBe(folder);
});

test("the default folder is one of Loaf's, even if XDG_STATE_HOME names another", () => {
  expect(stateFolders(linux)).toEqual(["/home/ann/.local/state/loaf"]);
  expect(stateFolders({ ...linux, variables: { XDG_STATE_HOME: "/var/ann" } })).toEqual(["/var/ann/loaf", "/home/ann/.local/state/loaf"]);
});

test("the user's settings are at the same path on all platforms, except for XDG_CONFIG_HOME", () => {
  expect(userConfigPath(linux)).toBe("/home/ann/.config/loaf/config.yml");
  expect(userConfigPath(mac)).toBe("/Users/ann/.config/loaf/config.yml");
  expect(userConfigPath({ ...linux, variables: { XDG_CONFIG_HOME: "/etc/ann" } })).toBe("/etc/ann/loaf/config.yml");
});

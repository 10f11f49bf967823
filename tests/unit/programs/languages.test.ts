import { expect, test } from "vitest";
import { isVersion, isVersionNumber, launchOf } from "../../../src/programs/languages.ts";

test("each language has its program, and is handed the code so that it is no option", () => {
  expect(launchOf("bash", undefined, "-x")).toMatchObject({ program: "bash", args: ["-c", "--", "-x"] });
  expect(launchOf("python", undefined, "1")).toMatchObject({ program: "python3", args: ["-c", "1"] });
  expect(launchOf("javascript", undefined, "-1")).toMatchObject({ program: "node", args: ["--eval=-1"] });
  expect(launchOf("ruby", undefined, "1")).toMatchObject({ program: "ruby", args: ["-e", "1"] });
});

test("a version is a part of the program's name", () => {
  expect(launchOf("python", "3.11", "")).toMatchObject({ program: "python3.11", plain: "python3" });
  expect(launchOf("javascript", "20", "")).toMatchObject({ program: "node20", plain: "node" });
  expect(launchOf("ruby", "3.1", "").program).toBe("ruby3.1");
  expect(launchOf("bash", "5", "").program).toBe("bash5");
});

test("code that no argument can hold goes into a file", () => {
  expect(launchOf("python", undefined, "x".repeat(120_001))).toMatchObject({ args: undefined, ending: ".py" });
  expect(launchOf("python", undefined, "a\0b").args).toBeUndefined();
  expect(launchOf("python", undefined, "ä".repeat(60_001)).args).toBeUndefined();
});

test("what a program says of its version is compared number by number", () => {
  expect(["5", "5.2", "5.2.15", "5.1", "5.20", "52"].filter((version) => isVersion("GNU bash, version 5.2.15(1)-release", version))).toEqual(["5", "5.2", "5.2.15"]);
  expect(["3.11", "20", "3..1", "", "../x", "3.11\n", "1.2.3.4.5"].filter(isVersionNumber)).toEqual(["3.11", "20"]);
});

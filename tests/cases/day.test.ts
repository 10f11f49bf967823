/** Documents that tell of what somebody types in order; `-u` writes what came out into it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../support/documents.ts";
import { createFolder } from "../support/folder.ts";
import { gitEnvironment } from "../support/repository.ts";
import { program } from "../support/run-loaf.ts";
import { readTranscript, runStep } from "../support/transcript.ts";

const update = process.env["LOAF_UPDATE_CASES"] === "yes";

test.each([["a day in a repository", "git/a-day.md"], ["the first minute", "first-minute.md"], ["an afternoon of undo and redo", "history/an-afternoon.md"], ["what is put aside", "history/put-aside.md"]])("%s", { timeout: 240_000 }, (_, name) => {
  const document = join(projectRoot, "tests/cases", name);
  const home = createFolder();
  const root = join(home, "project");
  mkdirSync(root);
  const env = { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config"), LC_ALL: "C.UTF-8", ...gitEnvironment };
  const steps = readTranscript(document).map((step) => ({ step, actual: runStep(step, { root, program, env }) }));
  if (update) rewrite(document, steps);
  else for (const { step, actual } of steps) expect(actual, `${name}:${step.line}: ${step.command}`).toBe(step.expected);
});

function rewrite(document: string, steps: ReadonlyArray<{ readonly step: { readonly line: number; readonly expected: string }; readonly actual: string }>): void {
  const lines = readFileSync(document, "utf8").split("\n");
  for (const { step, actual } of steps.toReversed()) lines.splice(step.line, step.expected.split("\n").length - 1, ...actual.split("\n").slice(0, -1));
  writeFileSync(document, lines.join("\n"));
}

/** Failed hooks in a report: their commands and their output. */
import type { ExecutionResult, FailedHook } from "../core/outcome.ts";
import type { Section } from "./sections.ts";
import { visibleOnOneLine } from "../core/visible.ts";

/** `hook ❌ npm test - Command failed with exit code 1` */
export function hookLines({ failedHooks = [] }: ExecutionResult): string[] {
  return failedHooks.map((hook) => `hook ❌ ${nameOf(hook)} - ${visibleOnOneLine(hook.error)}`);
}

/** Returns a section for each hook with output. */
export function hookSections({ failedHooks = [] }: ExecutionResult): Section[] {
  return failedHooks.flatMap((hook) => {
    const pieces = (["stdout", "stderr"] as const).filter((stream) => hook[stream] !== "").map((stream) => ({ title: stream, text: hook[stream].replace(/\n$/, "") }));
    return pieces.length === 0 ? [] : [{ title: `[hook] ${nameOf(hook)}`, label: "hook", failed: true, pieces, remarks: [] }];
  });
}

/** Returns the first line of the command. */
function nameOf({ command }: FailedHook): string {
  return visibleOnOneLine(command.trim().replace(/\n[^]*/, " …"), 200);
}

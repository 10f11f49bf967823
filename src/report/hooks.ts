/** What a report tells of hooks that failed: which, and what they wrote, so that it can be mended. */
import type { ExecutionResult, FailedHook } from "../core/outcome.ts";
import type { Section } from "./sections.ts";
import { visibleOnOneLine } from "../core/visible.ts";

/** `hook ❌ npm test - Command failed with exit code 1` */
export function hookLines({ failedHooks = [] }: ExecutionResult): string[] {
  return failedHooks.map((hook) => `hook ❌ ${nameOf(hook)} - ${visibleOnOneLine(hook.error)}`);
}

/** A section for each that wrote something. */
export function hookSections({ failedHooks = [] }: ExecutionResult): Section[] {
  return failedHooks.flatMap((hook) => {
    const pieces = (["stdout", "stderr"] as const).filter((stream) => hook[stream] !== "").map((stream) => ({ title: stream, text: hook[stream].replace(/\n$/, "") }));
    return pieces.length === 0 ? [] : [{ title: `[hook] ${nameOf(hook)}`, label: "hook", failed: true, pieces, remarks: [] }];
  });
}

/** Of a script the first line. */
function nameOf({ command }: FailedHook): string {
  return visibleOnOneLine(command.trim().replace(/\n[^]*/, " …"), 200);
}

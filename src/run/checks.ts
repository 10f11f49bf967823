/** Runs the checks of the configuration after the actions of a run. */
import { relative } from "node:path";
import { createPrograms, type SandboxDecision } from "../programs/programs.ts";
import { onThrowawayView } from "../programs/view/command-views.ts";
import type { Check } from "../config/schema.ts";
import { explain, type FailureCode } from "../core/failure.ts";
import type { CheckResult } from "../core/outcome.ts";
import { compileInclude } from "../paths/glob.ts";
import { Consent } from "./consent.ts";
import type { Session } from "./session.ts";

/**
 * Runs the checks whose files have changed, one after another, each on a view of its own. What they change is
 * discarded: nobody has asked for it, and `loaf undo` would take back a coverage report.
 *
 * @param signals.signal kills a running check
 * @param signals.stop aborted when no further check should start
 */
export async function runChecks(
  session: Session,
  checks: readonly Check[],
  { signal, stop }: { readonly [Name in "signal" | "stop"]: AbortSignal | undefined },
): Promise<CheckResult[]> {
  if (checks.length === 0) return [];
  const { root } = session.options;
  const changed = session.isDry
    ? session.overlay.changes(() => false).map(({ path }) => relative(root, path))
    : session.footprint().modifiedFiles;
  const due = checks.filter(({ on = "**" }) => changed.some(compileInclude(on, root) ?? (() => false)));
  const known: SandboxDecision = {};
  const results: CheckResult[] = [];
  for (const check of due) {
    if (stop?.aborted === true) break;
    session.onProgress?.({ kind: "checking", command: check.run.trim() });
    const result = await runCheck(session, check, known, signal);
    session.onProgress?.({ kind: "checked", check: result });
    results.push(result);
  }
  return results;
}

async function runCheck(
  { site, guard, overlay, isDry }: Session,
  { run, timeout }: Check,
  known: SandboxDecision,
  signal: AbortSignal | undefined,
): Promise<CheckResult> {
  const command = run.trim();
  const programs = createPrograms({
    // Which languages an answer may use does not matter: the user has written this command.
    site: { ...site, settings: { ...site.settings, exec: { ...site.settings.exec, languages: ["bash"] } } },
    guard,
    consent: new Consent(undefined),
    mode: "dry",
    signal,
    known,
    onView: async (act) => ({ value: await onThrowawayView(site, { overlay, isDry }, act), changed: [], refused: [] }),
    onFiles: () => Promise.reject(new Error("A check runs on a view only")),
  });
  const { data, failure, hint } = await programs.exec({ code: command, lang: "bash", timeout });
  const isSkipped = failure === undefined && data === undefined;
  const error = isSkipped ? NO_SANDBOX : failure && explain(failure);
  const { stdout = "", stderr = "" } = data ?? {};
  const advice = failure?.code === "exec/timeout" ? "the user can give this check a longer timeout in loaf.yml" : hint;
  return {
    command,
    success: error === undefined,
    ...((isSkipped || (failure !== undefined && PREVENTED.has(failure.code))) && { notRun: true }),
    ...(error !== undefined && { error }),
    ...(advice !== undefined && { hint: advice }),
    stdout,
    stderr,
  };
}

const NO_SANDBOX =
  "not run: there is no sandbox, and its changes would stay; a command under hooks.after in loaf.yml needs none";

/** Failures of the machine, not of the command. */
const PREVENTED: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "exec/no-sandbox",
  "exec/sandbox-failed",
  "exec/no-view",
  "exec/not-found",
]);

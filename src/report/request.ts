import type { AnyAction } from "../actions/define.ts";
import { actionByName } from "../actions/index.ts";
import type { ActionRequest, ApprovalRequest, FailedBlock } from "../core/approval.ts";
import type { CommandData } from "../core/command.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { nameWithin, unifiedDiff } from "./diff.ts";
import { subjectOf } from "./rows.ts";
import { inert } from "./inert.ts";
import { visible, visibleOnOneLine } from "../core/visible.ts";

/** A request as shown to the user. */
export interface ShownRequest {
  /** One line. */
  readonly title: string;
  /** A diff, a command or parameters. May be empty. */
  readonly body: string;
  /** What a yes does, for a question far below the title: `file_write a.txt, which replaces the file`. */
  readonly act?: string;
}

/** @param root paths below it are shown relative to it */
export function shownRequest(request: ApprovalRequest, root: string): ShownRequest {
  switch (request.kind) {
    case "command":
      return {
        title: "This command was not used here before",
        body: indented(`${request.command}\n(in ${request.cwd})`),
      };
    case "protected": {
      const name = visibleOnOneLine(nameWithin(root, request.path));
      return {
        title: `${name} is protected, since other programs run what stands in it (${request.rule})`,
        body: unifiedDiff(request.changes, root).trimEnd(),
      };
    }
    case "loss":
      return { title: visibleOnOneLine(request.reason, Infinity), body: unifiedDiff(request.changes, root).trimEnd() };
    case "no-sandbox":
      return { title: `Commands would run without a sandbox: ${visibleOnOneLine(request.reason)}`, body: "" };
    case "failed": {
      const { errors, hint } = request;
      const lines = [
        ...errors.map((error) => `❌ ${visible(error)}`),
        ...(hint === undefined ? [] : [`hint: ${visible(hint)}`]),
      ];
      return { title: titleOf(request), body: indented(lines.join("\n")) };
    }
    case "action": {
      const { action, params, changes, warnings = [], ran } = request;
      const definition = actionByName.get(action);
      const does = request.does === undefined ? "" : `: ${visibleOnOneLine(request.does)}`;
      const [title, act] = [`${titleOf(request)}${does}`, actOf(request, definition)];
      if (definition?.effect !== undefined)
        return {
          title,
          act,
          body: [
            unifiedDiff(changes, root).trimEnd() || "It would change nothing.",
            ...warnings.map((warning) => `⚠️ ${visible(warning)}`),
          ].join("\n"),
        };
      const subject = subjectOf({ params }, definition);
      const others = Object.entries(params).filter(
        ([name, value]) => value !== undefined && (value !== subject || name === definition?.runs),
      );
      const asked = others
        .map(([name, value]) => parameterText(name, value))
        .join("\n")
        .trimEnd();
      return {
        title,
        act,
        body:
          ran === undefined
            ? asked
            : [asked, outputText(ran), unifiedDiff(changes, root).trimEnd() || "It would change nothing."].join("\n\n"),
      };
    }
  }
}

/** Returns the whole commands that a dry run would run, or "". */
export function programsOf({ results }: ExecutionResult): string {
  return results
    .flatMap(({ blockId, action, params, success, data }) => {
      const { runs } = actionByName.get(action) ?? {};
      // A command that failed on a copy would still run.
      const wouldRun = success || (data as CommandData | undefined)?.exit_code !== undefined;
      return runs === undefined || !wouldRun
        ? []
        : [`[${visibleOnOneLine(blockId)}] ${action} would run:\n${inert(String(params[runs])).replace(/\n$/, "")}`];
    })
    .join("\n\n");
}

function actOf({ action, params, changes }: ActionRequest, definition: AnyAction | undefined): string {
  const verb = definition?.effect?.verb;
  // Edits keep the rest of the file.
  const replaces =
    (verb === "write" || verb === "move") &&
    changes.some(({ before, after, movedFrom }) => before && after && movedFrom === undefined);
  const act = `${action} ${subjectOf({ params }, definition)}`.trimEnd();
  return `${visibleOnOneLine(act)}${replaces ? ", which replaces the file" : ""}`;
}

function titleOf({ blockId, blockStartLine, action = "no action", params }: ActionRequest | FailedBlock): string {
  const subject = params === undefined ? "" : subjectOf({ params }, actionByName.get(action));
  return visibleOnOneLine(`${blockId} (line ${blockStartLine}) ${action} ${subject}`.trimEnd());
}

function outputText({ stdout, stderr, exit_code: exitCode }: CommandData): string {
  const parts = [
    ["It wrote:", stdout],
    ["To standard error:", stderr],
  ]
    .filter(([, text]) => text !== "")
    .map(([title, text]) => `${title}\n${indented(String(text).trimEnd())}`);
  const end =
    exitCode === 0
      ? []
      : [exitCode === null || exitCode === undefined ? "It was ended." : `Its exit code is ${exitCode}.`];
  return [...(parts.length === 0 ? ["It printed nothing."] : parts), ...end].join("\n");
}

/** Never truncated, since the user must see everything before agreeing. */
function parameterText(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.map(String).join("\n") : String(value);
  return text.includes("\n")
    ? `${visibleOnOneLine(name)}:\n${indented(text)}`
    : `${visibleOnOneLine(name)}: ${visibleOnOneLine(text, Infinity)}`;
}

function indented(text: string): string {
  return visible(text).replace(/^/gm, "  ");
}

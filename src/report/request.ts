import { actionByName } from "../actions/index.ts";
import type { ApprovalRequest } from "../core/approval.ts";
import { unifiedDiff } from "./diff.ts";
import { subjectOf } from "./entries.ts";
import { visible, visibleOnOneLine } from "./visible.ts";

/** A request as it is shown to whoever decides. */
export interface ShownRequest {
  /** One line. */
  readonly title: string;
  /** A diff, a command, parameters; may be empty. */
  readonly body: string;
}

/** Lines beyond which nobody reads on. */
const MOST_LINES = 1_000;

/** @param root paths below it are shown relative to it */
export function shownRequest(request: ApprovalRequest, root: string): ShownRequest {
  switch (request.kind) {
    case "command":
      return { title: "A command that was not used here before", body: indented(`${request.command}\n(in ${request.cwd})`) };
    case "no-sandbox":
      return { title: `Commands would run without a sandbox: ${visibleOnOneLine(request.reason)}`, body: "" };
    case "action": {
      const { blockId, blockStartLine, action, params, changes } = request;
      const definition = actionByName.get(action);
      const subject = subjectOf({ params }, definition);
      const title = visibleOnOneLine(`${blockId} (line ${blockStartLine}) ${action} ${subject}`.trimEnd());
      if (definition?.effect !== undefined) return { title, body: limited(unifiedDiff(changes, root)) || "It would change nothing." };
      const others = Object.entries(params).filter(([, value]) => value !== undefined && value !== subject);
      return { title, body: limited(others.map(([name, value]) => parameterText(name, value)).join("\n")) };
    }
  }
}

function parameterText(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.map(String).join("\n") : String(value);
  return text.includes("\n") ? `${visibleOnOneLine(name)}:\n${indented(text)}` : `${visibleOnOneLine(name)}: ${visibleOnOneLine(text)}`;
}

function indented(text: string): string {
  return visible(text).replace(/^/gm, "  ");
}

function limited(text: string): string {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= MOST_LINES) return lines.join("\n");
  return [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more lines are not shown; loaf run --dry-run shows all`].join("\n");
}

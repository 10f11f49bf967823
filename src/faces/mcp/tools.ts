/** The tools that a client sees: the actions, and the tools for whole answers and runs. */
import type { DescribedAction } from "../../index.ts";
import type { Tool } from "./sdk.ts";

/** A tool, and which sets have it. */
export interface OfferedTool extends Pick<DescribedAction, "name" | "description" | "schema"> {
  readonly hints: Pick<DescribedAction, "isReadOnly" | "isDestructive" | "isIdempotent" | "isOpenWorld">;
  readonly group: DescribedAction["group"] | "runs";
}

const RUN = { type: "integer", minimum: 1, description: "Number of the run; default: the last one" };
const CHANGES = { isReadOnly: false, isDestructive: true, isIdempotent: false, isOpenWorld: false };
const READS = { isReadOnly: true, isDestructive: false, isIdempotent: true, isOpenWorld: false };

/** Tools that are not actions. */
const RUN_TOOLS: readonly OfferedTool[] = [
  {
    name: "run",
    description:
      "Run a whole answer: edits and commands in any syntax that Loaf reads (NESL, SEARCH/REPLACE, patches, diffs). See loaf://instructions.",
    schema: {
      type: "object",
      properties: {
        answer: { type: "string", description: "The answer, verbatim" },
        dry_run: { type: "boolean", description: "Show what would change, and change nothing" },
        again: { type: "boolean", description: "Also apply edits that an earlier run applied" },
      },
      required: ["answer"],
    },
    hints: CHANGES,
    group: "runs",
  },
  {
    name: "undo",
    description: "Undo a run of this server. Keeps later edits.",
    schema: { type: "object", properties: { run: RUN } },
    hints: CHANGES,
    group: "runs",
  },
  {
    name: "redo",
    description: "Redo a run of this server that was undone.",
    schema: { type: "object", properties: { run: RUN } },
    hints: CHANGES,
    group: "runs",
  },
  {
    name: "diff",
    description: "Show what a run of this server changed.",
    schema: { type: "object", properties: { run: RUN } },
    hints: READS,
    group: "runs",
  },
  {
    name: "log",
    description: "List the runs of this server. Each call that changes something is one.",
    schema: { type: "object", properties: {} },
    hints: READS,
    group: "runs",
  },
];

/** Returns the tools for what a user has chosen, always in the same order. */
export function offeredTools(actions: readonly DescribedAction[], { tools, readOnly }: Chosen): OfferedTool[] {
  const all = [...actions.map((action): OfferedTool => ({ ...action, hints: action })), ...RUN_TOOLS];
  const names = tools.split(",").map((name) => name.trim());
  const isChosen = ({ name, group, hints }: OfferedTool): boolean => {
    if (tools === "all") return true;
    if (tools === "edit") return group === "file";
    return tools === "read" ? group === "file" && hints.isReadOnly : names.includes(name);
  };
  return all.filter((tool) => isChosen(tool) && (!readOnly || tool.hints.isReadOnly));
}

/** Which tools to offer. */
export interface Chosen {
  /** `read`, `edit`, `all`, or names separated by commas. */
  readonly tools: string;
  readonly readOnly: boolean;
}

/** Returns the first name of a choice that no tool has. */
export function unknownTool(actions: readonly DescribedAction[], tools: string): string | undefined {
  if (["read", "edit", "all"].includes(tools)) return undefined;
  const known = new Set(offeredTools(actions, { tools: "all", readOnly: false }).map(({ name }) => name));
  return tools
    .split(",")
    .map((name) => name.trim())
    .find((name) => !known.has(name));
}

/** Returns the tool as the protocol lists it. */
export function listedTool({ name, description, schema, hints }: OfferedTool): Tool {
  const { isReadOnly, isDestructive, isIdempotent, isOpenWorld } = hints;
  return {
    name,
    title: titleOf(name),
    description,
    inputSchema: schema as Tool["inputSchema"],
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive,
      idempotentHint: isIdempotent,
      openWorldHint: isOpenWorld,
    },
  };
}

/** `file_read` is `File read`. */
function titleOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
}

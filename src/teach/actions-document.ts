import type { AnyAction } from "../actions/define.ts";
import { actions } from "../actions/index.ts";
import { explain } from "../core/explain.ts";
import { exampleBlock } from "./example.ts";
import { FAILURES } from "./failures.ts";
import { parametersOf } from "./parameters.ts";
import { code, table } from "./table.ts";

/** Generates `docs/actions.md`: every action, then the sentence of every failure. */
export function actionsDocument(): string {
  return `# Actions

What a block can do. Every value in a block is text; the form says what it has to look like. Paths are absolute, or, with
\`relative_paths: true\`, relative to the root. How blocks are written is in [syntax.md](syntax.md), which paths may be touched in
[configuration.md](configuration.md). Their JSON Schema is \`actions.schema.json\`.

${actions.map(describeAction).join("\n\n")}

## Failures

\`error\` of a failed result is exactly such a sentence, \`code\` its name; \`ACTION\` stands for the action's name.

${table(["code", "sentence"], FAILURES.map((failure) => [code(failure.code), code(explain(failure, "ACTION"))]))}
`;
}

function describeAction(action: AnyAction): string {
  const rows = parametersOf(action).map(({ name, required, form, description }) => [code(name), form, required ? "yes" : "no", description]);
  return `## ${action.name}

${[action.summary, ...(action.notes ?? [])].join(" ")}

${table(["parameter", "form", "required", "meaning"], rows)}

${needsSentence(action)}

\`\`\`
${exampleBlock(action, "k7m", "/project")}
\`\`\``;
}

function needsSentence({ needs }: AnyAction): string {
  const grants = Object.entries(needs).map(([parameter, access = []]) => `${code(parameter)} (${access.join(", ")})`);
  return `The guard has to allow: ${grants.join(", ")}.`;
}

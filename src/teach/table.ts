/** Generates Markdown tables, including README's table of actions. */
import { actions } from "../actions/index.ts";
import { parametersOf } from "./parameters.ts";

/** Lists every action with its parameters (optional ones in brackets) and its summary. */
export function actionsTable(): string {
  const rows = actions.map((action) => {
    const names = parametersOf(action).map(({ name, required }) => (required ? code(name) : `[${code(name)}]`));
    return [code(action.name), names.join(" "), action.summary];
  });
  return table(["action", "parameters", "what it does"], rows);
}

export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");
}

export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

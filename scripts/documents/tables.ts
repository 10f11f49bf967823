/** The parts of the documents that are made from the code: `scripts/docs.mjs` puts them between marks. */
import type { AnyAction } from "../../src/actions/define.ts";
import { actions } from "../../src/actions/index.ts";
import { type Access, explain } from "../../src/core/failure.ts";
import { exampleBlock } from "../../src/teach/instructions.ts";
import { FAILURES } from "./failure-samples.ts";
import { type JsonSchema, parametersOf } from "../../src/teach/parameters.ts";

/** Lists every action with its parameters (optional ones in brackets) and its summary. */
export function actionsTable(): string {
  const rows = actions.map((action) => {
    const names = parametersOf(action).map(({ name, required }) => (required ? code(name) : `[${code(name)}]`));
    return [code(action.name), names.join(" "), action.summary];
  });
  return table(["action", "parameters", "what it does"], rows);
}

/** Describes every action in a section, with its parameters and an example. */
export function actionSections(): string {
  return actions.map(sectionOf).join("\n\n");
}

function sectionOf(action: AnyAction): string {
  const rows = parametersOf(action).map(({ name, required, form, description }) => [
    code(name),
    form,
    required ? "yes" : "no",
    description,
  ]);
  const grants = Object.entries(action.needs).map(([name, access = []]) => `${code(name)} (${access.join(", ")})`);
  return [
    `## ${action.name}`,
    [action.summary, ...(action.notes ?? [])].join(" "),
    ...(action.details === undefined ? [] : [action.details]),
    table(["parameter", "form", "required", "meaning"], rows),
    `The guard must allow: ${grants.join(", ")}.`,
    `\`\`\`\n${exampleBlock(action, "k7m", "/project")}\n\`\`\``,
  ].join("\n\n");
}

/** Lists the code and the sentence of every failure. */
export function failuresTable(): string {
  return table(
    ["code", "sentence"],
    FAILURES.map((failure) => [code(failure.code), code(explain(failure, "ACTION"))]),
  );
}

/** Lists every key of loaf.yml, from its schema. */
export function settingsTable(schema: JsonSchema): string {
  return table(["key", "value", "default", "meaning"], rowsOf(schema, ""));
}

function rowsOf({ properties = {} }: JsonSchema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const key = prefix + name;
    const row = [code(key), valueOf(property), defaultOf(property), property.description ?? ""];
    return [row, ...rowsOf(property, `${key}.`), ...rowsOf(property.items ?? {}, `${key}[].`)];
  });
}

function valueOf({ type = "", const: only, enum: words, items, properties }: JsonSchema): string {
  if (only !== undefined) return code(JSON.stringify(only));
  if (words !== undefined) return words.map((word) => code(String(word))).join(" or ");
  if (type === "array") return items?.properties ? "list of keys" : `list of ${items?.type ?? "value"}s`;
  if (type === "object") return properties ? "keys" : "names and texts";
  return type;
}

/** Objects have no default of their own; their keys do. */
function defaultOf({ type, default: value }: JsonSchema): string {
  return value === undefined || type === "object" ? "" : code(JSON.stringify(value));
}

/** Lists the patterns that the guard refuses by default, and the names that they do not cover. */
export function refusalsList(patterns: Readonly<Record<Access, readonly string[]>>, except: Iterable<string>): string {
  const listed = (names: Iterable<string>): string => [...names].map(code).join(", ");
  return `- Reading, anywhere: ${listed(patterns.read)}; but not ${listed(except)}.\n- Writing, anywhere: ${listed(patterns.write)}.`;
}

export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

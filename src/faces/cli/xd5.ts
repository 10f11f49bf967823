import { relative, resolve, sep } from "node:path";
import { contextReport } from "../../report/context.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { findDisagreements, type Disagreement } from "../../xd5/check.ts";
import { graphMermaid, graphOf, graphText, type ComponentProject, readProject } from "../../xd5/component.ts";
import { contextOf } from "../../xd5/context.ts";
import { copyAndPrint } from "./copy.ts";
import type { CommandOptions, ComponentOptions, GraphOptions } from "./options.ts";
import { complain, print, printJson } from "./output.ts";
import { openProject } from "./project.ts";
import { UsageError } from "./usage-error.ts";

/** `loaf xd5 graph` */
export async function showGraph(options: GraphOptions): Promise<void> {
  const graph = graphOf(await open(options));
  if (options.json) printJson(graph);
  else print(options.mermaid ? graphMermaid(graph) : graphText(graph));
}

/** `loaf xd5 context`: prints paths relative to the root, so that the output is the same on every machine. */
export async function showComponent(path: string, options: ComponentOptions): Promise<void> {
  const project = await open(options);
  // Relative to the root, or to the current folder as a shell completes it.
  const fromRoot = path.replace(/^\.\/(?=.)/, "").replace(/(?<=.)\/+$/, "");
  const fromHere = relative(project.root, resolve(path)).split(sep).join("/") || ".";
  const all = [...project.components.keys()];
  const name = [fromHere, fromRoot].find((candidate) => project.components.has(candidate)) ?? onlyNamed(fromRoot, all);
  const component = project.components.get(name);
  if (component === undefined)
    throw new UsageError(`'${path}' is not a component. The components are: ${all.join(", ")}`);
  const { text } = await contextReport({
    title: `COMPONENT ${visibleOnOneLine(name)}`,
    files: contextOf(component, project),
    maxTokens: options.maxTokens ?? Infinity,
  });
  if (options.copy) await copyAndPrint(text);
  else print(text);
}

/** Returns the only path that ends with a name, or "". Throws `UsageError` if there are several. */
function onlyNamed(name: string, paths: readonly string[]): string {
  const matches = paths.filter((path) => path.endsWith(`/${name}`));
  if (matches.length > 1) throw new UsageError(`'${name}' is the end of several components: ${matches.join(", ")}`);
  return matches[0] ?? "";
}

/** `loaf xd5 check`: sets exit code 1 if there are findings. */
export async function checkComponents(options: CommandOptions): Promise<void> {
  const findings = findDisagreements(await open(options));
  process.exitCode = findings.length === 0 ? 0 : 1;
  if (options.json) printJson(findings);
  else if (findings.length === 0) complain("Documents and sources agree");
  else print(findings.map(describe).join("\n"));
}

function describe({ kind, file, line, message }: Disagreement): string {
  return visibleOnOneLine(`${file}:${line}: ${kind}: ${message}`);
}

async function open(options: CommandOptions): Promise<ComponentProject & { readonly root: string }> {
  const loaf = await openProject(options);
  const project = await readProject(loaf.view);
  if (project.components.size === 0)
    throw new UsageError(`There is no component in ${loaf.root}: no folder has a doc/API.md`);
  return { ...project, root: loaf.root };
}

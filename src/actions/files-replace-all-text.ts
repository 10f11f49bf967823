import * as z from "zod/mini";
import { refuseMasks } from "../core/mask-secrets.ts";
import { replaceAll } from "../edit/replace.ts";
import { countReplacements, defineAction, warnOfNoChange } from "./define.ts";
import { forEachPath } from "./for-each-path.ts";
import { addressLines, countPaths, pathList, text } from "./params.ts";

interface ReplacedInFiles {
  readonly results: ReadonlyArray<{ readonly path: string; readonly replacements: number; readonly error?: string }>;
}

export const filesReplaceAllText = defineAction({
  name: "files_replace_all_text",
  summary: "Replace every occurrence of old_text in several files.",
  params: z.object({
    paths: addressLines("Files to edit"),
    old_text: text("Text to replace"),
    new_text: text("New text"),
  }),
  needs: { paths: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: (params) => countPaths(params.paths),
  show: "never",
  tally: ({ results }: ReplacedInFiles) =>
    `${changedIn(results).length} changed, ${countReplacements(results.reduce((sum, { replacements }) => sum + replacements, 0))}`,
  changed: ({ results }: ReplacedInFiles) => changedIn(results),
  example: { paths: "/project/src/app.js\n/project/README.md", old_text: "oldName", new_text: "newName" },
  leaves: ({ paths, old_text, new_text }) =>
    pathList(paths).map((path) => ({ kind: "replaced", path, oldText: old_text, newText: new_text, isOneWay: true })),
  run: ({ paths, old_text, new_text }, { workspace }) => {
    const replaceIn = (bytes: Buffer) => {
      refuseMasks(bytes, { old_text });
      return replaceAll(bytes, old_text, new_text);
    };
    const { done, failures } = forEachPath(paths, (path) => workspace.edit(path, replaceIn).splices.length);
    const results = done.map(({ path, value, error }) => ({
      path,
      replacements: value ?? 0,
      ...(error !== undefined && { error }),
    }));
    const isNoop = failures.length === 0 && changedIn(results).length === 0;
    const warned = isNoop
      ? { warnings: ["nothing was replaced: old_text is in none of these files"] }
      : warnOfNoChange(old_text, new_text);
    return {
      data: { results },
      ...warned,
      ...(failures.length > 0 && { failure: { code: "paths/unchanged", failures } }),
    };
  },
});

function changedIn(results: ReplacedInFiles["results"]): string[] {
  return results.flatMap(({ path, replacements }) => (replacements > 0 ? [path] : []));
}

import * as z from "zod/mini";
import { replaceAll } from "../text/replace.ts";
import { defineAction } from "./define.ts";
import { forEachPath } from "./for-each-path.ts";
import { addresses, countPaths, text } from "./params.ts";

export const filesReplaceAllText = defineAction({
  name: "files_replace_all_text",
  summary: "Replace every occurrence of old_text in several files, each on its own.",
  params: z.object({ paths: addresses("Files to edit"), old_text: text("Text to replace"), new_text: text("Text to put in its place") }),
  needs: { paths: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: (params) => countPaths(params.paths),
  show: "never",
  example: { paths: "/project/src/app.js\n/project/README.md", old_text: "oldName", new_text: "newName" },
  run: (params, { workspace }) => {
    const { done, failures } = forEachPath(params.paths, (path) =>
      workspace.edit(path, (bytes) => replaceAll(bytes, params.old_text, params.new_text)).splices.length,
    );
    const results = done.map(({ path, value, error }) => ({ path, replacements: value ?? 0, ...(error !== undefined && { error }) }));
    return { data: { results }, ...(failures.length > 0 && { failure: { code: "paths/unchanged", failures } }) };
  },
});

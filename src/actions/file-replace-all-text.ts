import * as z from "zod/mini";
import { refuseMasks } from "../core/mask-secrets.ts";
import { alignNone, replaceAll } from "../edit/replace.ts";
import { countReplacements, defineAction, warnOfNoChange } from "./define.ts";
import { address, base, integer, text } from "./params.ts";

export const fileReplaceAllText = defineAction({
  name: "file_replace_all_text",
  summary: "Replace every occurrence of old_text in a file.",
  params: z.object({
    path: address("File to edit"),
    old_text: text("Text to replace"),
    new_text: text("New text"),
    count: z.optional(integer("Expected number of occurrences; default: any, even none")),
    base,
  }),
  needs: { path: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: "path",
  show: "file-on-miss",
  changed: ({ path, replacements }: Replaced) => (replacements > 0 ? [path] : []),
  tally: ({ replacements }: Replaced) => countReplacements(replacements),
  example: { path: "/project/src/app.js", old_text: "oldName", new_text: "newName", count: "2" },
  leaves: ({ path, old_text, new_text }) => [
    { kind: "replaced", path, oldText: old_text, newText: new_text, isOneWay: true },
  ],
  run: ({ path, old_text, new_text, count }, { workspace }) => {
    let hint: string | undefined;
    const { splices } = workspace.edit(path, (bytes) => {
      refuseMasks(bytes, { old_text });
      const edit = replaceAll(bytes, old_text, new_text, count);
      if (edit.splices.length === 0 && count === undefined) ({ hint } = alignNone(bytes, old_text, new_text));
      return edit;
    });
    const data = { path, replacements: splices.length };
    if (splices.length > 0) return { data, ...warnOfNoChange(old_text, new_text) };
    return count === undefined
      ? { data, warnings: ["nothing was replaced: old_text is not in the file"], ...(hint !== undefined && { hint }) }
      : { data };
  },
});

interface Replaced {
  readonly path: string;
  readonly replacements: number;
}

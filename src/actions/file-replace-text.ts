import * as z from "zod/mini";
import { refuseMasks } from "../core/mask-secrets.ts";
import { refusePlaceholder } from "../edit/placeholder.ts";
import { replaceOnce } from "../edit/replace.ts";
import { defineAction, warnOfNoChange } from "./define.ts";
import { address, base, text } from "./params.ts";

export const fileReplaceText = defineAction({
  name: "file_replace_text",
  summary: "Replace old_text, which must occur exactly once in the file.",
  params: z.object({
    path: address("File to edit"),
    old_text: text("Text that occurs exactly once in the file, copied exactly"),
    new_text: text("New text"),
    base,
  }),
  needs: { path: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: "path",
  show: "file-on-miss",
  example: { path: "/project/src/app.js", old_text: "const port = 3000;", new_text: "const port = 8080;" },
  leaves: ({ path, old_text, new_text }) => [{ kind: "replaced", path, oldText: old_text, newText: new_text }],
  run: ({ path, old_text, new_text }, { workspace, match }) => {
    const { tolerated } = workspace.edit(path, (bytes, file) => {
      refuseMasks(bytes, { old_text, new_text });
      const edit = replaceOnce(bytes, old_text, new_text, match);
      refusePlaceholder({ path: file, replaced: old_text, newText: new_text, parameter: "new_text" });
      return edit;
    });
    return {
      data: { path, replacements: 1, ...(tolerated.length > 0 && { tolerated }) },
      ...warnOfNoChange(old_text, new_text),
    };
  },
});

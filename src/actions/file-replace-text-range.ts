import * as z from "zod/mini";
import { refuseMasks } from "../core/mask-secrets.ts";
import { withoutPlaceholder } from "../edit/placeholder.ts";
import { replaceRange } from "../edit/replace.ts";
import { defineAction } from "./define.ts";
import { address, base, text } from "./params.ts";

export const fileReplaceTextRange = defineAction({
  name: "file_replace_text_range",
  summary:
    "Replace everything from old_text_beginning to old_text_end, both included, without quoting the text between.",
  params: z.object({
    path: address("File to edit"),
    old_text_beginning: text("Start of the passage; occurs exactly once in the file"),
    old_text_end: text("End of the passage; occurs exactly once after the beginning"),
    new_text: text("New text for the whole passage"),
    base,
  }),
  needs: { path: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: "path",
  show: "file-on-miss",
  example: {
    path: "/project/src/app.js",
    old_text_beginning: "function start() {",
    old_text_end: "} // start",
    new_text: "function start() {\n  listen(port);\n} // start",
  },
  leaves: ({ path, old_text_beginning, new_text }) => [
    { kind: "replaced", path, oldText: old_text_beginning, newText: new_text, isOneWay: true },
  ],
  run: ({ path, old_text_beginning, old_text_end, new_text }, { workspace, match }) => {
    const { tolerated } = workspace.edit(path, (bytes, file) => {
      refuseMasks(bytes, { old_text_beginning, old_text_end, new_text });
      const edit = replaceRange(bytes, old_text_beginning, old_text_end, new_text, match);
      return withoutPlaceholder(bytes, edit, { path: file, newText: new_text, parameter: "new_text" });
    });
    return { data: { path, replacements: 1, ...(tolerated.length > 0 && { tolerated }) } };
  },
});

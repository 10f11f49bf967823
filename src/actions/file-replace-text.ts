import * as z from "zod/mini";
import { replaceOnce } from "../text/replace.ts";
import { defineAction } from "./define.ts";
import { address, text } from "./params.ts";

export const fileReplaceText = defineAction({
  name: "file_replace_text",
  summary: "Replace old_text, which must stand exactly once in the file.",
  params: z.object({
    path: address("File to edit"),
    old_text: text("Text that stands exactly once in the file, copied exactly"),
    new_text: text("Text to put in its place"),
  }),
  needs: { path: ["read", "write"] },
  subject: "path",
  show: "file-on-miss",
  example: { path: "/project/src/app.js", old_text: "const port = 3000;", new_text: "const port = 8080;" },
  run: ({ path, old_text, new_text }, { workspace }) => {
    const splices = workspace.edit(path, (content) => replaceOnce(content, old_text, new_text));
    return { data: { path, replacements: splices.length } };
  },
});

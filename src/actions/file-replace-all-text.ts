import * as z from "zod/mini";
import { refuseMasks } from "../text/mask-secrets.ts";
import { replaceAll } from "../text/replace.ts";
import { defineAction } from "./define.ts";
import { warnOfNoChange } from "./no-change.ts";
import { address, integer, text } from "./params.ts";

export const fileReplaceAllText = defineAction({
  name: "file_replace_all_text",
  summary: "Replace every occurrence of old_text in a file.",
  params: z.object({
    path: address("File to edit"),
    old_text: text("Text to replace"),
    new_text: text("Text to put in its place"),
    count: z.optional(integer("How many there must be; else any number, or none")),
  }),
  needs: { path: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: "path",
  show: "file-on-miss",
  example: { path: "/project/src/app.js", old_text: "oldName", new_text: "newName", count: "2" },
  run: ({ path, old_text, new_text, count }, { workspace }) => {
    const { splices } = workspace.edit(path, (bytes) => {
      refuseMasks(bytes, { old_text });
      return replaceAll(bytes, old_text, new_text, count);
    });
    return { data: { path, replacements: splices.length }, ...(splices.length > 0 && warnOfNoChange(old_text, new_text)) };
  },
});

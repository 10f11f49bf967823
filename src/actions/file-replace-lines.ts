import * as z from "zod/mini";
import { parseLineRange, replaceLines } from "../text/lines.ts";
import { defineAction } from "./define.ts";
import { address, text } from "./params.ts";

export const fileReplaceLines = defineAction({
  name: "file_replace_lines",
  summary: "Replace whole lines of a file, by number.",
  notes: ["Empty new_content leaves one empty line.", "Take the numbers from file_read_numbered; an earlier edit of the same file may have moved them."],
  params: z.object({
    path: address("File to edit"),
    lines: text("`4` or `2-5`, both ends included"),
    new_content: text("Lines to put in their place, without a newline at the end"),
  }),
  needs: { path: ["read", "write"] },
  subject: "path",
  show: "never",
  example: { path: "/project/src/app.js", lines: "2-3", new_content: "const host = \"0.0.0.0\";" },
  run: ({ path, lines, new_content }, { workspace }) => {
    const range = parseLineRange(lines);
    workspace.edit(path, (content) => replaceLines(content, range, new_content, workspace.firstLine(path)));
    return { data: { path, lines_replaced: range.last - range.first + 1 } };
  },
});

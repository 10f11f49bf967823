import * as z from "zod/mini";
import { parseLineRange, replaceLines } from "../edit/lines.ts";
import { refuseMasks } from "../core/mask-secrets.ts";
import { withoutPlaceholder } from "../edit/placeholder.ts";
import { defineAction } from "./define.ts";
import { address, base, text } from "./params.ts";

export const fileReplaceLines = defineAction({
  name: "file_replace_lines",
  summary: "Replace whole lines, by their numbers in file_read_numbered.",
  notes: ["Empty new_content leaves one empty line.", "Give `base`: then lines that have moved since are found. Changed ones are refused."],
  params: z.object({
    path: address("File to edit"),
    lines: text("`4` or `2-5`, both ends included"),
    new_content: text("New lines, without a newline at the end"),
    base,
  }),
  needs: { path: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: "path",
  show: "never",
  example: { path: "/project/src/app.js", lines: "2-3", new_content: "const host = \"0.0.0.0\";" },
  leaves: ({ path, lines, new_content }) => {
    const { first, last } = parseLineRange(lines);
    return [{ kind: "lines", path, first, replaced: last - first + 1, text: new_content }];
  },
  run: ({ path, lines, new_content, base: version }, { workspace, checkLines }) => {
    const range = parseLineRange(lines);
    workspace.edit(path, (bytes, file) => {
      refuseMasks(bytes, { new_content });
      const now = checkLines(path, range, version);
      const replaced = replaceLines(bytes, now, new_content, workspace.firstLine(path));
      return withoutPlaceholder(bytes, replaced, { path: file, newText: new_content, parameter: "new_content" });
    });
    return { data: { path, lines_replaced: range.last - range.first + 1 } };
  },
});

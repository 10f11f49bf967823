import * as z from "zod/mini";
import { type LineRange, parseLineRange, replaceLines } from "../text/lines.ts";
import { refuseMasks } from "../text/mask-secrets.ts";
import { withoutPlaceholder } from "../text/placeholder.ts";
import { defineAction } from "./define.ts";
import { address, text } from "./params.ts";

export const fileReplaceLines = defineAction({
  name: "file_replace_lines",
  summary: "Replace whole lines of a file, by number.",
  notes: ["Empty new_content leaves one empty line.", "Take the numbers from file_read_numbered; earlier edits of the file may have moved them."],
  params: z.object({
    path: address("File to edit"),
    lines: text("`4` or `2-5`, both ends included"),
    new_content: text("Lines to put in their place, without a newline at the end"),
  }),
  needs: { path: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: "path",
  show: "never",
  example: { path: "/project/src/app.js", lines: "2-3", new_content: "const host = \"0.0.0.0\";" },
  run: ({ path, lines, new_content }, { workspace, linesMovedBefore }) => {
    const range = parseLineRange(lines);
    const { moved } = workspace.edit(path, (bytes, file) => {
      refuseMasks(bytes, { new_content });
      const replaced = replaceLines(bytes, range, new_content, workspace.firstLine(path));
      const edit = withoutPlaceholder(bytes, replaced, { path: file, newText: new_content, parameter: "new_content" });
      return { ...edit, moved: linesMovedBefore(path, edit.start) };
    });
    const data = { path, lines_replaced: range.last - range.first + 1 };
    return moved === 0 ? { data } : { data, warnings: [warningOf(range, moved)] };
  },
});

function warningOf({ first, last, lines }: LineRange, moved: number): string {
  const isOne = first === last;
  const asNow = isOne ? `line ${lines} is counted as it is` : `lines ${lines} are counted as they are`;
  const asBefore = isOne ? `it was ${first - moved}` : `they were ${first - moved}-${last - moved}`;
  return `earlier blocks of this run moved the lines here by ${moved > 0 ? "+" : ""}${moved}: ${asNow} now, before the run ${asBefore}; look whether the right ones were replaced`;
}

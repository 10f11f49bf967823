import * as z from "zod/mini";
import { refuseMasks } from "../core/mask-secrets.ts";
import { replaceHunk } from "../edit/hunk.ts";
import { refusePlaceholder } from "../edit/placeholder.ts";
import { defineAction } from "./define.ts";
import { address, boolean, integer, text } from "./params.ts";

export const fileEditLines = defineAction({
  name: "file_edit_lines",
  summary: "Replace old_lines, which must occur exactly once in the file as whole lines.",
  params: z.object({
    path: address("File to edit"),
    old_lines: text("Lines that occur exactly once in the file, each with its newline"),
    new_lines: text("New lines"),
    scopes: z.optional(text("Lines above them, one below the other, such as the head of a function")),
    line: z.optional(integer("Their line number, to choose between equal places")),
    anchor_lines: z.optional(text("Other lines of the file, which show how far the line number is off")),
    anchor_line: z.optional(integer("Line number of those, counted in the same way")),
    final_newline: z.optional(boolean("Whether the file ends with a newline afterwards; then they end the file")),
    at_end: z.optional(boolean("Whether they end the file, to choose between equal places")),
    all: z.optional(boolean("Whether the file must be empty afterwards")),
    absent_line: z.optional(text("A line that the file must not have")),
  }),
  isInternal: true,
  needs: { path: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: "path",
  show: "file-on-miss",
  example: { path: "/project/src/app.js", old_lines: "const port = 3000;\n", new_lines: "const port = 8080;\n" },
  leaves: ({ path, old_lines: oldText, new_lines: newText }) => [{ kind: "replaced", path, oldText, newText }],
  run: (
    { path, old_lines, new_lines, scopes, line, anchor_lines, anchor_line, at_end, final_newline, all, absent_line },
    { workspace, match },
  ) => {
    const hunk = {
      oldLines: old_lines,
      newLines: new_lines,
      scopes: scopes?.split("\n") ?? [],
      line,
      anchor:
        anchor_lines === undefined || anchor_line === undefined
          ? undefined
          : { lines: anchor_lines, line: anchor_line },
      isAtEnd: at_end === true || final_newline !== undefined,
      finalNewline: final_newline,
      isAll: all === true,
      absentLine: absent_line,
    };
    const { tolerated } = workspace.edit(path, (bytes, file) => {
      refuseMasks(bytes, { old_lines, new_lines });
      const edit = replaceHunk(bytes, hunk, match);
      refusePlaceholder({ path: file, replaced: old_lines, newText: new_lines, parameter: "new_lines" });
      return edit;
    });
    return {
      data: { path, replacements: 1, ...(tolerated.length > 0 && { tolerated }) },
      ...(old_lines === new_lines && { warnings: ["nothing changed: new_lines is old_lines"] }),
    };
  },
});

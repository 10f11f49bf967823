import * as z from "zod/mini";
import type { HunkPlace } from "../core/block.ts";
import { refuseMasks } from "../core/mask-secrets.ts";
import { replaceHunk } from "../edit/hunk.ts";
import { refusePlaceholder } from "../edit/placeholder.ts";
import { defineAction } from "./define.ts";
import { address, text } from "./params.ts";

export const fileEditLines = defineAction({
  name: "file_edit_lines",
  summary: "Replace old_lines, which must occur exactly once in the file as whole lines.",
  params: z.object({
    path: address("File to edit"),
    old_lines: text("Lines that occur exactly once in the file, each with its newline"),
    new_lines: text("New lines"),
    place: z.optional(z.custom<HunkPlace>()),
  }),
  isInternal: true,
  needs: { path: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: "path",
  show: "file-on-miss",
  example: { path: "/project/src/app.js", old_lines: "const port = 3000;\n", new_lines: "const port = 8080;\n" },
  leaves: ({ path, old_lines: oldText, new_lines: newText }) => [{ kind: "replaced", path, oldText, newText }],
  run: ({ path, old_lines, new_lines, place }, { workspace, match }) => {
    const { tolerated } = workspace.edit(path, (bytes, file) => {
      refuseMasks(bytes, { old_lines, new_lines });
      const edit = replaceHunk(bytes, { ...place, oldLines: old_lines, newLines: new_lines }, match);
      refusePlaceholder({ path: file, replaced: old_lines, newText: new_lines, parameter: "the new text" });
      return edit;
    });
    return {
      data: { path, replacements: 1, ...(tolerated.length > 0 && { tolerated }) },
      ...(old_lines === new_lines && { warnings: ["nothing changed: the new text is the old one"] }),
    };
  },
});

import * as z from "zod/mini";
import { refuseMasks } from "../core/mask-secrets.ts";
import { insertLines } from "../edit/lines.ts";
import { defineAction } from "./define.ts";
import { address, integer, text } from "./params.ts";

export const fileInsertLines = defineAction({
  name: "file_insert_lines",
  summary: "Insert whole lines into a file, by number.",
  params: z.object({
    path: address("File to edit"),
    new_lines: text("Lines to insert"),
    after: z.optional(
      integer("Number of the line to insert them after, 0 for the start; default: the end of the file"),
    ),
  }),
  isInternal: true,
  needs: { path: ["read", "write"] },
  effect: { verb: "edit", of: "file" },
  subject: "path",
  show: "never",
  example: { path: "/project/src/app.js", new_lines: "const host = \"0.0.0.0\";", after: "1" },
  leaves: ({ path, new_lines, after }) => [
    after === undefined
      ? { kind: "end", path, text: new_lines }
      : { kind: "lines", path, first: after + 1, replaced: 0, text: new_lines },
  ],
  run: ({ path, new_lines, after }, { workspace, checkLines }) => {
    workspace.edit(path, (bytes) => {
      refuseMasks(bytes, { new_lines });
      if (after !== undefined && after > 0) checkLines(path, { first: after, last: after, lines: String(after) });
      return insertLines(bytes, new_lines, after);
    });
    return { data: { path } };
  },
});

import * as z from "zod/mini";
import type { GrepMatch } from "../search/grep.ts";
import { defineAction } from "./define.ts";
import { path, text } from "./params.ts";

export const grep = defineAction({
  name: "grep",
  summary: "Find the lines that hold a text literally, in a file or below a directory; binary and ignored files are left out.",
  params: z.object({
    pattern: text("Text to find; not a regular expression"),
    path: path("Directory or file to search"),
    include: z.optional(text("Only such files: `*.ts`, `src/**/*.{js,ts}`")),
  }),
  needs: { path: ["read"] },
  subject: ({ pattern, path }) => `${JSON.stringify(pattern)} ${path}`,
  show: (matches: readonly GrepMatch[]) => [{ entries: matches.map(({ file, line_number, line }) => `${file}:${line_number}: ${line}`) }],
  example: { pattern: "oldName", path: "/project", include: "*.js" },
  run: async (params, { search }) => {
    const { matches, omitted } = await search.grep(params);
    return { data: matches, ...(omitted > 0 && { warnings: [`${omitted} more matches are left out: narrow the pattern, the path or include`] }) };
  },
});

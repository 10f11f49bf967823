import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { path, text } from "./params.ts";

export const glob = defineAction({
  name: "glob",
  summary: "List the files below a directory that match a glob; skips ignored files.",
  params: z.object({ pattern: text("`**/*.ts`, `src/*.{js,css}`"), base_path: path("Directory to search") }),
  needs: { base_path: ["read"] },
  subject: ({ pattern, base_path }) => `${JSON.stringify(pattern)} ${base_path}`,
  show: (paths: readonly string[]) => [{ entries: paths }],
  example: { pattern: "**/*.js", base_path: "/project" },
  run: ({ pattern, base_path }, { search }) => {
    const { paths, omitted } = search.glob({ pattern, base: base_path });
    return {
      data: paths,
      ...(omitted > 0 && { warnings: [`${omitted} more paths are left out: narrow the pattern or base_path`] }),
    };
  },
});

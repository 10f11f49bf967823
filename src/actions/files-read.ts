import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { forEachPath } from "./for-each-path.ts";
import { addressLines, countPaths } from "./params.ts";

export const filesRead = defineAction({
  name: "files_read",
  summary: "Show several files.",
  params: z.object({ paths: addressLines("Files to read") }),
  needs: { paths: ["read"] },
  reads: "paths",
  subject: (params) => countPaths(params.paths),
  heading: "",
  show: (data: { readonly paths: readonly string[]; readonly content: readonly (string | null)[] }) => [
    { facts: [`Reading ${data.paths.length} files:`, ...data.paths.map((path) => `- ${path}`)] },
    ...data.paths.flatMap((file, index) => {
      const content = data.content[index];
      return content === null || content === undefined ? [] : [{ file, content }];
    }),
  ],
  example: { paths: "/project/src/app.js\n/project/README.md" },
  run: (params, { workspace }) => {
    const { done, failures } = forEachPath(params.paths, (path) => workspace.read(path));
    return {
      data: { paths: done.map(({ path }) => path), content: done.map(({ value }) => value ?? null) },
      ...(failures.length > 0 && { failure: { code: "paths/unread", failures } }),
    };
  },
});

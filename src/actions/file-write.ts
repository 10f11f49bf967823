import * as z from "zod/mini";
import { masksIn, refuseMasks } from "../core/mask-secrets.ts";
import { placeholderJudge } from "../edit/placeholder.ts";
import { REPORT_MARK, withoutReportMarks } from "../edit/quotation.ts";
import { defineAction } from "./define.ts";
import { base, path, text } from "./params.ts";

export const fileWrite = defineAction({
  name: "file_write",
  summary: "Create a file and its parents, or replace all of it.",
  params: z.object({ path: path("File to write"), content: text("The whole content, verbatim"), base }),
  needs: { path: ["write"] },
  effect: { verb: "write", of: "file" },
  subject: "path",
  show: "never",
  example: { path: "/project/docs/hello.md", content: "# Hello\n\nA first page.\n" },
  leaves: ({ path, content }) => [{ kind: "content", path, text: content }],
  run: ({ path, content }, { workspace }) => {
    const [judge, mayBeMarked] = [judgeOf(path, content), content.includes(REPORT_MARK)];
    let warnings: string[] = [];
    const revise = (before: string | null | undefined): string | undefined => {
      judge?.(before);
      const unmarked = mayBeMarked ? withoutReportMarks(content, before ?? "") : undefined;
      warnings =
        unmarked === undefined
          ? []
          : ["removed the marks that reports put before some lines: the file has these lines without them"];
      return unmarked;
    };
    const written = workspace.write(path, content, judge !== undefined || mayBeMarked ? revise : undefined);
    return { data: { path, ...written }, ...(warnings.length > 0 && { warnings }) };
  },
});

/** Returns a check of the content that takes what it would overwrite into account. */
function judgeOf(path: string, content: string): ReturnType<typeof placeholderJudge> {
  const judgePlaceholders = placeholderJudge(path, content);
  if (masksIn(content).length === 0) return judgePlaceholders;
  return (before) => {
    refuseMasks(before ?? undefined, { content });
    judgePlaceholders?.(before);
  };
}

import * as z from "zod/mini";
import { placeholderJudge } from "../text/placeholder.ts";
import { REPORT_MARK } from "../text/quotation.ts";
import { withoutReportMarks } from "../text/report-marks.ts";
import { defineAction } from "./define.ts";
import { path, text } from "./params.ts";

export const fileWrite = defineAction({
  name: "file_write",
  summary: "Create a file, or replace all of it; parent directories are made.",
  params: z.object({ path: path("File to write"), content: text("The whole content, verbatim") }),
  needs: { path: ["write"] },
  effect: { verb: "write", of: "file" },
  subject: "path",
  show: "never",
  example: { path: "/project/docs/hello.md", content: "# Hello\n\nA first page.\n" },
  run: ({ path, content }, { workspace }) => {
    const [judge, mayBeMarked] = [placeholderJudge(path, content), content.includes(REPORT_MARK)];
    let warnings: string[] = [];
    const revise = (before: string | null | undefined): string | undefined => {
      judge?.(before);
      const unmarked = mayBeMarked ? withoutReportMarks(content, before ?? "") : undefined;
      warnings = unmarked === undefined ? [] : ["the marks that a report puts before some lines were taken off again, as the file has those lines without"];
      return unmarked;
    };
    const bytesWritten = workspace.write(path, content, judge !== undefined || mayBeMarked ? revise : undefined);
    return { data: { path, bytesWritten }, ...(warnings.length > 0 && { warnings }) };
  },
});

/** The hunks of an edit with the lines around them, as the review page shows them. */
import { resolve } from "node:path";
import type { ActionRequest } from "../../core/approval.ts";
import type { UserComment } from "../../core/outcome.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { nameWithin } from "../../report/diff.ts";
import { fileViews } from "../web/files-of-change.ts";
import { changeLines } from "../web/lines.ts";

interface ShownHunk {
  readonly id: string;
  readonly title: string;
  /** A diff without its header. */
  readonly lines: string;
  /** Its first changed line. */
  readonly about: NonNullable<UserComment["about"]>;
}

/** @param root paths below it are shown relative to it */
export function hunksToShow({ changes, hunks = [] }: ActionRequest, root: string): ShownHunk[] {
  const views = fileViews(changes, { root, hunks }).flatMap((file) => file.hunks);
  return hunks.map((hunk, index) => {
    // A path through a link leads to a file with another name, whose view has none of the hunks.
    const lines = views.find(({ id }) => id === hunk.id)?.lines ?? changeLines(hunk, hunk.newStart);
    const path = visibleOnOneLine(nameWithin(root, resolve(root, hunk.path)));
    const first = lines.find(({ sign }) => sign !== " ");
    const line = first?.new ?? first?.old ?? hunk.oldStart;
    return {
      id: hunk.id,
      title: `${path} line ${line}: hunk ${index + 1} of ${hunks.length}`,
      lines: lines.map(({ sign, text }) => `${sign}${text}`).join("\n"),
      about: { path, line, text: first?.text ?? "" },
    };
  });
}

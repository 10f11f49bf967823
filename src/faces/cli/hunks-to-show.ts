/** The hunks of an edit with the lines around them and the names of their declarations, as the review page shows them. */
import { resolve } from "node:path";
import type { ActionRequest } from "../../core/approval.ts";
import type { UserComment } from "../../core/outcome.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { nameWithin } from "../../report/diff.ts";
import { Colours } from "../web/colours.ts";
import { fileViews } from "../web/files-of-change.ts";
import { changeLines } from "../web/lines.ts";

interface ShownHunk {
  readonly id: string;
  /** `src/cart.ts line 7, Cart › total: hunk 2 of 3` */
  readonly title: string;
  /** A diff without its header. */
  readonly lines: string;
  /** Its first changed line. */
  readonly about: NonNullable<UserComment["about"]>;
}

/** @param root paths below it are shown relative to it */
export async function hunksToShow({ changes, hunks = [] }: ActionRequest, root: string): Promise<ShownHunk[]> {
  const files = await new Colours().colour(fileViews(changes, { root, hunks }), changes);
  const views = files.flatMap((file) => file.hunks);
  return hunks.map((hunk, index) => {
    // A path through a link leads to a file with another name, whose view has none of the hunks.
    const { lines, within } = views.find(({ id }) => id === hunk.id) ?? { lines: changeLines(hunk, hunk.newStart) };
    const path = visibleOnOneLine(nameWithin(root, resolve(root, hunk.path)));
    const first = lines.find(({ sign }) => sign !== " ");
    const line = first?.new ?? first?.old ?? hunk.oldStart;
    const place = `${path} line ${line}${within === undefined ? "" : `, ${visibleOnOneLine(within)}`}`;
    return {
      id: hunk.id,
      title: `${place}: hunk ${index + 1} of ${hunks.length}`,
      lines: lines.map(({ sign, text }) => `${sign}${text}`).join("\n"),
      about: { path, line, text: first?.text ?? "" },
    };
  });
}

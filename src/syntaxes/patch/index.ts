import { isBlock } from "../../core/block.ts";
import { adviseBy, cutOffIn } from "../advice.ts";
import type { Syntax } from "../syntax.ts";
import { BEGIN, fileMarker, readPatch } from "./read.ts";
import { teach } from "./teach.ts";

/** Codex's patches for its tool apply_patch. A patch runs as a whole. */
export const patch = {
  name: "patch",
  called: "Codex's patch format",
  isForeign: true,
  unit: "block",
  asked: {
    as: "a patch from *** Begin Patch to *** End Patch",
    change: "an *** Update File",
    write: "an *** Add File",
    remove: "*** Delete File: PATH, or *** Move to: NEW below *** Update File: OLD",
  },
  opens,
  read: readPatch,
  advise: adviseBy(
    {
      UNCLOSED_BLOCK: "end the patch with this line: *** End Patch",
      INVALID_PATH: "write the file's path in the line itself, as in: *** Update File: src/app.js",
      EMPTY_SECTION:
        "write the lines to remove with - before them, and the lines to add with +; a patch without a change is left out",
      MISPLACED_MARKER:
        "begin each file with *** Add File: PATH, *** Update File: PATH or *** Delete File: PATH, and each line below it with a space, - or +",
    },
    "write the patch from *** Begin Patch to *** End Patch",
  ),
  wraps: (line) =>
    /^\s*<\/?(?:antml:)?(?:function_calls|invoke(?: name="apply_patch")?|parameter(?: name="\w+")?)>/.test(line),
  cutOff: cutOffIn((last, { items }) => {
    const first = items.filter(isBlock).find(({ meant }) => meant?.group === last.meant?.group) ?? last;
    return {
      inside:
        `the patch that changes files from line ${first.startLine} on, of which nothing was run: ` +
        "it was cut off, or the line *** End Patch is missing",
      request: "Send that patch again whole, in several patches if it is long",
    };
  }),
  teach,
} as const satisfies Syntax;

function opens(line: string): boolean {
  return BEGIN.test(line) || fileMarker(line) !== undefined;
}

/** The diff of a file that cannot be chosen from, such as that of a past run. */
import type { FileView } from "../protocol.ts";
import { Code } from "./code.tsx";
import { Counts, counted, KINDS, Path, sumsOf } from "./words.tsx";

export function Lines({ file }: { file: FileView }) {
  return (
    <div class="file">
      <h3 class="sub">
        <Path path={file.path} />{" "}
        <span class="dim">
          {KINDS[file.kind]}
          {file.movedFrom && ` from ${file.movedFrom}`}
        </span>
        <span class="grow" />
        <Counts of={sumsOf([file])} />
      </h3>
      {file.unseen && <p class="dim inset">Not shown: {file.unseen}</p>}
      {file.hunks.map((hunk, index) => (
        <div class="hunk" key={index}>
          {hunk.fold && <p class="fold">⋯ {counted(hunk.fold.lines, "unchanged line")}</p>}
          <Code lines={hunk.lines} />
        </div>
      ))}
    </div>
  );
}

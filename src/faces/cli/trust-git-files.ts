/** Trust in files of a project that git runs, or reads as configuration, in a commit. */
import { Refusal } from "../../core/failure.ts";
import { GitFailed } from "../../git/git.ts";
import { readGitFile, trustedGitFiles, trustGitFiles, type TrustedGitFile } from "../../trust/trust.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { openRepository } from "../../git/repository-of-project.ts";
import { openHistory } from "./project.ts";
import { textFile } from "./trusted-project.ts";

export interface GitFiles {
  /** By absolute path, with their current content. */
  readonly files: ReadonlyMap<string, TrustedGitFile>;
  /** Paths of untrusted files: new, or changed since they were trusted. */
  readonly open: readonly string[];
  /** Paths that cannot be trusted: a repository, or a folder with too many files. */
  readonly never: readonly string[];
}

/** Returns none if git cannot read its configuration, or the project cannot be opened: then git runs nothing either. */
export async function gitFilesIn(root: string): Promise<GitFiles> {
  const opened = await openRepository(await openHistory({ root })).catch((thrown: unknown) => {
    if (thrown instanceof GitFailed || thrown instanceof Refusal) return undefined;
    throw thrown;
  });
  const sources = opened?.git.execution.sources ?? [];
  const files = new Map(
    sources.flatMap(({ path, digest }) => (digest === undefined ? [] : [[path, readGitFile(path)] as const])),
  );
  const trusted = trustedGitFiles(root);
  return {
    files,
    open: [...files.keys()].filter((path) => trusted.get(path)?.digest !== files.get(path)?.digest),
    never: sources.filter(({ digest }) => digest === undefined).map(({ path }) => path),
  };
}

/** Describes what trusting the files would let run: the text of each, or the difference from the trusted text. */
export async function showGitFiles(root: string, { files, open, never }: GitFiles): Promise<string> {
  const { unifiedDiff } = await import("../../report/diff.ts");
  const trusted = trustedGitFiles(root);
  const changes = open.flatMap((path) => {
    const [before, after] = [trusted.get(path), files.get(path)];
    return after?.text === undefined
      ? []
      : [{ path, before: before && textFile(before.text ?? ""), after: textFile(after.text) }];
  });
  const unseen = open.filter((path) => files.get(path)?.text === undefined);
  return [
    ...(open.length === 0
      ? []
      : [
          "Git runs these files, or reads them as configuration, in each commit of Loaf's, outside the sandbox:\n",
          unifiedDiff(changes, root).trimEnd(),
        ]),
    ...unseen.map((path) => `${visibleOnOneLine(path)} is too long to show, or not text: look at it yourself.`),
    ...never.map(
      (path) =>
        `${visibleOnOneLine(path)} cannot be trusted, because it is a repository or contains too many files: Loaf commits without it.`,
    ),
  ].join("\n");
}

/** Trusts all files as they were read, and revokes trust in others. */
export function trustAll(root: string, { files }: GitFiles): void {
  trustGitFiles(root, files);
}

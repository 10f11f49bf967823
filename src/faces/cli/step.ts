/** `loaf back` and `loaf forward` */
import type { Step } from "../../history/step.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { Loaf } from "../../loaf.ts";
import { personAt } from "./late-person.ts";
import { complain, print, printJson } from "./output.ts";
import { type CommandOptions, openHistory } from "./project.ts";

export function back(options: CommandOptions): Promise<void> {
  return step(options, (loaf) => {
    const person = personAt(loaf.root);
    return loaf.back({
      ...(person && {
        confirm: ({ commit, subject }) =>
          person.confirm(
            `${commit.slice(0, 10)} ${visibleOnOneLine(subject)}`,
            "This is your own commit, not one of Loaf's. Go back past it?",
          ),
      }),
    });
  });
}

export function forward(options: CommandOptions): Promise<void> {
  return step(options, (loaf) => loaf.forward());
}

/** Sets exit code 1 if files set aside here could not be restored because of conflicts. */
async function step(options: CommandOptions, go: (loaf: Loaf) => Promise<Step>): Promise<void> {
  const done = await go(await openHistory(options));
  process.exitCode = done.conflicts.length === 0 ? 0 : 1;
  for (const notice of done.notices) complain(notice);
  if (options.json) printJson(done);
  else print(describe(done));
}

function describe({
  commit,
  subject,
  branch,
  stashed_files: stashed,
  restored_files: restored,
  conflicts,
}: Step): string {
  const lines = (what: string, paths: readonly string[]) => paths.map((path) => `  ${what} ${visibleOnOneLine(path)}`);
  return [
    `Now at ${commit.slice(0, 10)} ${visibleOnOneLine(subject)}${branch === undefined ? "" : `, on ${visibleOnOneLine(branch)} again`}`,
    ...lines("set aside", stashed),
    ...lines("brought back", restored),
    ...lines("in conflict, still set aside:", conflicts),
  ].join("\n");
}

/** Declares the commands about commits. */
import type { Command } from "commander";

type Shared = readonly [flags: string, description: string];

export function addGitCommands(program: Command, { root, json }: { readonly root: Shared; readonly json: Shared }): void {
  program
    .command("squash")
    .summary("fold Loaf's last commits into one")
    .description("Folds the matching commits at HEAD, up to the first that does not match, into one with the same files. Needs at least two. Changed and staged files stay as they are. On a terminal, asks before it folds your own commits.")
    .option("--auto", "those of Loaf's runs; the default")
    .option("--ai-messages", "those whose message begins with AI:")
    .option("--containing <text>", "those whose message contains a text")
    .option("--hours <number>", "those of the last hours")
    .option("--days <number>", "those of the last days")
    .option("--limit <number>", "maximum number of commits")
    .option("--message <text>", "the message; by default made from the changed files")
    .option("-n, --dry-run", "list the commits without folding them")
    .option("--push", "include pushed commits and push the result, unless somebody else has pushed meanwhile")
    .option(...json)
    .option(...root)
    .addHelpText("after", "\nExample:\n  $ loaf squash\n  $ loaf squash --ai-messages --days 1 --message 'feat: search'\n\nExit code: 0 it is done, 2 nothing was changed.")
    .action(async (options) => (await import("./squash.ts")).squash(options));

  program
    .command("back")
    .summary("check out the commit before this one")
    .description("Checks out the commit before HEAD. Sets changed and untracked files aside until you return with loaf forward. Leaves ignored files alone. On a terminal, asks before it goes back past your own commit.")
    .option(...json)
    .option(...root)
    .addHelpText("after", "\nExample:\n  $ loaf back\n\nExit code: 0 done, 1 files set aside here are in conflict, 2 nothing was changed.")
    .action(async (options) => (await import("./step.ts")).back(options));

  program
    .command("forward")
    .summary("check out the commit after this one")
    .description("Checks out the next commit of the branch where loaf back was first used. At its last commit, puts HEAD back on the branch and restores the files set aside there.")
    .option(...json)
    .option(...root)
    .addHelpText("after", "\nExample:\n  $ loaf forward\n\nExit code: as for loaf back.")
    .action(async (options) => (await import("./step.ts")).forward(options));
}

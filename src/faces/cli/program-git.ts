/** Declares the commands about commits. */
import type { Command } from "commander";

type Shared = readonly [flags: string, description: string];

export function addGitCommands(program: Command, { root, json }: { readonly root: Shared; readonly json: Shared }): void {
  program
    .command("squash")
    .summary("fold Loaf's last commits into one")
    .description("Folds the commits at HEAD that match into one with the same files, up to the first that does not match. Needs two. What is changed or staged stays so. On a terminal it asks before it folds commits of your own.")
    .option("--auto", "those of Loaf's runs; so it is where nothing else is asked for")
    .option("--ai-messages", "those whose message begins with AI:")
    .option("--containing <text>", "those whose message contains a text")
    .option("--hours <number>", "those of the last hours")
    .option("--days <number>", "those of the last days")
    .option("--limit <number>", "at most so many")
    .option("--message <text>", "the message, else it is made from the files that were changed")
    .option("-n, --dry-run", "tell which they are, and do nothing")
    .option("--push", "take pushed commits too, and push what comes of it, unless somebody else has pushed meanwhile")
    .option(...json)
    .option(...root)
    .addHelpText("after", "\nExample:\n  $ loaf squash\n  $ loaf squash --ai-messages --days 1 --message 'feat: search'\n\nExit code: 0 it is done, 2 nothing was changed.")
    .action(async (options) => (await import("./squash.ts")).squash(options));

  program
    .command("back")
    .summary("check out the commit before this one")
    .description("Checks out the commit before HEAD. Changed and untracked files are set aside, and come back when you do: loaf forward. Ignored files stay where they are. On a terminal it asks before it goes back past a commit of your own.")
    .option(...json)
    .option(...root)
    .addHelpText("after", "\nExample:\n  $ loaf back\n\nExit code: 0 it is done, 1 files that were set aside here are in conflict, 2 nothing was changed.")
    .action(async (options) => (await import("./step.ts")).back(options));

  program
    .command("forward")
    .summary("check out the commit after this one")
    .description("Checks out the next commit of the branch that loaf back was first used on. At its last one, HEAD is on the branch again, and what was set aside there is back.")
    .option(...json)
    .option(...root)
    .addHelpText("after", "\nExample:\n  $ loaf forward\n\nExit code: as of loaf back.")
    .action(async (options) => (await import("./step.ts")).forward(options));
}

/** Declares the commands that come in groups: the context set, commits, and components in the XD5 format. */
import type { Command } from "commander";
import { UsageError } from "./usage-error.ts";
import { example, JSON_OPTION, ROOT_OPTION } from "./shared-options.ts";

export function addContextCommands(context: Command): void {
  const load = async () => import("./context.ts");
  context
    .summary("keep files in view, and print them for the chat")
    .description("Manages the set of files, folders, globs and addresses kept in view for a project.")
    .addHelpText(
      "after",
      example(
        "loaf context add src 'docs/**/*.md' src/app.ts@@Server",
        "loaf context show --copy",
        "loaf context list",
      ),
    );
  context
    .command("add [path...]")
    .description("Adds files, folders, globs or addresses. Without PATH, chooses them at the terminal.")
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf context add src 'docs/**/*.md'", "loaf context add"))
    .action(async (paths, options) =>
      paths.length > 0
        ? (await load()).addToContext(paths, options)
        : (await load()).pickForContext(options, { shows: false }),
    );
  show(
    context
      .command("pick")
      .description(
        "Chooses the files of the set in a tree at the terminal, then prints them. Keys: arrows, space ticks, / filters, Enter takes, Esc changes nothing.",
      ),
  )
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf context pick --copy"))
    .action(async (options) => (await load()).pickForContext(options, { shows: true }));
  context
    .command("remove <path...>")
    .description("Removes them, as they were added.")
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf context remove src"))
    .action(async (paths, options) => (await load()).removeFromContext(paths, options));
  context
    .command("list", { isDefault: true })
    .description("Lists the set, with sizes and estimated tokens.")
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf context list"))
    // Commander takes an unknown command for an argument of this one.
    .allowExcessArguments()
    .action(async (options, { args: [unknown] }: Command) => {
      if (unknown === undefined) return (await load()).listContext(options);
      throw new UsageError(`Unknown command '${unknown}': loaf context --help lists all`);
    });
  context
    .command("prune")
    .description("Removes paths that no longer exist, or that no action has named since they were added.")
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf context prune"))
    .action(async (options) => (await load()).pruneContext(options));
  context
    .command("clear")
    .description("Removes all paths.")
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf context clear"))
    .action(async (options) => (await load()).clearContext(options));
  show(context.command("show").description("Prints the files of the set for the chat, within a token budget."))
    .option("--changed", "only what has changed since it was last shown")
    .option(...ROOT_OPTION)
    .addHelpText(
      "after",
      example(
        "loaf context show --copy",
        "loaf context show --git --split 8000 --copy",
        "loaf context show --changed --max-tokens 5000",
      ),
    )
    .action(async (options) => (await load()).showContext(options));
}

/** Adds the options of commands that print the context set. */
function show(command: Command): Command {
  return command
    .option("--git", "add the commits and the diff of this branch, against its upstream or main")
    .option(
      "--max-tokens <number>",
      "the budget; by default report.max_tokens. Shows outlines of files that do not fit",
    )
    .option(
      "--split <tokens>",
      "all of it, in numbered parts of at most this many tokens; with --copy, Enter copies the next one",
    )
    .option("--copy", "put it on the clipboard; a terminal does not show it then");
}

export function addGitCommands(program: Command): void {
  program
    .command("squash")
    .summary("fold Loaf's last commits into one")
    .description(
      "Folds the matching commits at HEAD, up to the first that does not match, into one with the same files. Needs at least two. Changed and staged files stay as they are. On a terminal, asks before it folds your own commits.",
    )
    .option("--auto", "those of Loaf's runs; the default")
    .option("--ai-messages", "those whose message begins with AI:")
    .option("--containing <text>", "those whose message contains a text")
    .option("--hours <number>", "those of the last hours")
    .option("--days <number>", "those of the last days")
    .option("--limit <number>", "maximum number of commits")
    .option("--message <text>", "the message; by default made from the changed files")
    .option("-n, --dry-run", "list the commits without folding them")
    .option("--push", "include pushed commits and push the result, unless somebody else has pushed meanwhile")
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText(
      "after",
      "\nExample:\n  $ loaf squash\n  $ loaf squash --ai-messages --days 1 --message 'feat: search'\n\nExit code: 0 it is done, 2 nothing was changed.",
    )
    .action(async (options) => (await import("./squash.ts")).squash(options));

  program
    .command("back")
    .summary("check out the commit before this one")
    .description(
      "Checks out the commit before HEAD. Sets changed and untracked files aside until you return with loaf forward. Leaves ignored files alone. On a terminal, asks before it goes back past your own commit.",
    )
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText(
      "after",
      "\nExample:\n  $ loaf back\n\nExit code: 0 done, 1 files set aside here are in conflict, 2 nothing was changed.",
    )
    .action(async (options) => (await import("./step.ts")).back(options));

  program
    .command("forward")
    .summary("check out the commit after this one")
    .description(
      "Checks out the next commit of the branch where loaf back was first used. At its last commit, puts HEAD back on the branch and restores the files set aside there.",
    )
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText("after", "\nExample:\n  $ loaf forward\n\nExit code: as for loaf back.")
    .action(async (options) => (await import("./step.ts")).forward(options));
}

export function addXd5Commands(xd5: Command): void {
  const load = async () => import("./xd5.ts");
  xd5
    .summary("work with components documented in the XD5 format")
    .description("For projects in which each component's folder has a doc/API.md with its dependencies and exports.")
    .addHelpText("after", example("loaf xd5 check", "loaf xd5 context comp/parser --copy", "loaf xd5 graph --mermaid"));
  xd5
    .command("graph")
    .description("Shows which component depends on which.")
    .option("--mermaid", "as a Mermaid diagram")
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf xd5 graph", "loaf xd5 graph --mermaid"))
    .action(async (options) => (await load()).showGraph(options));
  xd5.command("context <component>").description("Prints everything needed to work on a component, for the chat.")
    .option("--max-tokens <number>", "leave out what does not fit")
    .option("--copy", "put it on the clipboard; a terminal does not show it then")
    .option(...ROOT_OPTION)
    .addHelpText(
      "after",
      example("loaf xd5 context comp/parser --copy", "loaf xd5 context comp/parser --max-tokens 5000"),
    )
    .action(async (component, options) => (await load()).showComponent(component, options));
  xd5
    .command("check")
    .description("Compares documents and sources. Exit code 1 if they disagree.")
    .option(...JSON_OPTION)
    .option(...ROOT_OPTION)
    .addHelpText("after", example("loaf xd5 check"))
    .action(async (options) => (await load()).checkComponents(options));
}

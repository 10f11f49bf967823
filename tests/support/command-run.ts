/** Runs commands as a run does, without the actions around them. */
import { execFileSync } from "node:child_process";
import type { ViewMaker } from "../../src/programs/view/view.ts";
import { Loaf } from "../../src/index.ts";
import { noticesOn } from "../../src/programs/view/land.ts";
import type { LandedCommand } from "../../src/programs/programs.ts";
import { Session } from "../../src/run/session.ts";
import { takeTurn } from "../../src/history/turn.ts";
import { Journal } from "../../src/journal/journal.ts";

export interface CommandRun {
  readonly commands: ReadonlyArray<LandedCommand<unknown> & { readonly warnings: readonly string[] }>;
  readonly notices: readonly string[];
  readonly modifiedFiles: readonly string[];
  /** By the position of the action. */
  readonly failures: Readonly<Record<number, string>>;
  readonly run: number | undefined;
}

export interface CommandRunOptions {
  readonly transaction?: "keep" | "all-or-nothing";
  readonly isWhole?: boolean;
  readonly view?: ViewMaker;
}

/** A step is a command, which is a line of the shell or a function in its stead that is given the view's folder, or what Loaf itself does in between. */
export type Step = string | { readonly command: (files: string) => void } | ((session: Session) => void);

/** One run of these steps, each at its position. */
export async function runCommands(root: string, steps: readonly Step[], { transaction = "keep", isWhole = true, view = "overlay" }: CommandRunOptions = {}): Promise<CommandRun> {
  const { settings } = await Loaf.create({ repoPath: root, config: { transaction, exec: { view } } });
  const { value, notices } = await takeTurn({ root, settings }, async ({ runs }) => {
    const journal = new Journal(runs, { kind: "run", root });
    const session = new Session({ root, settings, rules: [settings["fs-guard"]] }, { journal });
    const commands: Array<CommandRun["commands"][number]> = [];
    for (const [index, step] of steps.entries()) {
      session.overlay.author = index + 1;
      if (typeof step === "function") step(session);
      else {
        const landed = await session.onView(index + 1, async ({ view }) => (typeof step === "string" ? shell(view.files, step) : step.command(view.files)));
        commands.push({ ...landed, warnings: noticesOn(landed.refused) });
      }
    }
    const failures = await session.finish(isWhole);
    const { modifiedFiles } = session.footprint();
    journal.finish({ summary: "commands" });
    return { commands, modifiedFiles, failures: Object.fromEntries([...failures].map(([seq, { code }]) => [seq, code])), run: journal.sequence, notices: session.notices };
  });
  return { ...value, notices: [...value.notices, ...notices] };
}

/** Runs a line of bash in a folder. */
export function shell(root: string, line: string): string {
  return execFileSync("bash", ["-c", line], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

import { afterHelp, allCommands, HELP, type NamedCommand } from "../../src/faces/cli/command-spec.ts";
import { loaf } from "../../src/faces/cli/command-table.ts";

/** Returns the manual page `loaf.1`, in troff's man macros, from the table of commands. */
export function manualPage(version: string): string {
  const { name, does } = loaf;
  return `.\\" Made by \`npm run docs\` from the help of the commands.
.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "User Commands"
.SH NAME
${name} \\- ${text(does.replace(/\.$/, "").replace(/^R/, "r"))}
.SH SYNOPSIS
.B ${name}
.I command
.RI [ options ]
.SH DESCRIPTION
${text(does)}
Plain text in, plain text out: save a model's answer, run it, and paste the report into the chat.
${afterOf(loaf)}
.SH COMMANDS
${allCommands(loaf).slice(1).map(commandOf).join("\n")}
.SH ENVIRONMENT
.TP
.B NO_COLOR
Turns colours off.
.TP
.B FORCE_COLOR
Turns colours on, even if the output is not a terminal; 0 turns them off.
.TP
.B XDG_CONFIG_HOME, XDG_STATE_HOME
Folders for the user's settings and for the undo data. Default: ~/.config and ~/.local/state.
.SH FILES
.TP
.I loaf.yml
The project's settings, each explained in the one that loaf init writes.
.TP
.I ~/.config/loaf/config.yml
The user's settings for all projects, with the same keys.
.SH "EXIT STATUS"
0 if everything succeeded, 1 if something failed, 2 if the command could not run, 3 if the text has nothing to run.
`;
}

function commandOf(command: NamedCommand): string {
  const { path, takes = "", below, options = [], does } = command;
  const usage = [...path, "[options]", below === undefined ? takes : "[command]"].join(" ").trimEnd();
  const listed = [...options, HELP].map(([flags, says]) => `.TP\n.B ${text(flags)}\n${text(says)}`);
  return [`.SS ${text(usage)}`, text(does), ...listed, afterOf(command)].join("\n");
}

/** Prints examples verbatim. */
function afterOf(command: Parameters<typeof afterHelp>[0]): string {
  return `.PP\n.nf\n${text(afterHelp(command))}\n.fi`;
}

/**
 * Escapes characters special to troff: backslashes, hyphens and quotes, which it makes typographic, and dots at the
 * start of a line.
 */
function text(plain: string): string {
  const signs: Readonly<Record<string, string>> = { "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga" };
  return plain.replace(/[\\'`-]/g, (sign) => signs[sign] ?? sign).replace(/^(?=\.)/gm, "\\&");
}

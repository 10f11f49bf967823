/** Guesses from a command's output which limit of the sandbox it met, and how the user can lift it. */
import { basename } from "node:path";
import type { Settings } from "../../config/schema.ts";
import type { Ended } from "../run-program.ts";
import { textOf } from "../view/closed-places.ts";

export interface CommandContext {
  readonly settings: Settings;
  readonly ran: Ended;
  /** Files hidden from the command, in the layer's naming. */
  readonly closed: readonly string[];
}

const NO_NETWORK = /could not resolve|temporary failure in name resolution|name or service not known|network is unreachable|ENOTFOUND|EAI_AGAIN|ENETUNREACH|nodename nor servname/i;
const READ_ONLY = /read-only file system|EROFS/i;
const MISSING = /no such file|ENOENT|not found|cannot open|can't open/i;

/** Returns a hint for a failed command, one line for each limit. Undefined if nothing points to the sandbox. */
export function hintAbout({ settings: { exec }, ran: { stdout, stderr, endedBy, signal }, closed }: CommandContext): string | undefined {
  const output = `${stdout}\n${stderr}`;
  const hidden = MISSING.test(output) ? closed.flatMap((entry) => textOf(entry) ?? []).find((path) => output.includes(basename(path))) : undefined;
  const lines = [
    ...(endedBy === "timeout" ? [`give the block a longer timeout = "${exec.timeout * 4}" (milliseconds), or the user can set exec.timeout in loaf.yml`] : []),
    ...(endedBy === undefined && signal === "SIGKILL" ? ["it may have reached the sandbox's memory limit, which is half of the machine's memory"] : []),
    ...(!exec.network && NO_NETWORK.test(output) ? ["commands have no network here; the user can allow it: `exec: {network: true}` in loaf.yml"] : []),
    ...(READ_ONLY.test(output) ? ["a command can write in the project (but not in any .git), in /tmp and in its own home folder; the last two are deleted when it ends"] : []),
    ...(hidden === undefined ? [] : [`the rules hide ${hidden} from commands; the user can allow it: \`fs-guard: {read: {allow: ["./**", "./${hidden}"]}}\` in loaf.yml`]),
  ];
  return lines.length === 0 ? undefined : lines.join("\n");
}

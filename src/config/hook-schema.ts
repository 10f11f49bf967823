/** The schema of `hooks` and `vars`. */
import * as z from "zod/mini";

const MAX_TIMEOUT_MS = 86_400_000;
const timeoutMessage = `must be milliseconds, a whole number from 1 to ${MAX_TIMEOUT_MS}`;

const NUL = "contains a NUL character, which no command can";
const plain = (message: string) => z.string(message).check(z.refine((text) => !text.includes("\0"), NUL));

const hook = z.strictObject(
  {
    run: plain("must be a command").check(z.regex(/\S/, "must be a command"), z.describe("The command, for the shell. `${NAME}` stands for a value, `\\$` for a plain `$`.")),
    cwd: z.exactOptional(plain("must be a folder").check(z.describe("Where it runs, relative to the root; absent: the root."))),
    timeout: z.exactOptional(z.int(timeoutMessage).check(z.minimum(1, timeoutMessage), z.maximum(MAX_TIMEOUT_MS, timeoutMessage), z.describe("Time limit in milliseconds. Default: 30000."))),
    continueOnError: z.exactOptional(z.boolean("must be true or false").check(z.describe("Whether the next hook runs if this one fails. It still counts as failed."))),
  },
  "must be a mapping with the key run",
);

const hooks = (description: string) => z.exactOptional(z.array(hook, "must be a list of hooks, such as [{run: npm test}]").check(z.describe(description)));

export const hooksSchema = z
  .strictObject(
    {
      before: hooks("Before an answer is read. If one fails, nothing is run."),
      after: hooks("After the actions, before the commit. If one fails, the run counts as failed; its changes stay."),
    },
    "must be a mapping of keys",
  )
  .check(z.describe("Your own commands around a run. They run as you would run them, outside the sandbox."));

/** Names with a meaning to the shell or the system. Some shells ignore values for them from the environment. */
const RESERVED = /^(?:_|IFS|ENV|PATH|HOME|PWD|OLDPWD|SHELL|CDPATH|PS[0-9]|PPID|UID|EUID|GROUPS|LINENO|OPT(?:IND|ARG|ERR)|RANDOM|SECONDS|SHLVL|SHELLOPTS|POSIXLY_CORRECT|BASH.*|FUNC.*|LD_.*|DYLD_.*|NODE_OPTIONS|COMSPEC|PATHEXT|SYSTEMROOT)$/i;
const NAME = "must have a name of letters, digits and _ that the shell and the system do not use themselves";

export const varsSchema = z
  .record(
    z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, NAME), z.refine((name) => !RESERVED.test(name), NAME)),
    plain("must be text: put it in quotes"),
    "must be a mapping of names to texts",
  )
  .check(z.describe("Names for `${NAME}` in hooks. Their values are in the hooks' environment, too."));

export type Hook = z.output<typeof hook>;
export type Hooks = z.output<typeof hooksSchema>;

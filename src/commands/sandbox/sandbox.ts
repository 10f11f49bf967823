/** What keeps a command from reaching further than it may: one way to say it, a system's own way to do it. */

/** What a command may reach. Paths are absolute and canonical. */
export interface Confinement {
  /** The project's own path. */
  readonly root: string;
  /** The folder that stands in for the project: all that is kept of what the command writes. The project itself where it has no view. */
  readonly folder: string;
  /** Read and not written, below the root. */
  readonly readOnly: readonly string[];
  /** Files and directories that are neither read nor written. */
  readonly hidden: readonly string[];
  /** Read, outside of the root: toolchains, and where the command runs. */
  readonly visible: readonly string[];
  /** The user's home folder, which is empty for it but for what is visible. */
  readonly home: string;
  /** A folder whose `tmp` and `home` stand in for /tmp and the home folder; undefined where the sandbox makes new ones. */
  readonly scratch?: string | undefined;
  readonly network: boolean;
  /** Bytes of memory that each of its processes may have. */
  readonly memory: number;
  /** Processes and threads that it may have at one time. */
  readonly processes: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it reads from its descriptor 4. */
  readonly fourth?: Uint8Array;
}

export interface Sandbox {
  /** For people: `bubblewrap`. */
  readonly name: string;
  /** The command that runs it in the sandbox. */
  wrap(command: Command, confinement: Confinement): Command;
  /**
   * Resolves once nothing of it runs any more. What was told on the third stream says what that was.
   *
   * @returns whether the command was started at all
   */
  settle(told: string): Promise<boolean>;
}

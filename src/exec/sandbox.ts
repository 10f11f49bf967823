/** What keeps a command from reaching further than it may: one way to say it, a system's own way to do it. */

/** What a command may reach. Paths are absolute and canonical. */
export interface Confinement {
  /** The project, the only place that is kept of what it writes. */
  readonly root: string;
  /** Read and not written, below the root: what the policy refuses to write. */
  readonly readOnly: readonly string[];
  /** The same of which nothing is there: nothing may come to be there. */
  readonly absent: ReadonlyArray<{ readonly path: string; readonly kind: "file" | "directory" }>;
  /** Below a read-only place, and written all the same. */
  readonly writable: readonly string[];
  /** Directories below the root that keep their names. */
  readonly pinned: readonly string[];
  /** Neither read nor written. */
  readonly hidden: ReadonlyArray<{ readonly path: string; readonly kind: "file" | "directory" }>;
  /** Read, outside of the root: toolchains, and where the command runs. */
  readonly visible: readonly string[];
  /** The user's home folder, which is empty for it but for what is visible. */
  readonly home: string;
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
  /** What is there only because the sandbox needed a place to cover, once it has ended: to be removed where it is empty. */
  readonly leavesPlaces: boolean;
}

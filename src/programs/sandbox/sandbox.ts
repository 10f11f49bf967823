/** Keeps a command from reaching further than it may. The interface is the same for each system's mechanism. */

/** What a command may reach. Paths are absolute and canonical. */
export interface Confinement {
  /** The project's own path. */
  readonly root: string;
  /** The folder mounted in the project's place: only changes there are kept. Without a view, the project itself. */
  readonly folder: string;
  /** Readable but not writable, below the root. */
  readonly readOnly: readonly string[];
  /** Files and directories that are neither readable nor writable. */
  readonly hidden: readonly string[];
  /** Readable, outside the root: toolchains, and the command's folder. */
  readonly visible: readonly string[];
  /** The user's home folder. Inside it is empty except for visible paths. */
  readonly home: string;
  /**
   * A folder whose `tmp` and `home` are mounted as /tmp and the home folder. If undefined, the sandbox makes new ones.
   */
  readonly scratch?: string | undefined;
  readonly network: boolean;
  /** Bytes of memory for each process. */
  readonly memory: number;
  /** Processes and threads at one time. */
  readonly processes: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Content of its descriptor 4. */
  readonly fourth?: Uint8Array;
}

export interface Sandbox {
  /** For display: `bubblewrap`. */
  readonly name: string;
  /** Returns the command that runs it in the sandbox. */
  wrap(command: Command, confinement: Confinement): Command;
  /**
   * Resolves once none of its processes runs any more.
   *
   * @param status output of the third stream, with the sandbox's status
   * @returns whether the command was started at all
   */
  settle(status: string): Promise<boolean>;
}

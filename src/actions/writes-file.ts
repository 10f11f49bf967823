/** What the definitions of internal actions that write a whole file have in common. */
export const writesFile = { isInternal: true, needs: { path: ["write"] }, effect: { verb: "write", of: "file" }, subject: "path", show: "never" } as const;

/** Test files that `npm test` leaves to `npm run test:slow`: each takes seconds, or needs more of the system than Node and git. */
export const slowTests: readonly string[] = [
  "tests/faults/**",
  "tests/structure/**",
  "tests/edits/**",
  "tests/cli/{ask,bad-input,clipboard,code-cache,commands,completion,history,stopping,stream,terminal-session,watch-session}.test.ts",
  "tests/cases/day.test.ts",
  "tests/conformance/{edits,listener,watching}.test.ts",
  "tests/unit/git/{at-once,commit-property,executes-nothing,execution,step-property}.test.ts",
  "tests/unit/host/lock.test.ts",
  "tests/unit/run/hostile.test.ts",
  "tests/unit/run/commands/commands-property.test.ts",
  "tests/unit/run/history/{applied-edits,merge-property,undo-property}.test.ts",
  "tests/unit/scripts/**",
  "tests/unit/search/ways.test.ts",
];

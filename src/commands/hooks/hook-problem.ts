/** Why a hook cannot be started, as a sentence without its full stop. */
export class HookProblem extends Error {
  override readonly name = "HookProblem";
}

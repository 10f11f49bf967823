/** Why something as a whole was not done, as a sentence for the user. Nothing of Loaf is broken. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** An expected reason why a whole command was not carried out, as a sentence for the user. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

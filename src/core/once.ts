/**
 * Creates a value on first use. Mainly for regular expressions with Unicode properties: each takes up to a millisecond
 * to compile, and most runs see only ASCII.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

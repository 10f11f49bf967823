/**
 * What `make` makes, made when it is asked for first. For regular expressions that know all of Unicode, above all: each takes up to a
 * millisecond to make, and most runs see nothing but ASCII.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

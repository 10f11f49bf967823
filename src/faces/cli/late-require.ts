/**
 * A `require` that loads these modules of Node when something of them is used: a bundle asks for all that its modules import as it is loaded,
 * and `node:child_process` alone takes 2 ms, also of a run that starts no process.
 */
export function lateRequire(load: NodeJS.Require, late: readonly string[]): NodeJS.Require {
  return Object.assign((id: string): unknown => (late.includes(id) ? whenUsed(() => load(id) as object) : load(id)), load);
}

/** Stands for a module. It has to be asked for each name: what it exports is not known before it is loaded. */
function whenUsed(load: () => object): object {
  return new Proxy({}, { get: (_, name) => Reflect.get(load(), name) as unknown });
}

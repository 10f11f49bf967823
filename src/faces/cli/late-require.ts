/**
 * Returns a `require` that loads the listed modules of Node on first use. A bundle requires all imports when it is
 * loaded, and `node:child_process` alone takes 2 ms, even if no process is started.
 */
export function lateRequire(load: NodeJS.Require, late: readonly string[]): NodeJS.Require {
  return Object.assign((id: string): unknown => (late.includes(id) ? whenUsed(() => load(id) as object) : load(id)), load);
}

/** A placeholder for a module. A proxy, since its exports are unknown until it is loaded. */
function whenUsed(load: () => object): object {
  return new Proxy({}, { get: (_, name) => Reflect.get(load(), name) as unknown });
}

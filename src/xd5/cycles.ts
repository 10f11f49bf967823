/**
 * Returns one cycle of each strongly connected group of nodes, each starting at its first node by name, sorted by that
 * node.
 *
 * @param graph the nodes that each node leads to
 */
export function cyclesIn(graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const node of [...graph.keys()].sort()) {
    if (done.has(node)) continue;
    const path = shortestCycle(graph, node);
    if (path === undefined) continue;
    cycles.push(path);
    // Nodes that reach this one and are reached by it belong to the same group.
    for (const other of reachable(graph, node)) if (reachable(graph, other).has(node)) done.add(other);
  }
  return cycles;
}

/** Returns the shortest path from a node to itself, without its end, or undefined. */
function shortestCycle(graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>, start: string): string[] | undefined {
  let paths = [[start]];
  const seen = new Set<string>();
  while (paths.length > 0) {
    const longer: string[][] = [];
    for (const path of paths) {
      for (const next of [...(graph.get(path.at(-1) ?? "")?.keys() ?? [])].sort()) {
        if (next === start) return path;
        if (!seen.has(next)) longer.push([...path, next]);
        seen.add(next);
      }
    }
    paths = longer;
  }
  return undefined;
}

function reachable(graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>, start: string): Set<string> {
  const found = new Set([start]);
  for (const node of found) for (const next of graph.get(node)?.keys() ?? []) found.add(next);
  return found;
}

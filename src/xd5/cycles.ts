/**
 * One cycle of each group of nodes that all reach each other, each beginning at its first node by name, in the order of those.
 *
 * @param graph the nodes that each leads to
 */
export function cyclesIn(graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const node of [...graph.keys()].sort()) {
    if (done.has(node)) continue;
    const way = shortestWayBack(graph, node);
    if (way === undefined) continue;
    cycles.push(way);
    // Whatever reaches this node, and is reached by it, is of the same group.
    for (const other of reachable(graph, node)) if (reachable(graph, other).has(node)) done.add(other);
  }
  return cycles;
}

/** From a node to itself, without its end; undefined where no way leads back. */
function shortestWayBack(graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>, start: string): string[] | undefined {
  let ways = [[start]];
  const seen = new Set<string>();
  while (ways.length > 0) {
    const longer: string[][] = [];
    for (const way of ways) {
      for (const next of [...(graph.get(way.at(-1) ?? "")?.keys() ?? [])].sort()) {
        if (next === start) return way;
        if (!seen.has(next)) longer.push([...way, next]);
        seen.add(next);
      }
    }
    ways = longer;
  }
  return undefined;
}

function reachable(graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>, start: string): Set<string> {
  const found = new Set([start]);
  for (const node of found) for (const next of graph.get(node)?.keys() ?? []) found.add(next);
  return found;
}

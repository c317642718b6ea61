/** The nodes to which each node leads. */
type Graph = ReadonlyMap<string, readonly string[]>

/**
 * Numbers the nodes of a graph so that two nodes have the same number if and only if each leads to the other (Kosaraju's
 * algorithm, without recursion, because chains of dependencies can be long).
 */
export function cyclesIn(graph: Graph): ReadonlyMap<string, number> {
  const reversed = reverse(graph)
  const cycles = new Map<string, number>()
  for (const start of leavesFirst(graph).reverse()) {
    if (cycles.has(start)) continue
    const number = cycles.size
    const open = [start]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (cycles.has(node)) continue
      cycles.set(node, number)
      open.push(...(reversed.get(node) ?? []))
    }
  }
  return cycles
}

function reverse(graph: Graph): Graph {
  const reversed = new Map([...graph.keys()].map(node => [node, [] as string[]]))
  for (const [node, targets] of graph) {
    for (const target of targets) reversed.get(target)?.push(node)
  }
  return reversed
}

/** Returns the nodes in post-order. */
function leavesFirst(graph: Graph): string[] {
  const visited = new Set<string>()
  const finished: string[] = []
  const path: {readonly node: string; readonly rest: Iterator<string>}[] = []
  const enter = (node: string) => {
    if (visited.has(node)) return
    visited.add(node)
    path.push({node, rest: (graph.get(node) ?? []).values()})
  }
  for (const start of graph.keys()) {
    enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.next()
      if (next.done !== true) {
        enter(next.value)
        continue
      }
      finished.push(top.node)
      path.pop()
    }
  }
  return finished
}
